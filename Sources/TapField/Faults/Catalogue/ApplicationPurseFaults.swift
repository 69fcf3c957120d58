import TapCards
import TapWire

extension FaultCatalogue {
    /// Balances and card numbers that no issuer would have written.
    static let appPurses: [FaultKind] = [
        FaultKind(
            "app.balance_over", "The balance is higher than the card may hold.",
            models: "A field of two bytes is read as four or the other way round, or the card is forged.",
            [
                FaultParameter(
                    "yen", .integer(0...65_535), .integer(65_535), "The balance; 20000 and 50000 yen are usual limits.")
            ],
            scope: .felica, effect: .balance { $0.integer("yen") ?? 0 }),
        FaultKind(
            "app.balance_negative", "The balance is below zero: all high bits are set.",
            models: "Some operators let the last ride overdraw a card, and few readers take the number as signed.",
            [FaultParameter("yen", .integer(1...32_768), .integer(1), "How far below zero.")],
            scope: .felica, effect: .balance { -($0.integer("yen") ?? 0) }),
        FaultKind(
            "app.card_number", "The card number has digits above 9.",
            models: "The number of another kind of card lies in the block, which is not decimal.",
            [
                FaultParameter(
                    "number", .bytes(8...8), .bytes([0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0]), "The number.")
            ], scope: .felica,
            effect: .image(of: FeliCaCard.self) { card, strike in
                let number = CardNumber(UInt64(octets: strike.arguments.bytes("number") ?? []))
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
}

extension FaultEffect {
    /// Sets the balance of the known applications of a FeliCa card; what its field cannot hold is cut off.
    fileprivate static func balance(_ yen: @escaping @Sendable (FaultArguments) -> Int) -> FaultEffect {
        .image(of: FeliCaCard.self) { card, strike in
            let yen = yen(strike.arguments)
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

extension FeliCaCard {
    /// Changes block 0 of each service.
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
