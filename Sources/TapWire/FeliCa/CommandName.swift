/// The word by which scenario files, counts and reports speak of a command, such as `felica.read`.
///
/// The part before the dot is its ``layer-swift.property``.
public struct CommandName: Hashable, Sendable, CustomStringConvertible {
    /// What a command belongs to, the part of its name before the dot.
    public enum Layer: String, Hashable, Sendable {
        case felica
        /// What an NTAG takes once it is selected.
        case ntag
        /// Selection by ISO/IEC 14443-3.
        case selection = "a3"
    }

    public let rawValue: String

    /// Creates a name, or nothing if no command has it.
    public init?(_ rawValue: String) {
        guard Self.all.contains(where: { $0.rawValue == rawValue }) else { return nil }
        self.rawValue = rawValue
    }

    private init(known rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name of the command a frame carries, or nothing if the frame is empty.
    public init?(of frame: AirFrame) {
        if frame.technology.isFeliCa {
            guard frame.bytes.count >= 2 else { return nil }
            self = Self.felica(frame.bytes[1])
        } else {
            guard let first = frame.bytes.first else { return nil }
            self = frame.bitCount == 7 ? Self.short(first) : Self.typeA(first, bitCount: frame.bitCount)
        }
    }

    /// The name of the command a FeliCa response belongs to, or nothing where the code is not known.
    package init?(answeredBy code: CommandCode) {
        let name = Self.felica(code.command.first)
        guard name != Self.unknownFelica else { return nil }
        self = name
    }

    public var description: String { rawValue }

    /// What the command belongs to.
    public var layer: Layer { Layer(rawValue: String(rawValue.prefix { $0 != "." })) ?? .selection }

    /// The code of a FeliCa command; nothing for other commands and for the unknown.
    public var feliCaCode: CommandCode? {
        Self.felicaNames.first { $0.name == self }.map { CommandCode($0.code) }
    }

    /// The opcode of a command to a selected tag; nothing for other commands and for the unknown.
    public var opcode: Type2Opcode? {
        Self.typeANames.first { $0.name == self }.map { Type2Opcode($0.code) }
    }

    /// Every name, in the order of the codes.
    public static let all: [CommandName] =
        (felicaNames + typeANames).map(\.name) + [reqa, wupa, anticollision, select, unknownFelica, unknownTypeA]

    private static let reqa = CommandName(known: "a3.reqa")
    private static let wupa = CommandName(known: "a3.wupa")
    private static let anticollision = CommandName(known: "a3.anticollision")
    private static let select = CommandName(known: "a3.select")
    private static let unknownFelica = CommandName(known: "felica.unknown")
    private static let unknownTypeA = CommandName(known: "ntag.unknown")

    private static func felica(_ code: UInt8) -> CommandName {
        felicaNames.first { $0.code == code }?.name ?? unknownFelica
    }

    private static func short(_ bits: UInt8) -> CommandName {
        switch bits {
        case 0x26: reqa
        case 0x52: wupa
        default: unknownTypeA
        }
    }

    private static func typeA(_ code: UInt8, bitCount: Int) -> CommandName {
        switch code {
        case 0x93, 0x95, 0x97: bitCount == 7 * 8 ? select : anticollision
        default: typeANames.first { $0.code == code }?.name ?? unknownTypeA
        }
    }

    private static let felicaNames: [(code: UInt8, name: CommandName)] = [
        (0x00, "polling"), (0x02, "request_service"), (0x04, "request_response"), (0x06, "read"), (0x08, "write"),
        (0x0A, "search_service_code"), (0x0C, "request_system_code"), (0x0E, "request_block_information"),
        (0x10, "authentication1"), (0x12, "authentication2"), (0x14, "secure_read"), (0x16, "secure_write"),
        (0x1A, "request_code_list"), (0x1E, "request_block_information_ex"), (0x20, "set_parameter"),
        (0x22, "get_container_issue_information"), (0x24, "get_area_information"), (0x28, "get_node_property"),
        (0x2E, "get_container_property"), (0x32, "request_service_v2"), (0x34, "internal_authenticate_and_read"),
        (0x36, "external_authenticate_and_write"), (0x38, "get_system_status"), (0x3A, "request_product_information"),
        (0x3C, "request_specification_version"), (0x3E, "reset_mode"), (0x40, "authentication1_v2"),
        (0x42, "authentication2_v2"), (0x44, "secure_read_v2"), (0x46, "secure_write_v2"), (0x70, "get_container_id"),
        (0xF0, "echo"),
    ].map { (code: $0.0, name: CommandName(known: "felica.\($0.1)")) }

    private static let typeANames: [(code: UInt8, name: CommandName)] = [
        (0x1B, "ntag.pwd_auth"), (0x30, "ntag.read"), (0x39, "ntag.read_cnt"), (0x3A, "ntag.fast_read"),
        (0x3C, "ntag.read_sig"), (0x50, "a3.hlta"), (0x60, "ntag.get_version"), (0xA0, "ntag.compatibility_write"),
        (0xA2, "ntag.write"),
    ].map { (code: $0.0, name: CommandName(known: $0.1)) }
}
