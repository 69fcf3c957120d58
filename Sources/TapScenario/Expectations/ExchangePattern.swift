import TapDocument
import TapField
import TapWire

/// A pattern for an exchange: the command, some of its arguments, the card that answers and the reply.
public struct ExchangePattern: Hashable, Sendable, CustomStringConvertible {
    public let command: CommandName
    /// The expected arguments, in the order of the file.
    public let arguments: [CommandArgument]
    /// The card that answers, if specified.
    public let card: String?
    public let reply: Reply?

    public enum Reply: Hashable, Sendable, CustomStringConvertible {
        /// An answer that arrives intact and reports no error.
        case ok
        case silence
        case ack
        /// A four-bit NAK.
        case nak(UInt8)
        /// Status flags, and the number of blocks after them if specified.
        case status(StatusFlags, blocks: IntegerRange?)
        /// The whole answer, without CRC.
        case frame([UInt8])

        public var description: String {
            switch self {
            case .ok: "ok"
            case .silence: "silence"
            case .ack: "\(Acknowledgement.ack)"
            case .nak(let value): "\(Acknowledgement(value))"
            case .status(let flags, nil): "status \(flags)"
            case .status(let flags, let blocks?): "status \(flags) with \(ReplyFacts.blocks(blocks))"
            case .frame(let bytes): "hex \(CommandFacts.text(bytes))"
            }
        }
    }

    /// The pattern on one line: `felica.read service 090F blocks 0..11, reply status 00 00 with 12 blocks`.
    public var description: String {
        let words = [command.rawValue] + arguments.map(\.description)
        let ends = (card.map { [", from \($0)"] } ?? []) + (reply.map { [", reply \($0)"] } ?? [])
        return words.joined(separator: " ") + ends.joined()
    }
}

enum PatternLanguage {
    static let shape = Shape.variants([.command, .map(table)])

    private static let command = TypedKey(
        "command", .rule(CommandRule()), "The command.", isRequired: true, synonyms: ["cmd", "name"])
    private static let card = TypedKey("card", .value(.cardName), "The card that answers.", synonyms: ["from"])
    private static let reply = TypedKey(
        "reply", .value(.variants([word.shape, .map(replyTable)])), "The reply.",
        synonyms: ["answer", "response", "rsp"])

    static let table = KeyTable(
        "an exchange", [command.key] + ArgumentLanguage.keys + [card.key, reply.key],
        atMostOne: ArgumentLanguage.atMostOne)

    private static let word = FieldForm<ExchangePattern.Reply>.words(["ok": .ok, "silence": .silence, "ack": .ack])
    private static let status = TypedKey(
        "status", .hex(2...2), "The status flags.", synonyms: ["status_flags"])
    private static let blocks = TypedKey(
        "blocks", .value(.range(0...255)), "The number of blocks after the status flags.", synonyms: ["count"])
    private static let nak = TypedKey("nak", FieldForm<UInt8>.integer(0...15), "The value of a NAK.")
    private static let hex = TypedKey(
        "hex", .hex(1...1_024), "The whole answer without CRC.", synonyms: ["frame", "bytes", "data"])

    private static let replyTable = KeyTable(
        "a reply", [status.key, blocks.key, nak.key, hex.key], exactlyOne: [status.name, nak.name, hex.name])

    static func decode(
        _ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> ExchangePattern {
        guard value.kind == .map else {
            return ExchangePattern(command: value.command, arguments: [], card: nil, reply: nil)
        }
        let map = value.map
        let command = map.required(Self.command)
        let arguments = ArgumentLanguage.decode(map, of: command, into: &diagnostics)
        return ExchangePattern(
            command: command, arguments: arguments, card: map[card].map { names.card($0, into: &diagnostics) },
            reply: map[reply].map { decodeReply($0, into: &diagnostics) })
    }

    private static func decodeReply(
        _ value: ValueReader, into diagnostics: inout Diagnostics
    ) -> ExchangePattern.Reply {
        guard value.kind == .map else { return word.read(value) }
        let map = value.map
        let blocks = map[Self.blocks]
        if let flags = map[status] { return .status(StatusFlags(flags[0], flags[1]), blocks: blocks?.range) }
        let nak = map[Self.nak]
        if let blocks {
            diagnostics.report(
                Diagnostic(
                    .oneKeyOf, "`blocks` cannot be combined with `\(nak == nil ? hex.name : Self.nak.name)`",
                    at: blocks.node, hint: "it counts the blocks after `status`"))
        }
        return nak.map { .nak($0) } ?? .frame(map[hex] ?? [])
    }
}

/// The keys for the arguments of a command, in expectations and in triggers.
enum ArgumentLanguage {
    fileprivate enum Argument: String, CaseIterable {
        case system, service, blocks
        case blocksOver = "blocks_over"
        case page, pages, pwd, data, idm, hex

        var key: Key {
            let name = rawValue
            return switch self {
            case .system:
                Key(
                    name, .code("a system code", known: KnownCodes.systems), "The system code of a Polling.",
                    synonyms: ["system_code"])
            case .service:
                Key(
                    name, .variants([serviceCode, .list(of: serviceCode, count: 1...32)]),
                    "A service that the command names, or a list of all its services.",
                    synonyms: ["services", "service_code", "node"])
            case .blocks:
                Key(
                    name, .variants([.range(0...0xFFFF), .list(of: .integer(0...0xFFFF), count: 1...255)]),
                    "The block numbers.", synonyms: ["block"])
            case .blocksOver: Key(name, .integer(0...255), "More blocks than this number.")
            case .page: Key(name, .integer(0...255), "The page that the command names.", synonyms: ["address"])
            case .pages: Key(name, .range(0...255), "The pages that the command names.")
            case .pwd: Key(name, .hex(4), "The PWD of a PWD_AUTH.", synonyms: ["password"])
            case .data: Key(name, .hex(1...255), "The data to write.")
            case .idm: Key(name, .hex(8), "The IDm that the command addresses.")
            case .hex: Key(name, .hex(1...255), "The whole command without CRC.", synonyms: ["frame", "bytes"])
            }
        }

        func belongs(to command: CommandName) -> Bool {
            let code = command.feliCaCode
            return switch self {
            case .system: code == .polling
            case .service: command.feliCa?.namesNodes ?? false
            case .blocks, .blocksOver: code == .readWithoutEncryption || code == .writeWithoutEncryption
            case .page, .pages: command.opcode.map(Self.pageCommands.contains) ?? false
            case .pwd: command.opcode == .passwordAuthentication
            case .data: code == .writeWithoutEncryption || command.opcode == .write
            case .idm: command.layer == .felica && code != .polling
            case .hex: true
            }
        }

        private static let pageCommands: [Type2Opcode] = [.read, .fastRead, .write, .compatibilityWrite]
    }

    static let keys = Argument.allCases.map(\.key)

    /// Alternative keys for the same argument.
    static let atMostOne = [Argument.page.rawValue, Argument.pages.rawValue]

    private static let serviceCode = Shape.scalar(KnownCodes.serviceRule)

    /// The arguments in a map; reports an argument that the command does not have.
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
    /// The key and the value of the argument in a file.
    var entry: (key: String, value: Node) {
        let (argument, value): (ArgumentLanguage.Argument, Node) =
            switch self {
            case .system(let code): (.system, .text(code.description))
            case .service(let code): (.service, .text(code.description))
            case .services(let codes): (.service, .list(codes.map { .text($0.description) }))
            case .blocks(let range): (.blocks, .text(range.description))
            case .blocksOver(let count): (.blocksOver, .number(count))
            case .blockList(let numbers): (.blocks, .list(numbers.map(Node.number)))
            case .pages(let range): (.pages, .text(range.description))
            case .password(let bytes): (.pwd, .hex(bytes))
            case .data(let bytes): (.data, .hex(bytes))
            case .idm(let idm): (.idm, .text(idm.description))
            case .frame(let bytes): (.hex, .hex(bytes))
            }
        return (argument.rawValue, value)
    }
}

/// A reply, parsed with the same types that clients use.
package enum ReplyFacts: CustomStringConvertible {
    case silence
    case collision
    case damaged
    case acknowledgement(Acknowledgement)
    /// Status flags, and the number of blocks after them if the answer has blocks.
    case status(StatusFlags, blocks: Int?, [UInt8])
    case data([UInt8])

    package init(_ exchange: Exchange, _ command: CommandName?) {
        guard let first = exchange.answers.first else {
            self = .silence
            return
        }
        let answer = exchange.answers.first { $0.frame.integrity == .good } ?? first
        let frame = answer.frame
        if answer.firstCollidedBit != nil {
            self = .collision
        } else if frame.integrity != .good {
            self = .damaged
        } else if frame.bitCount == Acknowledgement.bitCount, let value = try? Acknowledgement(parsing: frame.bytes) {
            self = .acknowledgement(value)
        } else if frame.technology.isFeliCa, command?.feliCa?.hasStatusFlags == true {
            self = Self.status(of: frame.bytes)
        } else {
            self = .data(frame.bytes)
        }
    }

    private static func status(of bytes: [UInt8]) -> ReplyFacts {
        guard bytes.count >= FeliCaPacket.statusLength else { return .data(bytes) }
        let read = try? ReadWithoutEncryption.Response(parsing: bytes)
        return .status(StatusFlags(bytes[10], bytes[11]), blocks: read?.blocks.count, bytes)
    }

    package func matches(_ reply: ExchangePattern.Reply) -> Bool {
        switch (reply, self) {
        case (.silence, .silence): true
        case (.ok, .data): true
        case (.ok, .status(let flags, _, _)): flags.isSuccess
        case (.ok, .acknowledgement(let value)), (.ack, .acknowledgement(let value)): value.isAck
        case (.nak(let expected), .acknowledgement(let value)): value.rawValue == expected
        case (.status(let expected, let range), .status(let flags, let blocks, _)):
            flags == expected && range?.contains(blocks ?? 0) ?? true
        case (.frame(let expected), .data(let bytes)), (.frame(let expected), .status(_, _, let bytes)):
            bytes == expected
        default: false
        }
    }

    package var description: String {
        switch self {
        case .silence: "silence"
        case .collision: "a collision"
        case .damaged: "a damaged frame"
        case .acknowledgement(let value): "\(value)"
        case .status(let flags, nil, _): "status \(flags)"
        case .status(let flags, let count?, _) where flags.isSuccess:
            "status \(flags) with \(Self.blocks(IntegerRange(count, through: count)))"
        case .status(let flags, _, _): "status \(flags)"
        case .data(let bytes): "hex \(CommandFacts.text(bytes))"
        }
    }

    static func blocks(_ count: IntegerRange) -> String {
        count.lower == 1 && count.upper == 1 ? "1 block" : "\(count) blocks"
    }
}
