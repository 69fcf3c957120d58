/// The service of an Octopus card with a known block, in system 8008.
///
/// Source: public card decoders, such as FareBot.
package enum OctopusServices {
    /// The balance: ``OctopusBalance``.
    package static let balance = ApplicationService(
        "balance", 0x0117, in: SystemCode(0x8008), blockCount: 1, record: RecordLayout(OctopusBalance.self, .balance))

    package static let all = [balance]
}

/// The purse of an Octopus card, service 0117.
///
/// Source: observation of cards (public card decoders, such as FareBot).
package struct OctopusBalance: BlockRecord {
    package struct Fields: RecordFields, Sendable {
        package let balance = Field<OctopusAmount>("balance", .bigEndian(0...3), privacy: .open)

        package var listed: [any RecordField] { [balance] }
    }

    package static let fields = Fields()

    package static let name = "Octopus balance"
    package var stored: BlockData

    package init(_ stored: BlockData) {
        self.stored = stored
    }

    package init(_ balance: OctopusAmount) {
        self.init(.zero)
        self.balance = balance
    }
}

/// An amount on an Octopus card: tenths of a Hong Kong dollar, offset by the debt that a card may have.
///
/// The debt limit has been 50 dollars since October 2017 and was 35 dollars before. Nothing on the card indicates the limit
/// that applies, so amounts are read with the newer limit. Sources: FareBot; metrodroid, issue 635. A pull request (4282) of
/// the Flipper firmware reports cards that fit neither limit.
package struct OctopusAmount: OpenCode, CustomStringConvertible {
    /// The debt that a card may have, in tenths of a dollar.
    package static let debt = 500

    /// The highest balance that fits in four bytes.
    package static func maximumTenths(debt: Int) -> Int { Int(UInt32.max) - debt }

    package let rawValue: UInt32

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates an amount from tenths of a dollar, clamped to the range of four bytes.
    package init(tenths: Int, debt: Int = Self.debt) {
        rawValue = UInt32(clamping: min(tenths, Self.maximumTenths(debt: debt)) + debt)
    }

    package var tenths: Int { Int(rawValue) - Self.debt }

    /// Text such as `12.3 dollars`.
    package var description: String {
        "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10) dollars"
    }
}
