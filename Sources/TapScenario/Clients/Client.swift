import TapCrypto
import TapDocument
import TapField
import TapWire

/// The client that reads the cards of a case.
public enum ClientSpec: Hashable, Sendable {
    /// A client built into TapSim, which runs in process.
    case builtin(BuiltinClient)
    case program(ProgramClient)

    public var node: Node {
        switch self {
        case .builtin(let client): .map([(key: ClientLanguage.Kind.builtin.rawValue, value: client.node)])
        case .program(let client): ClientLanguage.table.node(client)
        }
    }
}

/// A client built into TapSim.
public enum BuiltinClient: Hashable, Sendable {
    /// Reads the balance and the history of a transit card, optionally requesting a given number of blocks at once.
    case transitHistory(blocksAtOnce: Int? = nil)
    case emoney
    /// Reads the NDEF message of a tag, with the four bytes of its PWD or the sixteen bytes of its card key if it needs them.
    case ndef(password: [UInt8]?, cardKey: [UInt8]? = nil)
    /// Authenticates with keys, and writes and reads inside the session.
    case session(SessionPlan)
    /// Reads all that can be read, with the four bytes of a tag's PWD if it needs them. Waits for a FeliCa card as long as
    /// its PMm states, but at least `leastWait`.
    case dump(password: [UInt8]?, leastWait: Duration? = nil)

    public enum Name: String, Hashable, Sendable, CaseIterable {
        case transitHistory = "transit-history"
        case emoney
        case ndef
        case session
        case dump

        /// A sentence that describes the client.
        public var summary: String {
            switch self {
            case .transitHistory: "Reads the balance and the history of a transit card."
            case .emoney: "Reads the balance and the history of an electronic money card."
            case .ndef: "Reads the NDEF message of a tag."
            case .session: "Authenticates with DES or AES keys, and writes and reads inside the session."
            case .dump: "Reads everything that can be read without keys."
            }
        }
    }

    public init(_ name: Name) {
        switch name {
        case .transitHistory: self = .transitHistory()
        case .emoney: self = .emoney
        case .ndef: self = .ndef(password: nil)
        case .session: self = .session(SessionPlan())
        case .dump: self = .dump(password: nil)
        }
    }

    public var name: Name {
        switch self {
        case .transitHistory: .transitHistory
        case .emoney: .emoney
        case .ndef: .ndef
        case .session: .session
        case .dump: .dump
        }
    }

    var node: Node {
        switch self {
        case .ndef(_, let cardKey?):
            .map([(key: name.rawValue, value: .map([ClientLanguage.cardKey.entry(cardKey)]))])
        case .ndef(let password?, nil):
            .map([(key: name.rawValue, value: .map([ClientLanguage.password.entry(password)]))])
        case .dump(let password, let leastWait) where password != nil || leastWait != nil:
            .map([
                (
                    key: name.rawValue,
                    value: .map(
                        [
                            password.map(ClientLanguage.password.entry), leastWait.map(ClientLanguage.leastWait.entry),
                        ].compactMap(\.self))
                )
            ])
        case .session(let plan): .map([(key: name.rawValue, value: SessionPlan.table.node(plan))])
        case .transitHistory(let count?):
            .map([(key: name.rawValue, value: .map([ClientLanguage.blocksAtOnce.entry(count)]))])
        case .transitHistory(nil), .emoney, .ndef(nil, nil), .dump: .text(name.rawValue)
        }
    }
}

/// A program that reads the cards through a transport.
public struct ProgramClient: Hashable, Sendable {
    public struct Variable: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The program and its arguments; at least one.
    public var arguments: [String]
    /// Environment variables in addition to those of the run, in the order of the file.
    public var environment: [Variable]
    public var input: [UInt8] = []
    /// The time after which the program is killed, or `nil` for the limit of the run.
    public var killAfter: Duration?
    /// The line it prints once it waits for cards, which appear only then, or `nil` if the cards are there from the start.
    public var ready: LinePattern?
    public var result = ResultSpec.default
    public var clearError = ClearErrorSpec.default
    /// The line of the scenario that names it, or `nil` if it comes from the command line.
    public var source: SourceReference?

    public init(_ arguments: [String], environment: [Variable] = []) {
        self.arguments = arguments
        self.environment = environment
    }

    func asks(for transport: ReaderSpec.Transport) -> Bool {
        // Checked in every run, and few arguments contain a brace.
        arguments.contains { $0.utf8.contains(UInt8(ascii: "{")) && $0.contains(transport.placeholder) }
    }

    /// A name in braces that resembles the placeholder of a transport, such as `{NFCPY}`, and that placeholder.
    var misspeltPlaceholder: (written: String, meant: String)? {
        let names = ReaderSpec.Transport.atPorts.map(\.rawValue)
        for part in arguments.flatMap({ $0.split(separator: "{", omittingEmptySubsequences: false).dropFirst() }) {
            guard let end = part.firstIndex(of: "}") else { continue }
            let name = String(part[..<end])
            // Other names in braces belong to the client.
            guard !names.contains(name), let meant = Spelling.closest(to: name, among: names),
                abs(name.count - meant.count) <= 1
            else { continue }
            return ("{\(name)}", "{\(meant)}")
        }
        return nil
    }
}

enum ClientLanguage {
    enum Kind: String, CaseIterable {
        case builtin, run
    }

    static let table = FieldTable(
        "a client", ProgramClient([]),
        [
            Field(builtin) { _ in nil },
            Field(
                Kind.run.rawValue, \.arguments, .list(of: .text(.verbatim), count: 1...1_024),
                "The program and its arguments.", hasDefault: false, synonyms: ["command", "program", "exec", "args"]),
            Field(
                "env", \.environment, environment, "Additional environment variables.",
                synonyms: ["environment"], isWritten: { !$0.environment.isEmpty }),
            Field(
                "stdin", \.input,
                FieldForm<String>.text(.verbatim)
                    .converted({ [UInt8]($0.utf8) }, back: { String(decoding: $0, as: UTF8.self) }),
                "The standard input of the program.", hasDefault: false, synonyms: ["input"],
                isWritten: { !$0.input.isEmpty }),
            Field(
                "kill_after", \.killAfter, .duration,
                "The time after which a long-running program is ended and judged.",
                synonyms: ["timeout"]),
            Field(
                "ready", \.ready, .rule(LinePatternRule()),
                "Part of a line that the program prints when it waits for cards, which appear only then.",
                synonyms: ["wait_for"]),
            Field(
                "result", \.result, ClientOutputLanguage.result, "The location of the result. Default: `stdout_json`.",
                hasDefault: false, synonyms: ["output"], isWritten: { $0.result != .default }),
            Field(
                "clear_error", \.clearError, ClientOutputLanguage.clearError,
                "How the program reports failure. Default: exit code 1 or higher.", hasDefault: false,
                synonyms: ["error", "errors", "failure"], isWritten: { $0.clearError != .default }),
        ], exactlyOne: Kind.allCases.map(\.rawValue), meant: meant)

    private static let builtin = TypedKey(
        Kind.builtin.rawValue, .value(.variants([.word(BuiltinClient.Name.self), .map(withOptions)])),
        "A client built into TapSim.", synonyms: ["built_in"])

    private static let environment = FieldForm<[ProgramClient.Variable]>(
        .map(of: VariableNameRule(), to: .verbatim),
        read: { $0.named.map { ProgramClient.Variable($0.name.text, $0.value.text) } },
        node: { .map($0.map { (key: $0.name, value: .text($0.value)) }) })

    /// A client map for a program that is written alone, or with its arguments.
    private static func meant(by node: Node) -> String? {
        let words: [String]
        switch node {
        case .scalar(let scalar) where BuiltinClient.Name(rawValue: scalar.text) != nil:
            return "{builtin: \(scalar.text)}"
        case .scalar(let scalar): words = scalar.text.split(separator: " ").map(String.init)
        case .list(let list): words = list.items.compactMap(\.text)
        case .map: return nil
        }
        return words.isEmpty ? nil : "{run: \(CommandList.list(words))}"
    }

    private static let withOptions = KeyTable(
        "a built-in client with options",
        oneOf: BuiltinClient.Name.allCases.compactMap { name in
            options(of: name).map { Key(name.rawValue, .map($0), name.summary) }
        })

    private static func options(of name: BuiltinClient.Name) -> KeyTable? {
        switch name {
        case .transitHistory: blockOptions
        case .ndef: ndefOptions
        case .dump: dumpOptions
        case .session: SessionPlan.table.keys
        case .emoney: nil
        }
    }

    fileprivate static let password = TypedKey(
        "password", .hex(0...0, 4...4), "The PWD of the tag, or empty for none.", synonyms: ["pwd"])
    fileprivate static let leastWait = TypedKey(
        "least_wait", FieldForm<Duration>.duration,
        "The minimum time to wait for an answer of a FeliCa card, whatever its PMm states. Default: 5 ms.",
        synonyms: ["floor", "min_wait"])
    private static let dumpOptions = KeyTable("a map of dump client options", [password.key, leastWait.key])

    fileprivate static let cardKey = TypedKey(
        "card_key", FieldForm<[UInt8]>.hex(0...0, 16...16),
        "The card key CK of a FeliCa Lite or Lite-S for authentication, or empty for none.",
        synonyms: ["ck", "key"])
    private static let ndefOptions = KeyTable(
        "a map of NDEF client options", [password.key, cardKey.key], atMostOne: [password.name, cardKey.name])

    fileprivate static let blocksAtOnce = TypedKey(
        "blocks_at_once", FieldForm<Int>.integer(1...ReadWithoutEncryption.maximumBlocks),
        "The number of blocks that the client requests at first. Default: 12.", synonyms: ["blocks", "max_blocks"])
    private static let blockOptions = KeyTable("a map of history client options", [blocksAtOnce.key])

    static func decode(_ map: MapReader, into diagnostics: inout Diagnostics) -> ClientSpec {
        guard let builtin = map[Self.builtin] else {
            var client = table.value(map)
            client.source = map.chosen(as: Kind.self).value.source
            return .program(client)
        }
        let place = map.node.entry(Self.builtin.name)?.key.range
        for entry in map.entries where entry.name != Self.builtin.name {
            let found = Diagnostic(
                .oneKeyOf, "`\(entry.name)` cannot be combined with `builtin`", at: entry.value.node,
                hint: "it is for programs, which are under `run`")
            // If two files are merged, neither shows the other's key.
            let isElsewhere = place?.file != found.place.file
            diagnostics.report(
                place.map { isElsewhere ? found.adding(.init("the other key is here", at: $0)) : found } ?? found)
        }
        let client = client(builtin)
        if case .session(let plan) = client, let problem = plan.problem {
            diagnostics.report(
                Diagnostic(
                    .contradiction, "the client `session` cannot authenticate: \(problem)", at: builtin.node,
                    hint: "set `services` with a key each, 8 bytes for DES and 16 for AES"))
        }
        checkCiphers(for: client, builtin, into: &diagnostics)
        return .builtin(client)
    }

    /// Reports keys that this build cannot use, as for a card.
    private static func checkCiphers(
        for client: BuiltinClient, _ value: ValueReader, into diagnostics: inout Diagnostics
    ) {
        guard !BlockCiphers.isAvailable, value.kind == .map else { return }
        let name: String
        switch client {
        case .ndef(_, _?): name = cardKey.name
        case .session: name = SessionPlan.services
        case .transitHistory, .emoney, .ndef, .dump: return
        }
        let options = value.map.chosen(as: BuiltinClient.Name.self).value
        diagnostics.report(.withoutCiphers(name, at: options.map[name]?.node ?? options.node))
    }

    private static func client(_ value: ValueReader) -> BuiltinClient {
        guard value.kind == .map else { return BuiltinClient(value.word()) }
        let (name, options) = value.map.chosen(as: BuiltinClient.Name.self)
        // An empty PWD, which a parameter can produce, means none.
        let password = { options.map[Self.password].flatMap { $0.isEmpty ? nil : $0 } }
        switch name {
        case .transitHistory: return .transitHistory(blocksAtOnce: options.map[blocksAtOnce])
        case .emoney: return .emoney
        case .ndef:
            let cardKey = options.map[cardKey].flatMap { $0.isEmpty ? nil : $0 }
            return .ndef(password: password(), cardKey: cardKey)
        case .session: return .session(SessionPlan.table.value(options.map))
        case .dump: return .dump(password: password(), leastWait: options.map[leastWait])
        }
    }
}

struct VariableNameRule: ScalarRule {
    var noun: String { "the name of an environment variable" }

    func parse(_ text: String) throws(ScalarProblem) -> String {
        let isFirst = { (scalar: Unicode.Scalar) in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
        }
        let isRest = { (scalar: Unicode.Scalar) in isFirst(scalar) || ("0"..."9").contains(scalar) }
        guard let first = text.unicodeScalars.first, isFirst(first), text.unicodeScalars.allSatisfy(isRest) else {
            throw ScalarProblem(
                .notName, "cannot be a name",
                hint: "\(noun) may contain letters, digits and `_`, and must not start with a digit")
        }
        return text
    }

    var schema: ScalarSchema {
        ScalarSchema(.pattern("[A-Za-z_][A-Za-z0-9_]*"), admitsBooleans: true, admitsNull: true)
    }

    var needsQuotes: Bool { true }
}
