/// The records in the blocks of a known service: one in each block, or one in two.
package struct RecordLayout: Sendable {
    /// The meaning of a record to those who use the card.
    package enum Role: Sendable {
        case balance, history, gates, number, points
    }

    /// A noun for messages.
    package let name: String
    /// The name in descriptions.
    package let title: String
    package let role: Role?
    package let blockCount: Int
    /// The number of the only block with such a record; `nil` if all blocks of the service have one.
    package let onlyBlock: UInt16?
    /// In the order of descriptions; bits that none of them names have no known meaning.
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

    /// A Boolean value that indicates whether the records are those of a log, whose slots may never have been written.
    package var isLog: Bool { role == .history || role == .gates }

    /// The record in a block of a service; `nil` where none is known.
    package static func of(_ service: NodeCode, block number: UInt16) -> RecordLayout? {
        guard let record = ApplicationService.known(service)?.service.record else {
            return service.attribute.kind == .purse ? .purse : nil
        }
        return record.onlyBlock ?? number == number ? record : nil
    }
}
