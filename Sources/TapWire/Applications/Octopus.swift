/// The service of an Octopus card whose block is known, in system 8008.
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

/// An amount on an Octopus card: tenths of a Hong Kong dollar, counted from the debt that a card may have.
///
/// The debt is 50 dollars since October 2017 and was 35 before; nothing on the card tells which one counts, so an amount
/// is read with the newer one. Source: FareBot; metrodroid, issue 635; a pull request (4282) of the Flipper firmware found
/// cards that fit neither.
package struct OctopusAmount: OpenCode, CustomStringConvertible {
    /// The debt a card may have, in tenths of a dollar.
    package static let debt = 500

    /// The highest balance that four bytes hold.
    package static func maximumTenths(debt: Int) -> Int { Int(UInt32.max) - debt }

    package let rawValue: UInt32

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// An amount in tenths of a dollar; one that four bytes do not hold is the nearest that they do.
    package init(tenths: Int, debt: Int = Self.debt) {
        rawValue = UInt32(clamping: min(tenths, Self.maximumTenths(debt: debt)) + debt)
    }

    package var tenths: Int { Int(rawValue) - Self.debt }

    /// Such as `12.3 dollars`.
    package var description: String {
        "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10) dollars"
    }
}
