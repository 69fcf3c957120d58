/// A single value of a document, kept as written.
///
/// Types are never guessed: `0003`, `no` and `1e10` stay as they are until a key determines how to read them.
public struct Scalar: Sendable {
    /// The way a scalar was written, and its representation in JSON.
    public enum Form: Hashable, Sendable {
        /// Unquoted YAML; a string in JSON.
        case plain
        /// Quoted YAML or JSON; a string in JSON.
        case quoted
        /// A YAML block after `|`; a string in JSON.
        case literal
        /// A JSON number; the text follows JSON's grammar.
        case number
        case boolean
        case null
    }

    /// The origin of the value of a `${params.…}`.
    public struct Definition: Hashable, Sendable {
        public let name: String
        /// The location of the parameter's value, or `nil` if a program or an option set it.
        public let range: SourceRange?
        /// A Boolean value that indicates whether there is a value; if not, the error was reported and the reference is still
        /// there.
        public let isFound: Bool
    }

    /// The text, with escapes resolved.
    public let text: String
    public let form: Form
    /// The location, including quotes, or `nil` if a program built the scalar.
    public let range: SourceRange?
    /// The parameter that supplied the value; ``range`` is then the location of the use.
    public let definition: Definition?

    public init(_ text: String, form: Form = .quoted, range: SourceRange? = nil) {
        self.init(text, form: form, range: range, definition: nil)
    }

    package init(_ text: String, form: Form, range: SourceRange?, definition: Definition?) {
        self.text = text
        self.form = form
        self.range = range
        self.definition = definition
    }

    /// The location of the text itself: the definition of the parameter if one supplied the value.
    package var written: SourceRange? {
        definition == nil ? range : definition?.range
    }

    /// A Boolean value that indicates whether the value is empty: null in JSON, or a YAML key without a value.
    public var isNothing: Bool {
        form == .null || form == .plain && text.isEmpty
    }
}

extension Scalar: Hashable {
    /// Returns whether both are the same text in the same form.
    public static func == (left: Scalar, right: Scalar) -> Bool {
        left.text == right.text && left.form == right.form
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(form)
    }
}

extension Scalar {
    /// The location of a part of the text in the file that contains it.
    ///
    /// Escapes and the indentation of blocks are taken into account. For a plain or quoted scalar that spans several lines,
    /// returns the location of the whole scalar.
    ///
    /// - Parameter part: Offsets into the Unicode scalars of ``text``.
    package func place(of part: Range<Int>) -> SourceRange? {
        guard let whole = written else { return nil }
        guard let places = ScalarPlaces(of: self, in: whole), let start = places.offset(of: part.lowerBound) else {
            return whole
        }
        guard let last = places.last(before: part.upperBound), last.end > start else {
            return SourceRange(whole.file, offset: start, length: 1)
        }
        return SourceRange(whole.file, offset: start, end: last.end)
    }
}

/// The characters of a file that produce each character of a scalar.
private struct ScalarPlaces {
    private var starts: [Int] = []
    private var ends: [Int] = []
    private let file: SourceFile

    init?(of scalar: Scalar, in whole: SourceRange) {
        file = whole.file
        guard whole.length > 0 else { return nil }
        let text = Array(scalar.text.unicodeScalars)
        if scalar.form == .literal {
            addBlock(text, in: whole)
        } else {
            let isOneLine = whole.end <= file.offsets(ofLine: whole.line).upperBound
            guard isOneLine else { return nil }
            addLine(in: whole)
        }
        guard starts.count >= text.count else { return nil }
    }

    func offset(of index: Int) -> Int? {
        if starts.indices.contains(index) { return starts[index] }
        return index == starts.count ? ends.last : nil
    }

    func last(before index: Int) -> (start: Int, end: Int)? {
        guard starts.indices.contains(index - 1) else { return nil }
        return (starts[index - 1], ends[index - 1])
    }

    private mutating func add(_ start: Int, length: Int) {
        starts.append(start)
        ends.append(start + length)
    }

    private mutating func addLine(in whole: SourceRange) {
        let quote = file.scalars[whole.offset]
        let isQuoted = quote == "\"" || quote == "'"
        var offset = whole.offset + (isQuoted ? 1 : 0)
        let end = whole.end - (isQuoted ? 1 : 0)
        while offset < end {
            let length = isQuoted ? unitLength(at: offset, quote: quote) : 1
            add(offset, length: min(length, end - offset))
            offset += length
        }
    }

    /// The number of characters that represent a single character between quotes.
    private func unitLength(at offset: Int, quote: Unicode.Scalar) -> Int {
        let next = offset + 1 < file.scalars.count ? file.scalars[offset + 1] : "\0"
        if quote == "'" { return file.scalars[offset] == "'" ? 2 : 1 }
        guard file.scalars[offset] == "\\" else { return 1 }
        switch next {
        case "x": return 4
        case "u": return isHighSurrogate(at: offset) ? 12 : 6
        case "U": return 10
        default: return 2
        }
    }

    /// Returns whether the escape at `offset` is the first half of a surrogate pair, which JSON uses beyond U+FFFF.
    private func isHighSurrogate(at offset: Int) -> Bool {
        guard offset + 3 < file.scalars.count else { return false }
        let isD = file.scalars[offset + 2] == "D" || file.scalars[offset + 2] == "d"
        return isD && ["8", "9", "A", "B", "a", "b"].contains(file.scalars[offset + 3])
    }

    /// Maps the lines of a block, which end like the lines of its text and start with indentation.
    private mutating func addBlock(_ text: [Unicode.Scalar], in whole: SourceRange) {
        var line = whole.line
        for content in text.split(separator: "\n", omittingEmptySubsequences: false) {
            line += 1
            let offsets = file.offsets(ofLine: line)
            let start = max(offsets.lowerBound, offsets.upperBound - content.count)
            for index in 0..<content.count { add(min(start + index, offsets.upperBound), length: 1) }
            add(offsets.upperBound, length: 1)
        }
    }
}
