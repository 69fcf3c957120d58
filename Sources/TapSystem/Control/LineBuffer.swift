#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Splits a stream into lines, each as soon as it is complete.
public struct LineBuffer: Sendable {
    public enum Line: Hashable, Sendable {
        /// The bytes of a line without its line break.
        case whole(ArraySlice<UInt8>)
        /// A line longer than the maximum, which was dropped.
        case tooLong

        /// The line as text, with U+FFFD for invalid UTF-8; `nil` for a line that is too long.
        public var text: String? {
            guard case .whole(let bytes) = self else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private let maximumLength: Int
    private var beginning: [UInt8] = []
    /// A Boolean value that indicates whether the unfinished line is longer than the maximum.
    public private(set) var isTooLong = false
    /// The bytes of the stream not yet taken as lines.
    private var pending: ArraySlice<UInt8> = []
    /// The start of the next line in `pending`.
    private var position = 0

    /// - Parameter maximumLength: The maximum length of a line in bytes; a longer line is dropped as it arrives.
    public init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// A Boolean value that indicates whether a line has started and not ended.
    public var isInsideLine: Bool { !beginning.isEmpty || isTooLong }

    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        pending = position == pending.endIndex ? bytes : pending[position...] + bytes
        position = pending.startIndex
    }

    /// Returns the next whole line, not copied if it arrived in one piece; `nil` until more bytes arrive.
    public mutating func next() -> Line? {
        guard position < pending.endIndex else {
            // Even an empty slice would keep the caller's memory alive.
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

    /// Returns the end of the next line; `memchr` checks many bytes at once.
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

    /// Returns the unfinished last line, at the end of the stream.
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
