/// A formatter that rewrites scenario files in a uniform style without changing their meaning.
///
/// It puts keys in the order of their tables and indents each level by two blanks. Bracketed maps and lists stay bracketed if
/// they fit on a line of 120 columns. Bytes and codes are written in upper case and in quotes. Values that other YAML readers
/// would mistake for a number, a date, null, true or false are quoted; other quotes are removed if the key does not expect
/// text. Comments and single blank lines stay above what they precede; comments after values keep their columns.
public struct DocumentFormatter: Sendable {
    private let reader: any DocumentReader
    private let shape: Shape

    public init(reader: any DocumentReader, table: KeyTable) {
        self.reader = reader
        shape = .map(table)
    }

    /// Formats a file.
    ///
    /// Line breaks follow the first line, and a byte order mark is removed. The result is parsed again and compared with the
    /// original, so that nothing is lost, whatever the file looks like.
    ///
    /// - Parameter diagnostics: Receives all errors and warnings of the reader.
    /// - Returns: The text, or `nil` if the file has structural errors or is not a map.
    /// - Throws: ``FormattingError`` if the result would have another meaning.
    public func text(
        of file: SourceFile, into diagnostics: inout Diagnostics
    ) throws(FormattingError) -> String? {
        var found = Diagnostics()
        let root = reader.read(file, into: &found)
        for diagnostic in found.found { diagnostics.report(diagnostic) }
        guard let root, !found.hasErrors, root.kind == .map else { return nil }
        var builder = LayoutBuilder(file, root: root)
        let lines = LayoutPrinter.lines(of: builder.layout(of: root, shape))
        let lineBreak = Self.lineBreak(of: file)
        let text = lines.map { $0.replacing("\n", with: lineBreak) + lineBreak }.joined()
        try compare(file, root, text)
        return text
    }

    /// Formats a document that a program built.
    public static func text(
        of document: Node, comments: [String] = [], table: KeyTable
    ) -> String {
        // Ranges into other sources, such as a command line, do not apply to this text.
        let document = document.withoutPlaces
        var builder = LayoutBuilder(SourceFile(name: "", text: ""), root: document)
        var layout = builder.layout(of: document, .map(table))
        if case .group(var group) = layout.root, !group.entries.isEmpty {
            group.entries[0].above = comments.map { Layout.Line.comment($0.isEmpty ? "#" : "# \($0)") }
            layout.root = .group(group)
        }
        return LayoutPrinter.lines(of: layout).map { $0 + "\n" }.joined()
    }

    /// The line break after the first line.
    private static func lineBreak(of file: SourceFile) -> String {
        let end = file.offsets(ofLine: 1).upperBound
        return file.scalars[end...].starts(with: ["\r", "\n"]) ? "\r\n" : "\n"
    }

    /// Parses the text again and compares values and comments.
    private func compare(_ file: SourceFile, _ root: Node, _ text: String) throws(FormattingError) {
        var diagnostics = Diagnostics()
        let copy = SourceFile(name: file.name, text: text)
        guard let node = reader.read(copy, into: &diagnostics), !diagnostics.hasErrors else {
            throw FormattingError(file: file.name, place: diagnostics.sorted.first?.message ?? "the result is empty")
        }
        if let place = Sameness.difference(root, node, shape, at: "") {
            throw FormattingError(file: file.name, place: "`\(place)` would change")
        }
        let comments = SourceRemarks(of: file, around: root).sortedTexts
        guard comments == SourceRemarks(of: copy, around: node).sortedTexts else {
            throw FormattingError(file: file.name, place: "a comment would be lost")
        }
    }
}

extension Node {
    fileprivate var withoutPlaces: Node {
        switch self {
        case .scalar(let scalar): .scalar(Scalar(scalar.text, form: scalar.form))
        case .list(let list): .list(list.items.map(\.withoutPlaces))
        case .map(let map): .map(map.entries.map { (key: $0.key.text, value: $0.value.withoutPlaces) })
        }
    }
}

/// The reason why a file is not reformatted: the result would have another meaning.
public struct FormattingError: Error, Hashable, Sendable, CustomStringConvertible {
    public let file: String
    public let place: String

    /// The problem and its remedy in one sentence.
    public var description: String {
        "\(file) is unchanged, because formatting would change its meaning (\(place)); "
            + "this is a bug in TapSim, please report it with the file"
    }
}

/// A comparison of two trees that ignores style.
private enum Sameness {
    /// The path of keys and numbers to the first difference between two trees, or `nil` if they have the same meaning.
    ///
    /// Keys of tables may come in any order. Quotes matter if a value is free or its form matters.
    static func difference(_ left: Node, _ right: Node, _ shape: Shape, at path: String) -> String? {
        let shape = shape.variant(for: left.kind) ?? .free
        switch (left, right) {
        case (.scalar(let left), .scalar(let right)):
            return areSame(left, right, shape) ? nil : path
        case (.list(let left), .list(let right)):
            guard left.items.count == right.items.count else { return path }
            var item = Shape.free
            if case .items(let inner, _) = shape { item = inner }
            return zip(left.items, right.items).enumerated().lazy.compactMap { index, pair in
                difference(pair.0, pair.1, item, at: "\(path)/\(index)")
            }.first
        case (.map(let left), .map(let right)):
            return difference(left, right, shape, at: path)
        default:
            return path
        }
    }

    private static func difference(_ left: NodeMap, _ right: NodeMap, _ shape: Shape, at path: String) -> String? {
        guard left.entries.count == right.entries.count else { return path }
        for (index, entry) in left.entries.enumerated() {
            let below = "\(path)/\(entry.key.text)"
            var other = right.entries[index]
            var value = Shape.free
            switch shape {
            case .table(let table):
                guard let found = right.entry(entry.key.text) else { return below }
                other = found
                value = table().key(entry.key.text)?.shape ?? .free
            case .named(let names, let values) where !entry.key.text.hasPrefix(KeyTable.freePrefix):
                guard areSame(entry.key, other.key, .scalar(names)) else { return below }
                value = values
            default:
                guard entry.key.text == other.key.text else { return below }
            }
            if let place = difference(entry.value, other.value, value, at: below) { return place }
        }
        return nil
    }

    private static func areSame(_ left: Scalar, _ right: Scalar, _ shape: Shape) -> Bool {
        guard left.isNothing == right.isNothing else { return false }
        guard case .scalar(let rule) = shape else { return left.text == right.text && haveSameQuotes(left, right) }
        let reading = Layout.Word.Reading.rule(rule)
        let isSame =
            WordSpelling.text(of: .init(scalar: left, reading: reading))
            == WordSpelling.text(of: .init(scalar: right, reading: reading))
        return isSame && (!(rule is ValueRule) || haveSameQuotes(left, right))
    }

    /// Returns whether both or neither are unquoted, if that distinguishes text from other values.
    private static func haveSameQuotes(_ left: Scalar, _ right: Scalar) -> Bool {
        (left.form == .plain) == (right.form == .plain) || ForeignReading(of: left.text) == .text
    }
}

/// The parts of a file besides its values, namely comments and blank lines, in the order of the file.
///
/// YAML readers discard them. This type finds them in the gaps between scalars, where a `#` always starts a comment.
struct SourceRemarks {
    private struct Found {
        let offset: Int
        let line: Int
        let column: Int
        /// The comment starting with its `#`, or `nil` for a blank line.
        let text: String?
        /// A Boolean value that indicates whether it is alone on its line.
        let isAlone: Bool
    }

    private let file: SourceFile
    private var found: [Found] = []
    private var next = 0

    /// Finds the remarks between the scalars of a tree that was read from the file.
    init(of file: SourceFile, around root: Node) {
        self.file = file
        let ranges = Self.scalars(of: root).compactMap(\.range)
        var gap = 0
        for range in ranges {
            addComments(in: gap..<max(gap, range.offset))
            if file.scalars.indices.contains(range.offset), file.scalars[range.offset] == "|" {
                addComments(in: range.offset..<min(range.end, file.offsets(ofLine: range.line).upperBound))
            }
            gap = max(gap, range.end)
        }
        addComments(in: gap..<max(gap, file.scalars.count))
        addBlankLines(outside: ranges)
        found.sort { $0.offset < $1.offset }
    }

    var sortedTexts: [String] { found.compactMap(\.text).sorted() }

    private static func scalars(of node: Node) -> [Scalar] {
        switch node {
        case .scalar(let scalar): [scalar]
        case .list(let list): list.items.flatMap(scalars)
        case .map(let map): map.entries.flatMap { [$0.key] + scalars(of: $0.value) }
        }
    }

    /// The line breaks of YAML 1.1, which libyaml follows.
    private static let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]

    private mutating func addComments(in gap: Range<Int>) {
        var offset = gap.lowerBound
        while let start = file.scalars[min(offset, gap.upperBound)..<gap.upperBound].firstIndex(of: "#") {
            let end = file.scalars[start..<gap.upperBound].firstIndex { Self.breaks.contains($0) } ?? gap.upperBound
            let line = file.line(at: start)
            let lineStart = file.offsets(ofLine: line).lowerBound
            var text = String.UnicodeScalarView()
            text.append(contentsOf: file.scalars[start..<end])
            while let last = text.last, last.properties.isWhitespace { text.removeLast() }
            found.append(
                Found(
                    offset: start, line: line, column: start - lineStart + 1, text: String(text),
                    isAlone: file.scalars[lineStart..<start].allSatisfy(\.properties.isWhitespace)))
            offset = end
        }
    }

    private mutating func addBlankLines(outside ranges: [SourceRange]) {
        var index = 0
        // There is no line after the last line break.
        for line in 1..<max(1, file.lineCount) {
            let offsets = file.offsets(ofLine: line)
            guard file.scalars[offsets].allSatisfy(\.properties.isWhitespace) else { continue }
            while index < ranges.count, ranges[index].end <= offsets.lowerBound { index += 1 }
            if index < ranges.count, ranges[index].offset < offsets.lowerBound { continue }
            found.append(Found(offset: offsets.lowerBound, line: line, column: 1, text: nil, isAlone: true))
        }
    }

    // MARK: Taking them one after the other

    /// Removes and returns the comments and blank lines before an offset that are alone on their lines.
    mutating func lines(before offset: Int) -> [Layout.Line] {
        var lines: [Layout.Line] = []
        while next < found.count, found[next].offset < offset {
            lines.append(found[next].text.map(Layout.Line.comment) ?? .blank)
            next += 1
        }
        return lines
    }

    /// Removes and returns the comment at the end of a line and before an offset.
    mutating func remark(onLine line: Int, before offset: Int) -> Layout.Remark? {
        guard next < found.count, found[next].line == line, found[next].offset < offset else { return nil }
        return takeRemark()
    }

    /// Removes and returns the comment after the end of a value, if only commas are in between.
    mutating func remark(after end: Int) -> Layout.Remark? {
        guard next < found.count, found[next].offset >= end, found[next].line == file.line(at: max(0, end - 1)) else {
            return nil
        }
        let between = file.scalars[end..<found[next].offset]
        return between.allSatisfy { $0 == " " || $0 == "\t" || $0 == "," } ? takeRemark() : nil
    }

    /// Removes and returns the comments under a group that are indented at least as far as its entries, with blank lines in
    /// between.
    mutating func lines(fromColumn column: Int, before offset: Int) -> [Layout.Line] {
        var lines: [Layout.Line] = []
        var blanks: [Layout.Line] = []
        var last = next
        for index in next..<found.count where last <= index {
            guard found[index].offset < offset else { break }
            guard let text = found[index].text else {
                blanks.append(.blank)
                last = index
                continue
            }
            guard found[index].isAlone, found[index].column >= column else { break }
            lines += blanks + [.comment(text)]
            blanks = []
            next = index + 1
            last = index
        }
        return lines
    }

    private mutating func takeRemark() -> Layout.Remark? {
        guard let text = found[next].text, !found[next].isAlone else { return nil }
        defer { next += 1 }
        return Layout.Remark(text: text, column: found[next].column)
    }
}
