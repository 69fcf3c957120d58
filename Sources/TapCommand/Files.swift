import TapDocument
import TapSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

enum InputFile {
    /// Reads a file, just past the size limit so that its reader refuses a longer one.
    static func load(
        _ path: String, upTo maximumBytes: Int = DocumentLimits.scenario.maximumBytes
    ) throws(VerbError) -> SourceFile {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw cannotRead(path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw VerbError(.usage, "\(path) is a folder; name the files in it")
        }
        do {
            let bytes = try FileContent.bytes(of: path, upTo: maximumBytes)
            return SourceFile(name: path, bytes: bytes)
        } catch {
            throw cannotRead(path)
        }
    }

    static func standardInput(
        upTo maximumBytes: Int = DocumentLimits.scenario.maximumBytes
    ) throws(VerbError) -> SourceFile {
        guard let bytes = FileContent.bytes(from: STDIN_FILENO, upTo: maximumBytes) else {
            throw VerbError(.usage, "\(SystemError("read standard input"))")
        }
        return SourceFile(name: "standard input", bytes: bytes)
    }

    private static func cannotRead(_ path: String) -> VerbError {
        let error = SystemError("read \(path)")
        guard error.errno == ENOENT else { return VerbError(.usage, "\(error)") }
        let start = path.hasPrefix("/") ? "" : "; paths begin at the working directory"
        return VerbError(.usage, "there is no file \(path)\(start)")
    }
}

struct LineInput {
    private var buffer: LineBuffer

    init(maximumLength: Int) {
        buffer = LineBuffer(maximumLength: maximumLength)
    }

    mutating func next() throws(VerbError) -> LineBuffer.Line? {
        while true {
            if let line = buffer.next() { return line }
            let bytes = try Self.receive()
            guard !bytes.isEmpty else { return buffer.rest() }
            buffer.append(bytes[...])
        }
    }

    private static func receive() throws(VerbError) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(STDIN_FILENO, &chunk, chunk.count)
            if count >= 0 { return Array(chunk.prefix(count)) }
            guard SystemError.currentErrno() == EINTR else {
                throw VerbError(.usage, "\(SystemError("read standard input"))")
            }
        }
    }
}
