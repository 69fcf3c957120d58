/// The usage history of a transit card, newest record first, and what each use cost.
public struct TransitHistory: Hashable, Sendable {
    /// One use of the card.
    public struct Trip: Hashable, Sendable {
        /// The record of the use.
        public let record: TransitHistoryRecord
        /// Yen by which the balance changed, negative for a payment; nothing for the oldest record, since the balance
        /// before it is not on the card.
        public let amount: Int?
    }

    /// The records, newest first, slots never written left out.
    public let records: [TransitHistoryRecord]

    /// Creates a history from records in the order of their blocks, newest first; unused slots are skipped.
    public init(_ records: [TransitHistoryRecord]) {
        self.records = records.filter { !$0.isUnused }
    }

    /// Creates a history from the blocks of service 090F, block 0 first.
    public init(blocks: [BlockData]) {
        self.init(blocks.map { TransitHistoryRecord($0) })
    }

    /// Each use with the difference to the balance of the record before it.
    public var trips: [Trip] {
        records.indices.map { index in
            let before = index + 1 < records.count ? records[index + 1].balance : nil
            return Trip(record: records[index], amount: before.map { Int(records[index].balance) - Int($0) })
        }
    }
}
