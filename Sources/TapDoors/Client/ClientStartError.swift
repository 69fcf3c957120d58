/// Why a client could not be started.
public struct ClientStartError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// There is no such program.
        case notFound
        /// There is such a file, but it cannot be run.
        case notExecutable
        /// The system gave no process, pipe or thread.
        case system
    }

    public let code: Code
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    init(_ error: SystemError) {
        self.init(.system, error.description)
    }
}
