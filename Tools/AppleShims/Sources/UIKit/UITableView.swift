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
        /// Without an animation.
        case none = 5
        case automatic = 100
    }

    /// The number of rows to request at once: about as many as a screen shows.
    static let visibleRows = 50

    public let style: Style
    /// The object that provides the rows; used by `reloadData`.
    open weak var dataSource: (any UITableViewDataSource)?
    /// The object that is notified when a row is selected.
    open weak var delegate: (any UITableViewDelegate)?
    /// The placeholder for a height that layout determines.
    public static let automaticDimension: CGFloat = -1

    /// The height of a row.
    open var rowHeight: CGFloat = 44
    /// The height of a row before layout, which never happens here.
    open var estimatedRowHeight: CGFloat = automaticDimension
    /// The height of a header before layout, which never happens here.
    open var estimatedSectionHeaderHeight: CGFloat = automaticDimension
    /// The height of a footer before layout, which never happens here.
    open var estimatedSectionFooterHeight: CGFloat = automaticDimension
    /// The view below the rows.
    open var tableFooterView: UIView?
    /// The view above the rows.
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

    /// Creates a table from an archive, which is not read.
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

    /// Registers the class of cells for an identifier.
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        classes[identifier] = cellClass as? UITableViewCell.Type
    }

    /// Returns a cell of the class registered for an identifier; a plain cell for identifiers of a storyboard, which is not
    /// read.
    open func dequeueReusableCell(withIdentifier identifier: String, for path: IndexPath) -> UITableViewCell {
        (classes[identifier] ?? UITableViewCell.self).init(style: .default, reuseIdentifier: identifier)
    }

    /// Returns a cell of the class registered for an identifier; nil if there is none.
    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
        classes[identifier].map { $0.init(style: .default, reuseIdentifier: identifier) }
    }

    /// Selects a row without notifying the delegate, as code does; a test that taps also notifies the delegate.
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
        /// No highlight.
        case none = 0
        case `default` = 3
    }

    public enum EditingStyle: Int, Sendable {
        case none = 0
        case delete = 1
        case insert = 2
    }

    /// The identifier with which the cell was requested.
    public let reuseIdentifier: String?
    open private(set) lazy var textLabel: UILabel? = UILabel()
    /// The smaller text; nil in a cell with room for only one text.
    open private(set) lazy var detailTextLabel: UILabel? = style == .default ? nil : UILabel()
    open private(set) lazy var contentView = UIView()
    open var accessoryType = AccessoryType.none
    /// The appearance of the selected cell.
    open var selectionStyle = SelectionStyle.default

    private let style: CellStyle

    /// Creates a cell of a style.
    ///
    /// Required, since a table creates cells of the registered class; `Tools/corenfc-overlay` writes `required` in place of
    /// `override`.
    public required init(style: CellStyle, reuseIdentifier: String?) {
        self.style = style
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
    }

    /// Creates a cell from an archive, which is not read.
    public required init?(coder: NSCoder) {
        style = .default
        reuseIdentifier = nil
        super.init(coder: coder)
    }

    /// Called before the cell is reused for another row, which never happens here.
    open func prepareForReuse() {}
}

/// The provider of a table's rows.
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
    /// Returns nil.
    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
    public func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {}
}

/// The object notified of user actions on a table.
@preconcurrency @MainActor
public protocol UITableViewDelegate: NSObjectProtocol {
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
    /// Returns the height of a row.
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
