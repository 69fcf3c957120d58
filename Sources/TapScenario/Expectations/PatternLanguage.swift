import TapWire

/// The keys of a pattern of exchanges.
enum PatternLanguage {
    /// A command alone, or a map.
    static let shape = Shape.variants([.command, .map(table)])

    /// Arguments of commands, and which commands have them.
    private enum Argument: String, CaseIterable {
        case system, service, blocks, page, pages, pwd, data, idm, hex

        func belongs(to command: CommandName) -> Bool {
            let code = command.feliCaCode
            return switch self {
            case .system: code == .polling
            case .service: code.map(Self.nodeCommands.contains) ?? false
            case .blocks: code == .readWithoutEncryption || code == .writeWithoutEncryption
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

    private enum ReplyWord: String, CaseIterable {
        case ok, silence, ack
    }

    private enum ReplyKey: String {
        case status, nak, hex
    }

    static let table = KeyTable(
        "an exchange",
        [
            Key("command", .command, "The command.", isRequired: true, synonyms: ["cmd", "name"]),
            Key(
                "system", .code("a system code", known: KnownCodes.systems), "The system code of a Polling.",
                synonyms: ["system_code"]),
            Key(
                "service", .variants([service, .list(of: service, count: 1...32)]),
                "A service the command names, or all of them.", synonyms: ["services", "service_code", "node"]),
            Key(
                "blocks", .variants([.range(0...0xFFFF), .list(of: .integer(0...0xFFFF), count: 1...255)]),
                "The block numbers.", synonyms: ["block"]),
            Key("page", .integer(0...255), "The page the command names.", synonyms: ["address"]),
            Key("pages", .range(0...255), "The pages the command names."),
            Key("pwd", .hex(4), "The PWD of a PWD_AUTH.", synonyms: ["password"]),
            Key("data", .hex(1...255), "What is written."),
            Key("idm", .hex(8), "The IDm the command is for."),
            Key("hex", .hex(1...255), "The whole command without CRC.", synonyms: ["frame", "bytes"]),
            Key("card", .cardName, "The card that answers.", synonyms: ["from"]),
            Key(
                "reply", .variants([.word(ReplyWord.self), .map(reply)]), "What comes back.",
                synonyms: ["answer", "response", "rsp"]),
        ], atMostOne: ["page", "pages"])

    private static let service = Shape.code("a service code", known: KnownCodes.services)

    private static let reply = KeyTable(
        "a reply",
        [
            Key("status", .hex(2), "The status flags.", synonyms: ["status_flags"]),
            Key("blocks", .range(0...255), "The number of blocks behind the status flags.", synonyms: ["count"]),
            Key("nak", .integer(0...15), "The value of a NAK."),
            Key("hex", .hex(1...1_024), "The whole answer without CRC.", synonyms: ["frame", "bytes", "data"]),
        ], exactlyOne: ["status", "nak", "hex"])

    static func decode(
        _ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> ExchangePattern {
        guard value.kind == .map else {
            return ExchangePattern(command: value.command, arguments: [], card: nil, reply: nil)
        }
        let map = value.map
        let command = map.required("command").command
        var arguments: [ExchangePattern.Argument] = []
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
        return ExchangePattern(
            command: command, arguments: arguments, card: map["card"].map { names.card($0, into: &diagnostics) },
            reply: map["reply"].map { decodeReply($0, into: &diagnostics) })
    }

    private static func decode(_ argument: Argument, _ value: ValueReader) -> ExchangePattern.Argument {
        switch argument {
        case .system: .system(SystemCode(value.code))
        case .service where value.kind == .list: .services(value.items.map { NodeCode($0.code) })
        case .service: .service(NodeCode(value.code))
        case .blocks where value.kind == .list: .blockList(value.items.map(\.integer))
        case .blocks: .blocks(value.range)
        case .page: .pages(IntegerRange(value.integer, through: value.integer))
        case .pages: .pages(value.range)
        case .pwd: .password(value.bytes)
        case .data: .data(value.bytes)
        case .idm: .idm(IDm(value.bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        case .hex: .frame(value.bytes)
        }
    }

    private static func decodeReply(
        _ value: ValueReader, into diagnostics: inout Diagnostics
    ) -> ExchangePattern.Reply {
        guard value.kind == .map else {
            switch value.word(as: ReplyWord.self) {
            case .ok: return .ok
            case .silence: return .silence
            case .ack: return .ack
            }
        }
        let blocks = value.map["blocks"]
        let (key, content) = value.map.chosen(as: ReplyKey.self)
        if key != .status, let blocks {
            diagnostics.report(
                Diagnostic(
                    .oneKeyOf, "`blocks` cannot stand beside `\(key.rawValue)`", at: blocks.node,
                    hint: "it counts the blocks behind `status`"))
        }
        switch key {
        case .status: return .status(StatusFlags(content.bytes[0], content.bytes[1]), blocks: blocks?.range)
        case .nak: return .nak(UInt8(content.integer))
        case .hex: return .frame(content.bytes)
        }
    }
}
