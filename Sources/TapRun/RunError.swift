/// Why a case could not be run at all; what a client or a card does wrong is a verdict instead.
public struct RunError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs.
    public enum Code: Hashable, Sendable {
        /// The client named cannot be started.
        case client
        /// The machine gives no socket, thread or process.
        case environment
        /// The client does not do the same each time, or fails, where nothing disturbs it.
        case baseline
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do next, a sentence.
    public let description: String

    /// Creates an error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
