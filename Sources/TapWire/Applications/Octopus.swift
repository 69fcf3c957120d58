/// The service of an Octopus card whose block is known, in system 8008.
///
/// Source: public card decoders, such as FareBot.
package enum OctopusServices {
    /// The balance: ``OctopusBalance``.
    package static let balance = ApplicationService("balance", 0x0117, in: SystemCode(0x8008), blockCount: 1)

    package static let all = [balance]
}

/// The purse of an Octopus card, service 0117.
///
/// Source: observation of cards (public card decoders, such as FareBot).
package struct OctopusBalance: BlockRecord {
    package struct Fields: RecordFields, Sendable {
        package let balance = Field<OctopusAmount>("balance", .bigEndian(0...3))

        package var told: [any RecordField] { [balance] }
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

/// An amount on an Octopus card: tenths of a Hong Kong dollar, counted from the 35 dollars that a card may owe.
///
/// Cards of later issues are reported to count from 50 dollars, which is not confirmed.
package struct OctopusAmount: OpenCode, CustomStringConvertible {
    /// What is stored for a balance of zero.
    private static let offset = 350
    /// The highest balance that four bytes hold.
    package static let maximumTenths = Int(UInt32.max) - offset

    package let rawValue: UInt32

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// An amount in tenths of a dollar; one that four bytes do not hold is the nearest that they do.
    package init(tenths: Int) {
        rawValue = UInt32(clamping: min(tenths, Self.maximumTenths) + Self.offset)
    }

    package var tenths: Int { Int(rawValue) - Self.offset }

    /// Such as `12.3 dollars`.
    package var description: String {
        "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10) dollars"
    }
}
