import TapCards
import TapWire

/// What the records of all histories have, so that a fault of histories is said once.
protocol HistoryEntry: BlockRecord {
    /// The number of the record.
    var serial: UInt32 { get set }
    /// The balance afterwards.
    var money: UInt32 { get set }
    /// Puts in a date or time that no calendar and no clock has.
    mutating func makeTimeImpossible()
    /// Puts in codes that nobody knows.
    mutating func makeCodesUnknown()
}

extension TransitHistoryRecord: HistoryEntry {
    var serial: UInt32 {
        get { UInt32(sequence) }
        set { sequence = UInt16(truncatingIfNeeded: newValue) }
    }
    var money: UInt32 {
        get { UInt32(balance) }
        set { balance = UInt16(truncatingIfNeeded: newValue) }
    }
    mutating func makeTimeImpossible() { date = TransitDate(.max) }
    mutating func makeCodesUnknown() {
        terminal = TerminalType(.max)
        process = ProcessType(.max)
    }
}

extension EdyHistoryRecord: HistoryEntry {
    var serial: UInt32 {
        get { sequence }
        set { sequence = newValue }
    }
    var money: UInt32 {
        get { balance }
        set { balance = newValue }
    }
    mutating func makeTimeImpossible() { time = EdyTimestamp(.max) }
    mutating func makeCodesUnknown() { type = TransactionType(.max) }
}

extension NanacoHistoryRecord: HistoryEntry {
    var serial: UInt32 {
        get { UInt32(sequence) }
        set { sequence = UInt16(truncatingIfNeeded: newValue) }
    }
    var money: UInt32 {
        get { balance }
        set { balance = newValue }
    }
    mutating func makeTimeImpossible() { time = NanacoTimestamp(.max) }
    mutating func makeCodesUnknown() { type = TransactionType(.max) }
}

extension WAONHistoryRecord: HistoryEntry {
    var serial: UInt32 {
        get { UInt32(sequence) }
        set { sequence = UInt16(truncatingIfNeeded: newValue) }
    }
    var money: UInt32 {
        get { balance }
        set { balance = newValue }
    }
    mutating func makeTimeImpossible() { time = WAONTimestamp(.max) }
    mutating func makeCodesUnknown() { type = TransactionType(.max) }
}

/// A change of the records of a history, newest first, those never written left out.
protocol HistoryChange: Sendable {
    /// Changes the records.
    func change<Entry: HistoryEntry>(_ entries: inout [Entry], _ arguments: FaultArguments)
}

extension FaultEffect {
    /// Changes the known histories of a FeliCa card.
    static func history(_ change: some HistoryChange) -> FaultEffect {
        .image(of: FeliCaCard.self) { card, strike in
            for (system, service) in card.services {
                switch service {
                case TransitServices.history.code:
                    card.rewrite(TransitHistoryRecord.self, service, system, change, strike.arguments)
                case EdyServices.history.code:
                    card.rewrite(EdyHistoryRecord.self, service, system, change, strike.arguments)
                case NanacoServices.history.code:
                    card.rewrite(NanacoHistoryRecord.self, service, system, change, strike.arguments)
                case WAONServices.history.code:
                    card.rewrite(WAONHistoryRecord.self, service, system, change, strike.arguments)
                default: break
                }
            }
        }
    }
}

extension FeliCaCard {
    /// Stores the records of a history anew with what a change makes of them; records that are gone become zero.
    fileprivate mutating func rewrite<Entry: HistoryEntry>(
        _: Entry.Type, _ service: NodeCode, _ system: SystemCode, _ change: some HistoryChange,
        _ arguments: FaultArguments
    ) {
        guard let blocks = blocks(of: service, in: system) else { return }
        let length = Entry.Storage.byteCount
        let bytes = blocks.flatMap(\.bytes)
        var entries = stride(from: 0, through: bytes.count - length, by: length)
            .compactMap { try? Entry(parsing: Array(bytes[$0..<$0 + length])) }
            .filter { !$0.isUnused }
        change.change(&entries, arguments)
        let changed = entries.flatMap(\.bytes)
        let content = (0..<blocks.count).map { BlockData(changed.dropFirst($0 * BlockData.byteCount)) }
        replaceBlocks(of: service, in: system, with: content)
    }
}
