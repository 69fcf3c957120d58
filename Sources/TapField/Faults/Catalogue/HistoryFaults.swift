import TapCards
import TapWire

extension FaultCatalogue {
    /// Histories of transit and electronic money cards that no terminal would have written.
    static let appHistories: [FaultKind] = [
        FaultKind(
            "app.history_zero", "All records of the history are zero.",
            models: "The card is new, or its history was cleared.", scope: .felica, effect: .history(Kept { _ in 0 })),
        FaultKind(
            "app.history_short", "The history has fewer records than slots.",
            models: "The card has not been used much yet.",
            [keptRecords], scope: .felica, effect: .history(Kept { $0[keptRecords] })),
        FaultKind(
            "app.history_date", "The newest record has a date or time that does not exist.",
            models: "A terminal's clock was not set, or it wrote a record with a different layout.",
            [record], scope: .felica, effect: .history(Spoilt { entry, _ in entry.makeTimeImpossible() })),
        FaultKind(
            "app.history_codes", "A record has unknown process, terminal or transaction codes.",
            models: "Operators introduce terminals and transaction types that no published list contains.",
            [record], scope: .felica, effect: .history(Spoilt { entry, _ in entry.makeCodesUnknown() })),
        FaultKind(
            "app.history_balance", "The balance jumps between two records.",
            models: "A record between them is missing because it was never written or has been pushed out.",
            [record, balanceDifference], scope: .felica,
            effect: .history(
                Spoilt { $0.money = UInt32(truncatingIfNeeded: Int($0.money) + $1[balanceDifference]) })),
        FaultKind(
            "app.history_serial", "Two records have the same serial number.",
            models: "A write was repeated after its answer was lost.",
            [record], scope: .felica, effect: .history(Doubled())),
    ]

    private static let keptRecords = FaultKey(
        "keep", .integer(0...20), default: 3, "The number of newest records to keep.")
    private static let balanceDifference = FaultKey(
        "by", .integer(-65_535...65_535), default: 10_000, "The error in the balance of the record, in yen.")
    fileprivate static let record = FaultKey(
        "record", .integer(0...19), default: 0, "The record, 0 for the newest; no effect beyond the oldest.")
}

private struct Kept: HistoryChange {
    let count: @Sendable (FaultArguments) -> Int

    func change<Entry: HistoryEntry>(_ entries: inout [Entry], _ arguments: FaultArguments) {
        entries = Array(entries.prefix(count(arguments)))
    }
}

private struct Spoilt: HistoryChange {
    let spoil: @Sendable (inout any HistoryEntry, FaultArguments) -> Void

    func change<Entry: HistoryEntry>(_ entries: inout [Entry], _ arguments: FaultArguments) {
        let index = arguments[FaultCatalogue.record]
        guard entries.indices.contains(index) else { return }
        var entry: any HistoryEntry = entries[index]
        spoil(&entry, arguments)
        entries[index] = entry as? Entry ?? entries[index]
    }
}

/// Gives a record the serial number of the next older one.
private struct Doubled: HistoryChange {
    func change<Entry: HistoryEntry>(_ entries: inout [Entry], _ arguments: FaultArguments) {
        let index = arguments[FaultCatalogue.record]
        guard index + 1 < entries.count else { return }
        entries[index].serial = entries[index + 1].serial
    }
}

extension FaultCatalogue {
    /// Balances and card numbers that no issuer would have written.
    static let appPurses: [FaultKind] = [
        FaultKind(
            "app.balance_over", "The balance exceeds the limit of the card.",
            models: "A field of two bytes is read as four or vice versa, or the card is forged.",
            [balance], scope: .felica, effect: .balance { $0[balance] }),
        FaultKind(
            "app.balance_negative", "The balance is below zero: all high bits are set.",
            models: "Some operators let the last ride overdraw a card, but few readers treat the number as signed.",
            [debt], scope: .felica, effect: .balance { -$0[debt] }),
        FaultKind(
            "app.card_number", "The card number has digits above 9.",
            models: "The block contains the number of another kind of card, which is not decimal.",
            [cardNumber], scope: .felica,
            effect: .feliCaImage { card, injection in
                let number = injection[cardNumber]
                card.rewriteFirstBlocks { service, block in
                    switch service {
                    case EdyServices.identification.code: block.rewrite(EdyIdentification.self) { $0.number = number }
                    case NanacoServices.identification.code, WAONServices.identification.code:
                        block.rewrite(CardNumberBlock.self) { $0.number = number }
                    default: break
                    }
                }
            }),
    ]

    private static let balance = FaultKey(
        "yen", .integer(0...65_535), default: 65_535, "The balance; 20000 and 50000 yen are usual limits.")
    private static let debt = FaultKey("yen", .integer(1...32_768), default: 1, "The amount below zero.")
    private static let cardNumber = FaultKey(
        "number", .bytes(8...8), default: [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0], "The number."
    ).map { CardNumber(UInt64(octets: $0)) }
}

extension FaultEffect {
    /// Sets the balance of the known applications of a FeliCa card, cut to its field.
    fileprivate static func balance(_ yen: @escaping @Sendable (FaultArguments) -> Int) -> FaultEffect {
        .feliCaImage { card, injection in
            let yen = yen(injection.arguments)
            card.rewriteFirstBlocks { service, block in
                switch service {
                case TransitServices.balance.code:
                    block.rewrite(TransitBalance.self) { $0.balance = UInt16(truncatingIfNeeded: yen) }
                case EdyServices.balance.code, NanacoServices.balance.code, WAONServices.balance.code:
                    block.rewrite(PurseBlock.self) { $0.value = UInt32(truncatingIfNeeded: yen) }
                default: break
                }
            }
        }
    }
}

extension FeliCaEngine {
    fileprivate mutating func rewriteFirstBlocks(_ change: (NodeCode, inout BlockData) -> Void) {
        for (system, service) in services {
            guard var block = blocks(of: service, in: system)?.first else { continue }
            change(service, &block)
            replaceBlocks(of: service, in: system, with: [block])
        }
    }
}

extension BlockData {
    fileprivate mutating func rewrite<Record: BlockRecord>(_: Record.Type, _ change: (inout Record) -> Void)
    where Record.Storage == BlockData {
        var record = Record(self)
        change(&record)
        self = record.stored
    }
}
