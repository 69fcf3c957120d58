#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Cuts what a stream gives into lines, each as soon as it is whole.
public struct LineBuffer: Sendable {
    /// One line.
    public enum Line: Hashable, Sendable {
        /// The bytes of a line without its end.
        case whole(ArraySlice<UInt8>)
        /// A line that is longer than is taken; it was thrown away.
        case tooLong

        /// The line as text, in which what is not UTF-8 stands as U+FFFD; nothing for a line that is too long.
        public var text: String? {
            guard case .whole(let bytes) = self else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private let maximumLength: Int
    /// What has come of a line whose end has not.
    private var beginning: [UInt8] = []
    private var isTooLong = false
    /// What the stream gave, until the last line of it is taken.
    private var pending: ArraySlice<UInt8> = []
    /// Where in there the line begins that comes next.
    private var position = 0

    /// Creates an empty buffer.
    ///
    /// - Parameter maximumLength: Longest line taken, in bytes; the rest of a longer one is thrown away as it comes.
    public init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// Whether a line has begun and not ended.
    public var isInsideLine: Bool { !beginning.isEmpty || isTooLong }

    /// Takes what the stream gave, once ``next()`` has nothing more of what it gave before.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        pending = position == pending.endIndex ? bytes : pending[position...] + bytes
        position = pending.startIndex
    }

    /// The next whole line, or nothing until more bytes come.
    ///
    /// A line that came in one piece is a slice of that piece: it is not copied.
    public mutating func next() -> Line? {
        guard position < pending.endIndex else {
            // Even an empty slice would hold the memory of whoever gave it.
            pending = []
            position = pending.endIndex
            return nil
        }
        guard let end = endOfLine() else {
            keep(pending[position...])
            position = pending.endIndex
            return next()
        }
        let piece = pending[position..<end]
        position = end + 1
        guard isInsideLine else { return line(of: piece) }
        keep(piece)
        return rest()
    }

    /// Where the line that comes next ends; the C library looks at many bytes at once.
    @inline(__always)
    private func endOfLine() -> Int? {
        let offset = position - pending.startIndex
        let length = unsafe pending.withUnsafeBytes { bytes -> Int? in
            guard let start = unsafe bytes.baseAddress.map({ unsafe $0 + offset }),
                let end = unsafe memchr(start, Int32(UInt8(ascii: "\n")), bytes.count - offset)
            else { return nil }
            return unsafe UnsafeRawPointer(end) - start
        }
        return length.map { position + $0 }
    }

    /// What stands behind the last end of a line, at the end of the stream.
    public mutating func rest() -> Line? {
        guard isInsideLine else { return nil }
        defer {
            beginning = []
            isTooLong = false
        }
        return isTooLong ? .tooLong : line(of: beginning[...])
    }

    private mutating func keep(_ piece: ArraySlice<UInt8>) {
        isTooLong = isTooLong || beginning.count + piece.count > maximumLength
        if isTooLong { beginning = [] } else { beginning += piece }
    }

    @inline(__always)
    private func line(of bytes: consuming ArraySlice<UInt8>) -> Line {
        guard bytes.count <= maximumLength else { return .tooLong }
        return .whole(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
    }
}
