/// What a file says beside its values: comments and blank lines, in the order of the file.
///
/// Readers of YAML leave them out. They are found again in the gaps between scalars, where a `#` can be nothing else.
struct SourceRemarks {
    private struct Found {
        let offset: Int
        let line: Int
        let column: Int
        /// The comment from its `#` on, or nothing for a blank line.
        let text: String?
        /// Whether nothing stands before it on its line.
        let isAlone: Bool
    }

    private let file: SourceFile
    private var found: [Found] = []
    private var next = 0

    /// Finds what stands between the scalars of a tree that was read from the file.
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

    /// The comments, in the order of the alphabet.
    var sortedTexts: [String] { found.compactMap(\.text).sorted() }

    private static func scalars(of node: Node) -> [Scalar] {
        switch node {
        case .scalar(let scalar): [scalar]
        case .list(let list): list.items.flatMap(scalars)
        case .map(let map): map.entries.flatMap { [$0.key] + scalars(of: $0.value) }
        }
    }

    /// Line breaks of YAML 1.1, which libyaml follows.
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
        // What follows the last line break is no line.
        for line in 1..<max(1, file.lineCount) {
            let offsets = file.offsets(ofLine: line)
            guard file.scalars[offsets].allSatisfy(\.properties.isWhitespace) else { continue }
            while index < ranges.count, ranges[index].end <= offsets.lowerBound { index += 1 }
            if index < ranges.count, ranges[index].offset < offsets.lowerBound { continue }
            found.append(Found(offset: offsets.lowerBound, line: line, column: 1, text: nil, isAlone: true))
        }
    }

    // MARK: Taking them one after the other

    /// Takes all that stands before an offset, each on a line of its own.
    mutating func lines(before offset: Int) -> [Layout.Line] {
        var lines: [Layout.Line] = []
        while next < found.count, found[next].offset < offset {
            lines.append(found[next].text.map(Layout.Line.comment) ?? .blank)
            next += 1
        }
        return lines
    }

    /// Takes the comment that stands behind something on a line and before an offset.
    mutating func remark(onLine line: Int, before offset: Int) -> Layout.Remark? {
        guard next < found.count, found[next].line == line, found[next].offset < offset else { return nil }
        return takeRemark()
    }

    /// Takes the comment behind the end of a value, if nothing but commas stands between.
    mutating func remark(behind end: Int) -> Layout.Remark? {
        guard next < found.count, found[next].offset >= end, found[next].line == file.line(at: max(0, end - 1)) else {
            return nil
        }
        let between = file.scalars[end..<found[next].offset]
        return between.allSatisfy { $0 == " " || $0 == "\t" || $0 == "," } ? takeRemark() : nil
    }

    /// Takes the comments below a group that stand at least as far in as its entries do, and the blanks among them.
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
