import Foundation

/// Rows in sections.
open class UITableView: UIScrollView {
    public enum Style: Int, Sendable {
        case plain = 0
        case grouped = 1
        case insetGrouped = 2
    }

    public enum RowAnimation: Int, Sendable {
        case fade = 0
        /// At once.
        case none = 5
        case automatic = 100
    }

    /// How many rows are asked for at once: about as many as a screen shows.
    static let visibleRows = 50

    public let style: Style
    /// Who knows the rows; asked by `reloadData`.
    open weak var dataSource: (any UITableViewDataSource)?
    /// Who hears which row is chosen.
    open weak var delegate: (any UITableViewDelegate)?
    /// The height that stands for one a layout finds out.
    public static let automaticDimension: CGFloat = -1

    /// How high a row would be.
    open var rowHeight: CGFloat = 44
    /// The height of a row before its layout, which never happens here.
    open var estimatedRowHeight: CGFloat = automaticDimension
    /// The height of a header before its layout, which never happens here.
    open var estimatedSectionHeaderHeight: CGFloat = automaticDimension
    /// The height of a footer before its layout, which never happens here.
    open var estimatedSectionFooterHeight: CGFloat = automaticDimension
    /// What would lie below the rows.
    open var tableFooterView: UIView?
    /// What would lie above the rows.
    open var tableHeaderView: UIView?
    open private(set) var indexPathForSelectedRow: IndexPath?

    private var rows: [Int] = []
    private var cells: [IndexPath: UITableViewCell] = [:]
    private var classes: [String: UITableViewCell.Type] = [:]

    public init(frame: CGRect, style: Style) {
        self.style = style
        super.init(frame: frame)
    }

    public override convenience init(frame: CGRect) {
        self.init(frame: frame, style: .plain)
    }

    /// A table of an archive, of which nothing is read.
    public required init?(coder: NSCoder) {
        style = .plain
        super.init(coder: coder)
    }

    open var numberOfSections: Int { rows.count }
    open var visibleCells: [UITableViewCell] { cells.sorted { $0.key < $1.key }.map(\.value) }

    open func numberOfRows(inSection section: Int) -> Int {
        rows.indices.contains(section) ? rows[section] : 0
    }

    open func reloadData() {
        cells = [:]
        indexPathForSelectedRow = nil
        guard let dataSource else {
            rows = []
            return
        }
        rows = (0..<dataSource.numberOfSections(in: self)).map { dataSource.tableView(self, numberOfRowsInSection: $0) }
        let paths = rows.enumerated().lazy.flatMap { section, count in
            (0..<count).lazy.map { IndexPath(row: $0, section: section) }
        }
        for path in paths.prefix(Self.visibleRows) { cells[path] = dataSource.tableView(self, cellForRowAt: path) }
    }

    open func reloadRows(at paths: [IndexPath], with animation: RowAnimation) {
        reloadData()
    }

    open func insertRows(at paths: [IndexPath], with animation: RowAnimation) {
        reloadData()
    }

    open func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {
        reloadData()
    }

    open func cellForRow(at path: IndexPath) -> UITableViewCell? { cells[path] }

    /// Makes cells of a class where its name is asked for.
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        classes[identifier] = cellClass as? UITableViewCell.Type
    }

    /// A cell of the class that has the name; a plain one for names of a storyboard, which is not read.
    open func dequeueReusableCell(withIdentifier identifier: String, for path: IndexPath) -> UITableViewCell {
        (classes[identifier] ?? UITableViewCell.self).init(style: .default, reuseIdentifier: identifier)
    }

    /// A cell of the class that has the name; none where no class has it.
    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
        classes[identifier].map { $0.init(style: .default, reuseIdentifier: identifier) }
    }

    /// Chooses a row without telling the delegate, as code does; a test that taps tells the delegate too.
    open func selectRow(at path: IndexPath?, animated: Bool) {
        indexPathForSelectedRow = path
    }

    open func deselectRow(at path: IndexPath, animated: Bool) {
        if indexPathForSelectedRow == path { indexPathForSelectedRow = nil }
    }
}

/// A row of a table.
open class UITableViewCell: UIView {
    public enum CellStyle: Int, Sendable {
        case `default` = 0
        case value1 = 1
        case value2 = 2
        case subtitle = 3
    }

    public enum AccessoryType: Int, Sendable {
        case none = 0
        case disclosureIndicator = 1
        case checkmark = 3
    }

    public enum SelectionStyle: Int, Sendable {
        /// As always.
        case none = 0
        case `default` = 3
    }

    public enum EditingStyle: Int, Sendable {
        case none = 0
        case delete = 1
        case insert = 2
    }

    /// The name it was asked for by.
    public let reuseIdentifier: String?
    open private(set) lazy var textLabel: UILabel? = UILabel()
    /// The smaller text; none in a cell that has room for one text.
    open private(set) lazy var detailTextLabel: UILabel? = style == .default ? nil : UILabel()
    open private(set) lazy var contentView = UIView()
    open var accessoryType = AccessoryType.none
    /// How it would look when it is chosen.
    open var selectionStyle = SelectionStyle.default

    private let style: CellStyle

    /// A cell of a style.
    ///
    /// Required, as a table makes cells of a class it was given; `Tools/corenfc-overlay` writes that in the place of
    /// `override`.
    public required init(style: CellStyle, reuseIdentifier: String?) {
        self.style = style
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
    }

    /// A cell of an archive, of which nothing is read.
    public required init?(coder: NSCoder) {
        style = .default
        reuseIdentifier = nil
        super.init(coder: coder)
    }

    /// Called before it is used for another row, which nothing does here.
    open func prepareForReuse() {}
}

/// Who knows the rows of a table.
@preconcurrency @MainActor
public protocol UITableViewDataSource: NSObjectProtocol {
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
    func numberOfSections(in tableView: UITableView) -> Int
    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
    func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath)
}

extension UITableViewDataSource {
    public func numberOfSections(in tableView: UITableView) -> Int { 1 }
    /// None.
    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
    public func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {}
}

/// Who hears what is done with a table.
@preconcurrency @MainActor
public protocol UITableViewDelegate: NSObjectProtocol {
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
    /// How high a row would be.
    func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat
}

extension UITableViewDelegate {
    public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
    public func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        tableView.rowHeight
    }
}

extension IndexPath {
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    public var row: Int { self[1] }
    public var section: Int { self[0] }
}
