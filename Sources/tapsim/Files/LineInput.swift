import TapDoors

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Lines from standard input, each as soon as it is there.
struct LineInput {
    private var buffer: LineBuffer

    /// Reads lines that are at most so long, in bytes.
    init(maximumLength: Int) {
        buffer = LineBuffer(maximumLength: maximumLength)
    }

    /// The next line, or nothing at the end of the input.
    ///
    /// - Throws: ``VerbError`` if standard input cannot be read.
    mutating func next() throws(VerbError) -> LineBuffer.Line? {
        while true {
            if let line = buffer.next() { return line }
            let bytes = try Self.receive()
            guard !bytes.isEmpty else { return buffer.rest() }
            buffer.append(bytes[...])
        }
    }

    /// Waits for more bytes; none at the end of the input.
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
