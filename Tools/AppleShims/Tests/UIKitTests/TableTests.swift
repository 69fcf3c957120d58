import Testing
import UIKit

/// Tables and their data sources.
@MainActor
@Suite struct `A table` {
    private final class RecordCell: UITableViewCell {
        // The overlay's replacement for `override`.
        required init(style: CellStyle, reuseIdentifier: String?) {
            super.init(style: .subtitle, reuseIdentifier: reuseIdentifier)
        }

        required init?(coder: NSCoder) { nil }
    }

    private final class History: UITableViewController {
        var amounts: [[Int]] = []

        override func viewDidLoad() {
            super.viewDidLoad()
            tableView.register(RecordCell.self, forCellReuseIdentifier: "record")
        }

        override func numberOfSections(in tableView: UITableView) -> Int { amounts.count }

        override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
            amounts[section].count
        }

        override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
            let cell = tableView.dequeueReusableCell(withIdentifier: "record", for: indexPath)
            cell.textLabel?.text = "\(amounts[indexPath.section][indexPath.row])"
            return cell
        }
    }

    @Test func `asks its controller for rows and cells when it is reloaded`() throws {
        let history = History()
        history.loadViewIfNeeded()
        #expect(history.tableView.numberOfSections == 0)
        history.amounts = [[-210, 1000], [-160]]
        history.tableView.reloadData()
        #expect(history.tableView.visibleCells.map { $0.textLabel?.text } == ["-210", "1000", "-160"])
        #expect(history.tableView.numberOfRows(inSection: 0) == 2)
        #expect(history.tableView.numberOfRows(inSection: 9) == 0)
        let cell = try #require(history.tableView.cellForRow(at: IndexPath(row: 1, section: 0)))
        #expect(cell is RecordCell)
        #expect(cell.reuseIdentifier == "record")
    }

    @Test func `asks for the cells of as many rows as a screen shows`() {
        let history = History()
        history.amounts = [Array(repeating: -10, count: 1_000_000)]
        history.viewWillAppear(false)
        #expect(history.tableView.numberOfRows(inSection: 0) == 1_000_000)
        #expect(history.tableView.visibleCells.count == 50)
    }

    @Test func `has plain cells for the names of a storyboard, and none where no name is known`() {
        let table = UITableView()
        #expect(table.dequeueReusableCell(withIdentifier: "cell") == nil)
        #expect(table.dequeueReusableCell(withIdentifier: "cell", for: IndexPath(row: 0, section: 0)).textLabel != nil)
        table.reloadData()
        #expect(table.visibleCells.isEmpty)
    }

    @Test func `knows the row that was chosen until it is reloaded`() {
        let table = UITableView()
        let path = IndexPath(row: 2, section: 0)
        table.selectRow(at: path, animated: false)
        #expect(table.indexPathForSelectedRow == path)
        table.reloadData()
        #expect(table.indexPathForSelectedRow == nil)
    }
}
