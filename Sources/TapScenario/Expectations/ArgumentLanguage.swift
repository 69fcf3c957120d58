import TapField
import TapWire

/// The keys of the arguments of a command, in expectations and in triggers.
enum ArgumentLanguage {
    /// Arguments of commands, and which commands have them.
    private enum Argument: String, CaseIterable {
        case system, service, blocks, page, pages, pwd, data, idm, hex
        case blocksOver = "blocks_over"

        func belongs(to command: CommandName) -> Bool {
            let code = command.feliCaCode
            return switch self {
            case .system: code == .polling
            case .service: code.map(Self.nodeCommands.contains) ?? false
            case .blocks, .blocksOver: code == .readWithoutEncryption || code == .writeWithoutEncryption
            case .page, .pages: command.opcode.map(Self.pageCommands.contains) ?? false
            case .pwd: command.opcode == .passwordAuthentication
            case .data: code == .writeWithoutEncryption || command.opcode == .write
            case .idm: command.layer == .felica && code != .polling
            case .hex: true
            }
        }

        private static let nodeCommands: [CommandCode] = [
            .readWithoutEncryption, .writeWithoutEncryption, .requestService, .requestServiceV2,
            .requestBlockInformation, .requestBlockInformationEx, .getNodeProperty,
        ]
        private static let pageCommands: [Type2Opcode] = [.read, .fastRead, .write, .compatibilityWrite]
    }

    static let keys = [
        Key(
            "system", .code("a system code", known: KnownCodes.systems), "The system code of a Polling.",
            synonyms: ["system_code"]),
        Key(
            "service", .variants([service, .list(of: service, count: 1...32)]),
            "A service the command names, or all of them.", synonyms: ["services", "service_code", "node"]),
        Key(
            "blocks", .variants([.range(0...0xFFFF), .list(of: .integer(0...0xFFFF), count: 1...255)]),
            "The block numbers.", synonyms: ["block"]),
        Key("blocks_over", .integer(0...255), "More blocks than this number."),
        Key("page", .integer(0...255), "The page the command names.", synonyms: ["address"]),
        Key("pages", .range(0...255), "The pages the command names."),
        Key("pwd", .hex(4), "The PWD of a PWD_AUTH.", synonyms: ["password"]),
        Key("data", .hex(1...255), "What is written."),
        Key("idm", .hex(8), "The IDm the command is for."),
        Key("hex", .hex(1...255), "The whole command without CRC.", synonyms: ["frame", "bytes"]),
    ]

    /// Keys that say the same in two ways.
    static let atMostOne = ["page", "pages"]

    private static let service = Shape.code("a service code", known: KnownCodes.services)

    /// The arguments a map states; one that the command does not have is reported.
    static func decode(
        _ map: MapReader, of command: CommandName, into diagnostics: inout Diagnostics
    ) -> [CommandArgument] {
        var arguments: [CommandArgument] = []
        for entry in map.entries {
            guard let argument = Argument(rawValue: entry.name) else { continue }
            if argument.belongs(to: command) {
                arguments.append(decode(argument, entry.value))
            } else {
                let known = Argument.allCases.filter { $0.belongs(to: command) }.map(\.rawValue)
                diagnostics.report(
                    Diagnostic(
                        .misplacedKey, "`\(command)` has no `\(entry.name)`", at: entry.value.node,
                        hint: "it has \(known.joined(separator: ", "))"))
            }
        }
        return arguments
    }

    private static func decode(_ argument: Argument, _ value: ValueReader) -> CommandArgument {
        switch argument {
        case .system: .system(SystemCode(value.code))
        case .service where value.kind == .list: .services(value.items.map { NodeCode($0.code) })
        case .service: .service(NodeCode(value.code))
        case .blocks where value.kind == .list: .blockList(value.items.map(\.integer))
        case .blocks: .blocks(value.range)
        case .blocksOver: .blocksOver(value.integer)
        case .page: .pages(IntegerRange(value.integer, through: value.integer))
        case .pages: .pages(value.range)
        case .pwd: .password(value.bytes)
        case .data: .data(value.bytes)
        case .idm: .idm(IDm(value.bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        case .hex: .frame(value.bytes)
        }
    }
}

extension CommandArgument {
    /// The key and the value by which a file writes the argument.
    var entry: (key: String, value: Node) {
        switch self {
        case .system(let code): ("system", .text(code.description))
        case .service(let code): ("service", .text(code.description))
        case .services(let codes): ("service", .list(codes.map { .text($0.description) }))
        case .blocks(let range): ("blocks", .text(range.description))
        case .blocksOver(let count): ("blocks_over", .number(count))
        case .blockList(let numbers): ("blocks", .list(numbers.map(Node.number)))
        case .pages(let range): ("pages", .text(range.description))
        case .password(let bytes): ("pwd", .text(Hex.text(bytes, separator: " ")))
        case .data(let bytes): ("data", .text(Hex.text(bytes, separator: " ")))
        case .idm(let idm): ("idm", .text(idm.description))
        case .frame(let bytes): ("hex", .text(Hex.text(bytes, separator: " ")))
        }
    }
}
