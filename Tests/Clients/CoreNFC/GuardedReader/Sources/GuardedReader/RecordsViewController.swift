#if os(iOS)
    import CoreNFC
    import UIKit

    /// A table of the records of a tag.
    public final class RecordsViewController: UITableViewController, NFCNDEFReaderSessionDelegate {
        private var records: [NFCNDEFPayload] = []
        private var session: NFCNDEFReaderSession?

        public override func viewDidLoad() {
            super.viewDidLoad()
            tableView.estimatedRowHeight = 60
            tableView.register(RecordCell.self, forCellReuseIdentifier: "record")
        }

        @IBAction public func scan(_ sender: Any) {
            session = NFCNDEFReaderSession(delegate: self, queue: nil, invalidateAfterFirstRead: true)
            session?.begin()
        }

        public func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
            DispatchQueue.main.async {
                self.records += messages.flatMap(\.records)
                self.tableView.reloadData()
            }
        }

        public func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {}

        public override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
            records.count
        }

        public override func tableView(
            _ tableView: UITableView, cellForRowAt indexPath: IndexPath
        ) -> UITableViewCell {
            guard let cell = tableView.dequeueReusableCell(withIdentifier: "record", for: indexPath) as? RecordCell
            else { fatalError("no cell for a record") }
            cell.textLabel?.text = records[indexPath.row].wellKnownTypeURIPayload()?.absoluteString
            cell.detailTextLabel?.text = String(decoding: records[indexPath.row].type, as: UTF8.self)
            return cell
        }
    }

    final class RecordCell: UITableViewCell {
        override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
            super.init(style: .subtitle, reuseIdentifier: reuseIdentifier)
        }

        required init?(coder: NSCoder) {
            fatalError("init(coder:) has not been implemented")
        }
    }
#endif
