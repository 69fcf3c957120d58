import TapDocument
import TapSystem

/// The surroundings of a verb: its output, folder, environment and input.
package struct CommandContext: Sendable {
    package var console: Console
    package let surroundings: Surroundings
    package let input: StandardInput

    package init(console: Console, surroundings: Surroundings, input: StandardInput) {
        self.console = console
        self.surroundings = surroundings
        self.input = input
    }

    /// The context for messages about an output file: if the file is standard output itself, messages go to standard error.
    func alongside(_ output: String?) -> CommandContext {
        guard let output, (try? OutputTarget(output, in: folder))?.isStandardOutput == true else { return self }
        var copy = self
        copy.console = console.onError
        return copy
    }

    /// The folder that relative paths start from.
    var folder: WorkingFolder { surroundings.folder }
}

/// The standard input of the command.
package struct StandardInput: Sendable {
    private let next: @Sendable () throws(SystemError) -> [UInt8]

    /// - Parameter next: Waits for bytes and returns them, or none at the end.
    package init(_ next: @escaping @Sendable () throws(SystemError) -> [UInt8]) {
        self.next = next
    }

    /// Reads the next bytes; none at the end.
    func bytes() throws(VerbError) -> [UInt8] {
        do { return try next() } catch { throw VerbError(.usage, "\(error)") }
    }

    /// Reads the remaining bytes, up to slightly more than `limit`.
    func rest(upTo limit: Int = DocumentLimits.scenario.maximumBytes) throws(VerbError) -> SourceFile {
        var all: [UInt8] = []
        while all.count <= limit {
            let bytes = try bytes()
            if bytes.isEmpty { break }
            all += bytes
        }
        return SourceFile(name: "standard input", bytes: all)
    }
}

/// The lines of standard input.
struct LineInput {
    private let input: StandardInput
    private var buffer: LineBuffer

    init(_ input: StandardInput, maximumLength: Int) {
        self.input = input
        buffer = LineBuffer(maximumLength: maximumLength)
    }

    mutating func next() throws(VerbError) -> LineBuffer.Line? {
        while true {
            if let line = buffer.next() { return line }
            let bytes = try input.bytes()
            guard !bytes.isEmpty else { return buffer.rest() }
            buffer.append(bytes[...])
        }
    }
}
