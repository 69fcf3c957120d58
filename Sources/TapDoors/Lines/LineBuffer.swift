/// Cuts what a stream gives into lines, each as soon as it is whole.
public struct LineBuffer: Sendable {
    /// One line.
    public enum Line: Hashable, Sendable {
        /// A line of text without its end; what is not UTF-8 stands as U+FFFD.
        case text(String)
        /// A line that is longer than is taken; it was thrown away.
        case tooLong
    }

    private let maximumLength: Int
    private var line: [UInt8] = []
    private var isTooLong = false
    private var pending: ArraySlice<UInt8> = []

    /// Creates an empty buffer.
    ///
    /// - Parameter maximumLength: Longest line taken, in bytes; the rest of a longer one is thrown away as it comes.
    public init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// Takes what the stream gave, once ``next()`` has nothing more of what it gave before.
    public mutating func append(_ bytes: [UInt8]) {
        pending = pending.isEmpty ? bytes[...] : pending + bytes
    }

    /// The next whole line, or nothing until more bytes come.
    public mutating func next() -> Line? {
        guard !pending.isEmpty else { return nil }
        let end = pending.firstIndex(of: 0x0A)
        let piece = pending[..<(end ?? pending.endIndex)]
        isTooLong = isTooLong || line.count + piece.count > maximumLength
        if isTooLong { line = [] } else { line += piece }
        pending = end.map { pending[($0 + 1)...] } ?? []
        return end == nil ? nil : take()
    }

    /// What stands behind the last end of a line, at the end of the stream.
    public mutating func rest() -> Line? {
        line.isEmpty && !isTooLong ? nil : take()
    }

    private mutating func take() -> Line {
        defer {
            line = []
            isTooLong = false
        }
        if isTooLong { return .tooLong }
        if line.last == 0x0D { line.removeLast() }
        return .text(String(decoding: line, as: UTF8.self))
    }
}
