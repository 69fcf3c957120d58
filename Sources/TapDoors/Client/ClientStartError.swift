/// Why a client could not be started.
public struct ClientStartError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs.
    public enum Code: Hashable, Sendable {
        /// There is no such program.
        case notFound
        /// There is such a file, but it cannot be run.
        case notExecutable
        /// The system gave no process, pipe or thread.
        case system
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do next, a sentence.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    init(_ error: SystemError) {
        self.init(.system, error.description)
    }
}
