import TapField
import TapWire

/// What reads the cards of a case.
public enum ClientSpec: Hashable, Sendable {
    /// A client of TapSim itself, which runs in process.
    case builtin(BuiltinClient)
    /// A program of its own.
    case program(ProgramClient)

    /// The client as a file writes it.
    public var node: Node {
        switch self {
        case .builtin(let client): ["builtin": client.node]
        case .program(let client): client.node
        }
    }
}

/// A client of TapSim itself.
public enum BuiltinClient: Hashable, Sendable {
    /// Reads the balance and the history of a transit card, asking for so many blocks at once where a number is given.
    case transitHistory(blocksAtOnce: Int? = nil)
    /// Reads the balance and the history of an electronic money card.
    case emoney
    /// Reads the NDEF message of a tag, with the four bytes of its PWD if it needs them.
    case ndef(password: [UInt8]?)
    /// Reads all that can be read, with the four bytes of a tag's PWD if it needs them.
    case dump(password: [UInt8]?)

    /// The words by which files name the clients.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// The history of a transit card.
        case transitHistory = "transit-history"
        /// Electronic money.
        case emoney
        /// The NDEF message of a tag.
        case ndef
        /// All that can be read.
        case dump

        /// What it does, a sentence.
        public var summary: String {
            switch self {
            case .transitHistory: "Reads the balance and the history of a transit card."
            case .emoney: "Reads the balance and the history of an electronic money card."
            case .ndef: "Reads the NDEF message of a tag."
            case .dump: "Reads all that can be read without keys."
            }
        }
    }

    /// The client of a name, without options.
    public init(_ name: Name) {
        switch name {
        case .transitHistory: self = .transitHistory()
        case .emoney: self = .emoney
        case .ndef: self = .ndef(password: nil)
        case .dump: self = .dump(password: nil)
        }
    }

    /// The word by which files name the client.
    public var name: Name {
        switch self {
        case .transitHistory: .transitHistory
        case .emoney: .emoney
        case .ndef: .ndef
        case .dump: .dump
        }
    }

    fileprivate var node: Node {
        switch self {
        case .ndef(let password?), .dump(let password?):
            .map([(key: name.rawValue, value: Node.map(["password": .text(Hex.text(password, separator: " "))]))])
        case .transitHistory(let count?):
            .map([(key: name.rawValue, value: .map(["blocks_at_once": .number(count)]))])
        case .transitHistory(nil), .emoney, .ndef(nil), .dump(nil): .text(name.rawValue)
        }
    }
}

/// A program that reads the cards through a door.
public struct ProgramClient: Hashable, Sendable {
    /// An environment variable.
    public struct Variable: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a variable.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The program and its arguments; at least one.
    public var arguments: [String]
    /// Environment variables beside those of the run, in the order of the file.
    public var environment: [Variable]
    /// What the program reads on its standard input.
    public var input: [UInt8]
    /// When the program is ended, or nothing for the limit of the run.
    public var killAfter: Duration?
    /// The line of the scenario that names it, or nothing if it comes from the command line.
    public var source: SourceReference?

    /// Creates a client.
    public init(
        _ arguments: [String], environment: [Variable] = [], input: [UInt8] = [], killAfter: Duration? = nil,
        source: SourceReference? = nil
    ) {
        self.arguments = arguments
        self.environment = environment
        self.input = input
        self.killAfter = killAfter
        self.source = source
    }

    fileprivate var node: Node {
        .map([
            "run": .list(arguments.map(Node.text)),
            "env": environment.isEmpty ? nil : .map(environment.map { (key: $0.name, value: .text($0.value)) }),
            "stdin": input.isEmpty ? nil : .text(String(decoding: input, as: UTF8.self)),
            "kill_after": killAfter.map { .text(DurationRule.text($0)) },
        ])
    }
}
