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
    /// Longest line taken, in bytes; the rest of a longer one is thrown away.
    static let maximumLength = 1 << 14

    /// One line.
    enum Line {
        /// A line of text; what is not UTF-8 stands as U+FFFD.
        case text(String)
        /// A line over ``LineInput/maximumLength``.
        case tooLong
    }

    private var buffered: ArraySlice<UInt8> = []
    private var isAtEnd = false

    /// The next line, or nothing at the end of the input.
    ///
    /// - Throws: ``VerbError`` if standard input cannot be read.
    mutating func next() throws(VerbError) -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            if buffered.isEmpty, try !fill() {
                guard !line.isEmpty || isTooLong else { return nil }
                break
            }
            let end = buffered.firstIndex(of: 0x0A)
            let piece = buffered[..<(end ?? buffered.endIndex)]
            isTooLong = isTooLong || line.count + piece.count > Self.maximumLength
            if !isTooLong { line += piece }
            buffered = end.map { buffered[($0 + 1)...] } ?? []
            if end != nil { break }
        }
        if line.last == 0x0D { line.removeLast() }
        return isTooLong ? .tooLong : .text(String(decoding: line, as: UTF8.self))
    }

    /// Waits for more bytes; tells whether there were any.
    private mutating func fill() throws(VerbError) -> Bool {
        guard !isAtEnd else { return false }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0 {
                if SystemError.currentErrno() == EINTR { continue }
                throw VerbError(.usage, "\(SystemError("read standard input"))")
            }
            isAtEnd = count == 0
            buffered = chunk.prefix(count)
            return count > 0
        }
    }
}
