/// The layout of the records in a known service: one record in each block or in each pair of blocks.
package struct RecordLayout: Sendable {
    /// The meaning of a record to the card's users.
    package enum Role: Sendable {
        case balance, history, gates, number, points
    }

    /// A noun for messages.
    package let name: String
    /// The name in descriptions.
    package let title: String
    package let role: Role?
    package let blockCount: Int
    /// The number of the only block with such a record; `nil` if every block of the service has one.
    package let onlyBlock: UInt16?
    /// The fields in the order of descriptions; bits outside all fields have no known meaning.
    package let fields: [any RecordField]

    init<Record: BlockRecord>(
        _: Record.Type, _ role: Role? = nil, title: String? = nil, onlyBlock: UInt16? = nil
    ) where Record.Fields: RecordFields {
        name = Record.name
        self.title = title ?? Record.name
        self.role = role
        blockCount = Record.Storage.byteCount / BlockData.byteCount
        self.onlyBlock = onlyBlock
        fields = Record.fields.listed
    }

    /// A Boolean value that indicates whether the records form a log, which may have slots that were never written.
    package var isLog: Bool { role == .history || role == .gates }

    /// The layout of the record in a block of a service; `nil` if unknown.
    package static func of(_ service: NodeCode, block number: UInt16) -> RecordLayout? {
        guard let record = ApplicationService.known(service)?.service.record else {
            return service.attribute.kind == .purse ? .purse : nil
        }
        return record.onlyBlock ?? number == number ? record : nil
    }
}
