/// What reads the cards of a case.
public enum ClientSpec: Hashable, Sendable {
    /// A client of TapSim itself, which runs in process.
    case builtin(BuiltinClient)
    /// A program of its own.
    case program(ProgramClient)

    /// Where the client leaves its result.
    public var result: ResultSpec {
        if case .program(let client) = self { client.result } else { .usual }
    }

    /// How the client says that it failed; a built-in one exits with 1.
    public var clearError: ClearErrorSpec {
        if case .program(let client) = self { client.clearError } else { .usual }
    }

    public var node: Node {
        switch self {
        case .builtin(let client): ["builtin": client.node]
        case .program(let client): client.node
        }
    }
}

extension ClientSpec {
    /// Whether it is a client of TapSim itself.
    public var isBuiltin: Bool {
        if case .builtin = self { true } else { false }
    }
}
