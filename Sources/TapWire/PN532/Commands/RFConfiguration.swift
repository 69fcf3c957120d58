/// RFConfiguration, code 32.
///
/// ```
/// command  D4 | 32 | item | data
/// answer   D5 | 33
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "RFConfiguration".
public enum RFConfiguration: PN532Command {
    public static let code = PN532Code.rfConfiguration

    public typealias Response = PN532DataResponse<RFConfiguration>

    public enum Request: PN532Value {
        public static var tfi: UInt8 { PN532Packet.toChip }
        public static var packetCode: PN532Code { code }

        /// The field: bit 0 on, bit 1 automatic collision avoidance.
        case field(UInt8)
        /// How often searches are repeated: for ATR_REQ, for PSL_REQ, and for passive targets, where FF is for ever.
        case searchRetries(atr: UInt8, psl: UInt8, passive: UInt8)
        /// Times, retries of exchanges, and analogue settings, by their item number.
        case other(item: UInt8, [UInt8])

        /// Switches the field on or off.
        public static func field(isOn: Bool) -> Request { .field(isOn ? 1 : 0) }

        public init(data: [UInt8]) throws(WireError) {
            guard let item = data.first else { throw WireError(.truncated, at: 2, in: "item") }
            let value = Array(data.dropFirst())
            switch (item, value.count) {
            case (0x01, 1): self = .field(value[0])
            case (0x05, 3): self = .searchRetries(atr: value[0], psl: value[1], passive: value[2])
            case (0x01, _), (0x05, _): throw WireError(.wrongLength, at: 3, in: "RF configuration")
            default: self = .other(item: item, value)
            }
        }

        public var data: [UInt8] {
            switch self {
            case .field(let value): [0x01, value]
            case .searchRetries(let atr, let psl, let passive): [0x05, atr, psl, passive]
            case .other(let item, let value): [item] + value
            }
        }
    }
}
