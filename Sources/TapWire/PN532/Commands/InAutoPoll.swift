/// InAutoPoll, code 60: looks for several kinds of targets by turns.
///
/// ```
/// command  D4 | 60 | rounds | period (150 ms) | type × n
/// answer   D5 | 61 | n | (type | length | target) × n
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "InAutoPoll".
public enum InAutoPoll: PN532Command {
    public static let code = PN532Code.inAutoPoll
    /// Most types of a command.
    public static let maximumTypes = 15

    /// A kind of target.
    public struct TargetType: Hashable, Sendable {
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Any type A card.
        public static let anyTypeA = TargetType(0x00)
        /// FeliCa at 212 kbit/s, by its general name.
        public static let any212 = TargetType(0x01)
        /// FeliCa at 424 kbit/s, by its general name.
        public static let any424 = TargetType(0x02)
        /// MIFARE and other type A cards without ISO/IEC 14443-4.
        public static let mifare = TargetType(0x10)
        /// FeliCa at 212 kbit/s.
        public static let felica212 = TargetType(0x11)
        /// FeliCa at 424 kbit/s.
        public static let felica424 = TargetType(0x12)
    }

    public struct Request: PN532Value {
        public static var tfi: UInt8 { PN532Packet.toChip }
        public static var packetCode: PN532Code { code }

        /// How many rounds; FF for ever.
        public var rounds: UInt8
        /// How long one search takes, in steps of 150 ms.
        public var period: UInt8
        /// What to look for.
        public var types: [TargetType]

        public init(rounds: UInt8, period: UInt8, _ types: [TargetType]) {
            self.rounds = rounds
            self.period = period
            self.types = types
        }

        public init(data: [UInt8]) throws(WireError) {
            guard data.count >= 3 else { throw WireError(.truncated, at: 2 + data.count, in: "search") }
            guard data.count <= 2 + maximumTypes else {
                throw WireError(.trailingBytes, at: 4 + maximumTypes, in: "list of types")
            }
            self.init(rounds: data[0], period: data[1], data.dropFirst(2).map { TargetType($0) })
        }

        public var data: [UInt8] { [rounds, period] + types.map(\.rawValue) }

        /// How long the whole search takes if it finds nothing; nothing if it goes on for ever.
        public var duration: Duration? {
            rounds == .max ? nil : .milliseconds(150 * Int(rounds) * Int(period) * types.count)
        }
    }

    public typealias Response = PN532DataResponse<InAutoPoll>
}

extension PN532DataResponse where Command == InAutoPoll {
    public init(found targets: [(type: InAutoPoll.TargetType, target: PN532Target)]) {
        let entries = targets.flatMap { found in
            let bytes = found.target.bytes
            return [found.type.rawValue, UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
        self.init([UInt8(truncatingIfNeeded: targets.count)] + entries)
    }
}
