/// The text of a file as it was read, cut into lines.
///
/// Nodes and diagnostics point into a source file; they share it, so that an error can show its line without reading
/// the file again. Offsets and columns count Unicode scalars, as YAML parsers do: what a person calls a character is
/// nearly always one, and the count does not change with the version of Unicode.
public final class SourceFile: Sendable {
    /// The name as errors show it, a path relative to where the command runs.
    public let name: String
    /// The bytes, without a byte order mark.
    public let bytes: [UInt8]
    /// Whether a byte order mark stood before the bytes.
    public let hasByteOrderMark: Bool
    /// The text; what is not UTF-8 stands as U+FFFD.
    public let scalars: [Unicode.Scalar]
    /// Offset of the first byte that is not UTF-8, or `nil` if all is.
    public let brokenOffset: Int?
    /// Offsets at which lines begin; a line ends with LF, CR or both.
    let lineStarts: [Int]

    /// Takes the bytes of a file; a UTF-8 byte order mark is left out.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        hasByteOrderMark = bytes.starts(with: Self.byteOrderMark)
        self.bytes = hasByteOrderMark ? Array(bytes.dropFirst(3)) : bytes
        (scalars, brokenOffset) = Self.decode(self.bytes)
        lineStarts = Self.lineStarts(scalars)
    }

    public convenience init(name: String, text: String) {
        self.init(name: name, bytes: Array(text.utf8))
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func decode(_ bytes: [UInt8]) -> ([Unicode.Scalar], brokenOffset: Int?) {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(bytes.count)
        var brokenOffset: Int?
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                scalars.append(scalar)
            case .error:
                brokenOffset = brokenOffset ?? scalars.count
                scalars.append("\u{FFFD}")
            case .emptyInput:
                return (scalars, brokenOffset)
            }
        }
    }

    private static func lineStarts(_ scalars: [Unicode.Scalar]) -> [Int] {
        var starts = [0]
        for offset in scalars.indices where scalars[offset] == "\n" || scalars[offset] == "\r" {
            let isFirstOfPair = scalars[offset] == "\r" && offset + 1 < scalars.count && scalars[offset + 1] == "\n"
            if !isFirstOfPair { starts.append(offset + 1) }
        }
        return starts
    }
}

extension SourceFile {
    /// Number of lines; a line break at the end begins one more, which is empty.
    public var lineCount: Int { lineStarts.count }

    /// The number of the line an offset lies in, counted from 1.
    public func line(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// The offsets of a line without its break; empty beyond the last line.
    public func offsets(ofLine line: Int) -> Range<Int> {
        guard line >= 1, line <= lineStarts.count else { return scalars.count..<scalars.count }
        let start = lineStarts[line - 1]
        var end = line < lineStarts.count ? lineStarts[line] : scalars.count
        while end > start, scalars[end - 1] == "\n" || scalars[end - 1] == "\r" { end -= 1 }
        return start..<end
    }

    /// A line without its break.
    public func text(ofLine line: Int) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[offsets(ofLine: line)])
        return String(text)
    }

    /// The offset of the character that a byte belongs to.
    public func offset(ofByte byte: Int) -> Int {
        let isContinuation = { (value: UInt8) in value & 0xC0 == 0x80 }
        return bytes.prefix(max(0, byte)).count { !isContinuation($0) }
    }

    /// The offset just behind the last character that is not blank, where a text that ends too early ends.
    public var endOfText: Int {
        (scalars.lastIndex { !$0.properties.isWhitespace } ?? -1) + 1
    }

    /// The place of the character at an offset; behind the last one that is not blank, an empty place there.
    public func character(at offset: Int) -> SourceRange {
        let end = endOfText
        return SourceRange(self, offset: min(offset, end), length: offset < end ? 1 : 0)
    }
}

extension SourceFile: Hashable {
    public static func == (left: SourceFile, right: SourceFile) -> Bool {
        left === right || left.name == right.name && left.bytes == right.bytes
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}

public struct SourceRange: Hashable, Sendable {
    public let file: SourceFile
    /// Where the piece begins, in characters from the beginning of the file.
    public let offset: Int
    /// Number of characters, line breaks included.
    public let length: Int

    /// Marks a piece; what lies outside the file is cut off.
    public init(_ file: SourceFile, offset: Int, length: Int) {
        self.file = file
        self.offset = max(0, min(offset, file.scalars.count))
        self.length = max(0, min(length, file.scalars.count - self.offset))
    }

    /// Marks the piece from `offset` up to but not including `end`.
    public init(_ file: SourceFile, offset: Int, end: Int) {
        self.init(file, offset: offset, length: end - offset)
    }

    public var end: Int { offset + length }

    /// The line it begins in, counted from 1.
    public var line: Int { file.line(at: offset) }

    /// The column it begins in, counted from 1 in characters; a tab is one.
    public var column: Int { offset - file.offsets(ofLine: line).lowerBound + 1 }

    public var text: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: file.scalars[offset..<end])
        return String(text)
    }
}
