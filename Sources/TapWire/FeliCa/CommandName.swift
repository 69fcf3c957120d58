/// The name of a command in scenario files, counts and reports, such as `felica.read`.
///
/// The part before the dot is the ``layer-swift.property``.
public struct CommandName: Hashable, Sendable, CustomStringConvertible {
    /// The group of a command, the part of its name before the dot.
    public enum Layer: String, Hashable, Sendable {
        case felica
        /// Commands for an NTAG that has been selected.
        case ntag
        /// Selection according to ISO/IEC 14443-3.
        case selection = "a3"
    }

    public let rawValue: String

    /// Creates a name, or returns `nil` if no command has it.
    public init?(_ rawValue: String) {
        guard Self.all.contains(where: { $0.rawValue == rawValue }) else { return nil }
        self.rawValue = rawValue
    }

    private init(known rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name of the command in a frame, or `nil` if the frame is empty.
    public init?(of frame: RFFrame) {
        if frame.technology.isFeliCa {
            guard frame.bytes.count >= 2 else { return nil }
            self = Self.felica(frame.bytes[1])
        } else {
            guard let first = frame.bytes.first else { return nil }
            self = frame.bitCount == 7 ? Self.short(first) : Self.typeA(first, bitCount: frame.bitCount)
        }
    }

    /// The name of the command that a FeliCa response answers, or `nil` if the code is unknown.
    package init?(answeredBy code: CommandCode) {
        let name = Self.felica(code.command.first)
        guard name != Self.unknownFelica else { return nil }
        self = name
    }

    public var description: String { rawValue }

    public var layer: Layer { Layer(rawValue: String(rawValue.prefix { $0 != "." })) ?? .selection }

    /// A Boolean value that indicates whether readers send the command to find and select cards, any number of times.
    package var isOfSearch: Bool { layer == .selection || feliCaCode == .polling }

    /// The FeliCa command; `nil` for other and unknown commands.
    package var feliCa: CommandDescription? { Self.feliCaCommands[self] }

    package var feliCaCode: CommandCode? { feliCa?.code }

    /// The opcode of a command to a selected tag; `nil` for other and unknown commands.
    public var opcode: Type2Opcode? { Self.opcodes[self] }

    /// All names, in the order of their codes.
    public static let all: [CommandName] =
        feliCaNames.compactMap(\.self) + typeANames.compactMap(\.self)
        + [reqa, wupa, anticollision, select, unknownFelica, unknownTypeA]

    private static let reqa = CommandName(known: "a3.reqa")
    private static let wupa = CommandName(known: "a3.wupa")
    private static let anticollision = CommandName(known: "a3.anticollision")
    private static let select = CommandName(known: "a3.select")
    private static let unknownFelica = CommandName(known: "felica.unknown")
    private static let unknownTypeA = CommandName(known: "ntag.unknown")

    private static func felica(_ code: UInt8) -> CommandName { feliCaNames[Int(code)] ?? unknownFelica }

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
        default: typeANames[Int(code)] ?? unknownTypeA
        }
    }

    // The names, indexed by the first byte of their code.

    private static let feliCaNames: [CommandName?] = table(
        CommandDescription.all.map { ($0.code.first, $0.word.map { "felica.\($0)" }) })

    private static let typeANames: [CommandName?] = table(
        Type2Opcode.explanations.map { ($0.opcode.rawValue, $0.word) })

    private static func table(_ words: [(code: UInt8, word: String?)]) -> [CommandName?] {
        var names = [CommandName?](repeating: nil, count: 256)
        for (code, word) in words { names[Int(code)] = word.map { CommandName(known: $0) } }
        return names
    }

    private static let feliCaCommands: [CommandName: CommandDescription] = Dictionary(
        uniqueKeysWithValues: CommandDescription.all.compactMap { command in
            feliCaNames[Int(command.code.first)].map { ($0, command) }
        })

    private static let opcodes: [CommandName: Type2Opcode] = Dictionary(
        uniqueKeysWithValues: Type2Opcode.explanations.compactMap { command in
            typeANames[Int(command.opcode.rawValue)].map { ($0, command.opcode) }
        })
}
