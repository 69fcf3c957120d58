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
