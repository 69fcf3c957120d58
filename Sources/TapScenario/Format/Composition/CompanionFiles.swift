/// The files beside a scenario: those it includes, the one it extends, dumps of cards.
///
/// Loading does no input of its own. Whoever loads a file says how others are found, and keeps them inside the
/// scenario's root: a scenario may come from anybody, and what it names is shown in errors and read by clients.
public protocol CompanionFiles: Sendable {
    /// What tells a file from every other, however it was reached.
    ///
    /// - Parameter name: The name of a file that was loaded.
    func identity(of name: String) -> String

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path as it is written, relative to the folder of the file that names it.
    ///   - file: The name of the file that names it.
    ///   - maximumBytes: Most bytes; of a larger file at least one more is returned, so that it is seen to be too large.
    func open(
        _ path: String, namedIn file: String, maximumBytes: Int
    ) throws(CompanionFileProblem) -> CompanionFile

    /// What reads a document of a name.
    func reader(for name: String) -> any DocumentReader
}

/// A file that a scenario names.
public struct CompanionFile: Hashable, Sendable {
    /// What tells it from every other file, however it was reached.
    public let identity: String
    /// The name as errors show it.
    public let name: String
    /// The content.
    public let bytes: [UInt8]

    public init(identity: String, name: String, bytes: [UInt8]) {
        self.identity = identity
        self.name = name
        self.bytes = bytes
    }
}

/// Why a file that a scenario names is not read.
public struct CompanionFileProblem: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// There is none, or it cannot be read.
        case unreadable
        /// It lies outside the scenario's root.
        case outside
    }

    /// What is wrong.
    public let kind: Kind
    /// The reason, a sentence without a full stop that goes on after the path: `there is no such file`.
    public let reason: String
    public let hint: String

    public init(_ kind: Kind, _ reason: String, hint: String) {
        self.kind = kind
        self.reason = reason
        self.hint = hint
    }

    /// The error about the path, where it is written.
    func diagnostic(_ path: Scalar) -> Diagnostic {
        Diagnostic(
            kind == .outside ? .fileOutside : .fileUnreadable, "`\(path.text)` is not read: \(reason)", at: path,
            hint: hint)
    }
}
