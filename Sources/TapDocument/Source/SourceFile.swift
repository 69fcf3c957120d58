/// The text of a file, divided into lines.
///
/// Nodes and diagnostics share a reference to their source file, so that an error can show its line without reading the file
/// again. Offsets and columns count Unicode scalars, as YAML parsers do: a scalar nearly always is what a person calls a
/// character, and the count does not depend on the Unicode version.
public final class SourceFile: Sendable {
    /// The name in errors: a path relative to the working directory of the command.
    public let name: String
    /// The bytes, without a byte order mark.
    public let bytes: [UInt8]
    /// A Boolean value that indicates whether the file began with a byte order mark.
    public let hasByteOrderMark: Bool
    /// The text, with U+FFFD in place of invalid UTF-8.
    public let scalars: [Unicode.Scalar]
    /// The offset of the first byte that is not UTF-8, or `nil` if all bytes are.
    public let brokenOffset: Int?
    /// The offsets of line beginnings; a line ends with LF, CR or both.
    let lineStarts: [Int]

    /// Creates a file from its bytes, without a UTF-8 byte order mark.
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
    /// The number of lines; a trailing line break begins another, empty line.
    public var lineCount: Int { lineStarts.count }

    /// The number of the line that contains an offset, counted from 1.
    public func line(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// The offsets of a line without its line break; empty beyond the last line.
    public func offsets(ofLine line: Int) -> Range<Int> {
        guard line >= 1, line <= lineStarts.count else { return scalars.count..<scalars.count }
        let start = lineStarts[line - 1]
        var end = line < lineStarts.count ? lineStarts[line] : scalars.count
        while end > start, scalars[end - 1] == "\n" || scalars[end - 1] == "\r" { end -= 1 }
        return start..<end
    }

    public func text(ofLine line: Int) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[offsets(ofLine: line)])
        return String(text)
    }

    /// The offset of the character that contains a byte.
    public func offset(ofByte byte: Int) -> Int {
        let isContinuation = { (value: UInt8) in value & 0xC0 == 0x80 }
        return bytes.prefix(max(0, byte)).count { !isContinuation($0) }
    }

    /// The offset after the last character that is not blank, which is where a truncated text ends.
    public var endOfText: Int {
        (scalars.lastIndex { !$0.properties.isWhitespace } ?? -1) + 1
    }

    /// The range of the character at an offset; after the last nonblank character, an empty range at the end.
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
    /// The offset of the beginning, in characters.
    public let offset: Int
    /// The number of characters, including line breaks.
    public let length: Int

    /// Creates a range, clipped to the file.
    public init(_ file: SourceFile, offset: Int, length: Int) {
        self.file = file
        self.offset = max(0, min(offset, file.scalars.count))
        self.length = max(0, min(length, file.scalars.count - self.offset))
    }

    /// Creates a range from `offset` up to but not including `end`.
    public init(_ file: SourceFile, offset: Int, end: Int) {
        self.init(file, offset: offset, length: end - offset)
    }

    public var end: Int { offset + length }

    /// The number of the first line, counted from 1.
    public var line: Int { file.line(at: offset) }

    /// The column of the beginning in characters, counted from 1; a tab counts as one.
    public var column: Int { offset - file.offsets(ofLine: line).lowerBound + 1 }

    public var text: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: file.scalars[offset..<end])
        return String(text)
    }
}
