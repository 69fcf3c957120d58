/// Why a case could not be run at all; what a client or a card does wrong is a verdict instead.
public struct RunError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The client named cannot be started.
        case client
        /// The machine gives no socket, thread or process.
        case environment
        /// The client does not do the same each time, or fails, where nothing disturbs it.
        case baseline
    }

    public let code: Code
    public let description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
