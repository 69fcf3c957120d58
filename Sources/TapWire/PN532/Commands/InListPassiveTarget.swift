/// InListPassiveTarget, code 4A: finds cards and selects them.
///
/// ```
/// command  D4 | 4A | most targets | BrTy | initiator data
/// answer   D5 | 4B | n | target × n
/// ```
/// Initiator data are a UID with its cascade tags for type A, nothing for any; the payload of Polling without LEN for
/// FeliCa. Source: NXP, PN532 user manual UM0701-02, "InListPassiveTarget".
public enum InListPassiveTarget: PN532Command {
    public static let code = PN532Code.inListPassiveTarget
    /// Most targets at a time.
    public static let maximumTargets = 2

    public struct Request: PN532Value {
        public static var tfi: UInt8 { PN532Packet.toChip }
        public static var packetCode: PN532Code { code }

        /// How many targets to look for.
        public var maximum: UInt8
        /// What to look for.
        public var modulation: PN532Modulation
        /// Which of them.
        public var initiatorData: [UInt8]

        public init(maximum: UInt8 = 1, _ modulation: PN532Modulation, _ initiatorData: [UInt8] = []) {
            self.maximum = maximum
            self.modulation = modulation
            self.initiatorData = initiatorData
        }

        public init(maximum: UInt8 = 1, _ polling: Polling.Request, _ technology: Technology = .felica212) {
            self.init(maximum: maximum, PN532Modulation(technology), Array(polling.bytes.dropFirst()))
        }

        /// The Polling the initiator data are, or nothing if they are none.
        public var polling: Polling.Request? {
            try? Polling.Request(parsing: [UInt8(truncatingIfNeeded: initiatorData.count + 1)] + initiatorData)
        }

        public init(data: [UInt8]) throws(WireError) {
            guard data.count >= 2 else { throw WireError(.truncated, at: 2 + data.count, in: "search") }
            self.init(maximum: data[0], PN532Modulation(data[1]), Array(data.dropFirst(2)))
        }

        public var data: [UInt8] { [maximum, modulation.rawValue] + initiatorData }
    }

    /// The answer.
    ///
    /// Which kind of targets it holds only the command says.
    public struct Response: PN532Value {
        public static var tfi: UInt8 { PN532Packet.toHost }
        public static var packetCode: PN532Code { code.answer }

        /// How many targets there are.
        public var count: UInt8
        /// The targets as they are sent.
        public var targetData: [UInt8]

        public init(_ targets: [PN532Target] = []) {
            count = UInt8(truncatingIfNeeded: targets.count)
            targetData = targets.flatMap(\.bytes)
        }

        /// The targets, of the kind the command asked for.
        public func targets(_ modulation: PN532Modulation) throws(WireError) -> [PN532Target] {
            let isFeliCa = modulation.technology?.isFeliCa ?? false
            return try PN532Target.list(Int(count), targetData, isFeliCa: isFeliCa)
        }

        public init(data: [UInt8]) throws(WireError) {
            guard let count = data.first else { throw WireError(.truncated, at: 2, in: "number of targets") }
            self.count = count
            targetData = Array(data.dropFirst())
        }

        public var data: [UInt8] { [count] + targetData }
    }
}
