/// A line of a scenario file.
public struct SourceReference: Hashable, Sendable, CustomStringConvertible {
    /// Path of the file as the user named it.
    public let file: String
    /// Number of the line, from 1.
    public let line: Int

    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// `file:line`.
    public var description: String { "\(file):\(line)" }
}
