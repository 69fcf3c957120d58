import Foundation

/// Rows in sections.
open class UITableView: UIScrollView {
    /// How sections are told apart.
    public enum Style: Int, Sendable {
        /// By their headers.
        case plain = 0
        /// By space.
        case grouped = 1
        /// By space on all sides.
        case insetGrouped = 2
    }

    /// How a row comes or goes.
    public enum RowAnimation: Int, Sendable {
        /// Fading.
        case fade = 0
        /// At once.
        case none = 5
        /// As the table has it.
        case automatic = 100
    }

    /// How many rows are asked for at once: about as many as a screen shows.
    static let visibleRows = 50

    /// How sections are told apart.
    public let style: Style
    /// Who knows the rows; asked by `reloadData`.
    open weak var dataSource: (any UITableViewDataSource)?
    /// Who hears which row is chosen.
    open weak var delegate: (any UITableViewDelegate)?
    /// How high a row would be.
    open var rowHeight: CGFloat = 44
    /// What would lie below the rows.
    open var tableFooterView: UIView?
    /// What would lie above the rows.
    open var tableHeaderView: UIView?
    /// The row that is chosen.
    open private(set) var indexPathForSelectedRow: IndexPath?

    private var rows: [Int] = []
    private var cells: [IndexPath: UITableViewCell] = [:]
    private var classes: [String: UITableViewCell.Type] = [:]

    /// A table of a style.
    public init(frame: CGRect, style: Style) {
        self.style = style
        super.init(frame: frame)
    }

    /// A plain table.
    public override convenience init(frame: CGRect) {
        self.init(frame: frame, style: .plain)
    }

    /// A table of an archive, of which nothing is read.
    public required init?(coder: NSCoder) {
        style = .plain
        super.init(coder: coder)
    }

    /// How many sections there are.
    open var numberOfSections: Int { rows.count }
    /// The cells of the rows that a screen shows.
    open var visibleCells: [UITableViewCell] { cells.sorted { $0.key < $1.key }.map(\.value) }

    /// How many rows a section has.
    open func numberOfRows(inSection section: Int) -> Int {
        rows.indices.contains(section) ? rows[section] : 0
    }

    /// Asks its data source for sections, rows and the cells of the first ones.
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

    /// Asks for everything anew.
    open func reloadRows(at paths: [IndexPath], with animation: RowAnimation) {
        reloadData()
    }

    /// Asks for everything anew.
    open func insertRows(at paths: [IndexPath], with animation: RowAnimation) {
        reloadData()
    }

    /// Asks for everything anew.
    open func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {
        reloadData()
    }

    /// The cell of a row that a screen shows.
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

    /// Chooses no row.
    open func deselectRow(at path: IndexPath, animated: Bool) {
        if indexPathForSelectedRow == path { indexPathForSelectedRow = nil }
    }
}

/// A row of a table.
open class UITableViewCell: UIView {
    /// What it has room for.
    public enum CellStyle: Int, Sendable {
        /// A text.
        case `default` = 0
        /// A text and another on the right.
        case value1 = 1
        /// A text and another beside it.
        case value2 = 2
        /// A text and a smaller one below it.
        case subtitle = 3
    }

    /// What stands at its end.
    public enum AccessoryType: Int, Sendable {
        /// Nothing.
        case none = 0
        /// An arrow.
        case disclosureIndicator = 1
        /// A tick.
        case checkmark = 3
    }

    /// How it looks when it is chosen.
    public enum SelectionStyle: Int, Sendable {
        /// As always.
        case none = 0
        /// As the system has it.
        case `default` = 3
    }

    /// What is done to a row.
    public enum EditingStyle: Int, Sendable {
        /// Nothing.
        case none = 0
        /// It goes.
        case delete = 1
        /// It comes.
        case insert = 2
    }

    /// The name it was asked for by.
    public let reuseIdentifier: String?
    /// The text.
    open private(set) lazy var textLabel: UILabel? = UILabel()
    /// The smaller text; none in a cell that has room for one text.
    open private(set) lazy var detailTextLabel: UILabel? = style == .default ? nil : UILabel()
    /// The view its own views are put into.
    open private(set) lazy var contentView = UIView()
    /// What stands at its end.
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
    /// How many rows a section has.
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    /// The cell of a row.
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
    /// How many sections there are.
    func numberOfSections(in tableView: UITableView) -> Int
    /// The text above a section.
    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
    /// A row was put in or taken out by hand.
    func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath)
}

extension UITableViewDataSource {
    /// One.
    public func numberOfSections(in tableView: UITableView) -> Int { 1 }
    /// None.
    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
    /// Nothing to do.
    public func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {}
}

/// Who hears what is done with a table.
@preconcurrency @MainActor
public protocol UITableViewDelegate: NSObjectProtocol {
    /// A row was chosen.
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
    /// How high a row would be.
    func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat
}

extension UITableViewDelegate {
    /// Nothing to do.
    public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
    /// As high as all rows.
    public func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        tableView.rowHeight
    }
}

extension IndexPath {
    /// The place of a row.
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    /// The row within its section.
    public var row: Int { self[1] }
    /// The section.
    public var section: Int { self[0] }
}
