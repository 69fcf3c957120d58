/// A piece of a source file.
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

    /// Where the piece ends.
    public var end: Int { offset + length }

    /// The line it begins in, counted from 1.
    public var line: Int { file.line(at: offset) }

    /// The column it begins in, counted from 1 in characters; a tab is one.
    public var column: Int { offset - file.offsets(ofLine: line).lowerBound + 1 }

    /// The text of the piece.
    public var text: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: file.scalars[offset..<end])
        return String(text)
    }
}
