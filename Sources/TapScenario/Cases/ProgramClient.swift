import TapField

/// A program that reads the cards through a door.
public struct ProgramClient: Hashable, Sendable {
    /// An environment variable.
    public struct Variable: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What stands among the arguments for the path that nfcpy takes.
    public static let nfcpyPlace = "{nfcpy}"

    /// The program and its arguments; at least one.
    public var arguments: [String]
    /// Environment variables beside those of the run, in the order of the file.
    public var environment: [Variable]
    /// What the program reads on its standard input.
    public var input: [UInt8]
    /// When the program is ended, or nothing for the limit of the run.
    public var killAfter: Duration?
    /// What it prints when it waits for cards, which come only then; nothing for a program that meets them at once.
    public var ready: LinePattern?
    /// Where it leaves its result.
    public var result = ResultSpec.usual
    /// How it says that it failed.
    public var clearError = ClearErrorSpec.usual
    /// The line of the scenario that names it, or nothing if it comes from the command line.
    public var source: SourceReference?

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

    /// Whether its arguments ask where nfcpy finds the cards.
    var asksForNfcpy: Bool { arguments.contains { $0.contains(Self.nfcpyPlace) } }

    var node: Node {
        .map([
            "run": .list(arguments.map(Node.text)),
            "env": environment.isEmpty ? nil : .map(environment.map { (key: $0.name, value: .text($0.value)) }),
            "stdin": input.isEmpty ? nil : .text(String(decoding: input, as: UTF8.self)),
            "kill_after": killAfter.map { .text(DurationRule.text($0)) },
            "ready": ready.map { .text($0.description) },
            "result": result == .usual ? nil : result.node,
            "clear_error": clearError == .usual ? nil : clearError.node,
        ])
    }
}
