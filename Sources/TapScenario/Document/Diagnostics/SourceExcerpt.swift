import TapWire

/// The line of a range with a caret under it, fit for a terminal of any kind.
///
/// Tabs become blanks and characters that would move or hide text a replacement sign, so that what is shown cannot
/// lie and the caret stands where it should. Of a long line only the surroundings are shown.
struct SourceExcerpt {
    /// Columns a tab takes, wherever it stands.
    static let tabWidth = 4
    /// Most characters shown of a line, and how many of them before the range.
    static let longestLine = 160
    static let charactersBefore = 60

    private let range: SourceRange
    private let before: String
    private let marked: String
    private let after: String

    init(_ range: SourceRange) {
        self.range = range
        let line = range.file.offsets(ofLine: range.line)
        let start = min(range.offset, line.upperBound)
        let end = min(range.end, line.upperBound)
        var window = line
        if line.count > Self.longestLine {
            let first = max(line.lowerBound, min(start - Self.charactersBefore, line.upperBound - Self.longestLine))
            window = first..<min(first + Self.longestLine, line.upperBound)
        }
        let text = { (offsets: Range<Int>) in
            Self.visible(SourceRange(range.file, offset: offsets.lowerBound, end: offsets.upperBound).text)
        }
        let shownEnd = min(end, window.upperBound)
        before = (window.lowerBound > line.lowerBound ? "…" : "") + text(window.lowerBound..<start)
        marked = text(start..<shownEnd)
        after = text(shownEnd..<window.upperBound) + (window.upperBound < line.upperBound ? "…" : "")
    }

    /// The place, the line and the caret with its note.
    ///
    /// - Parameters:
    ///   - gutter: Width of the line numbers.
    ///   - note: What stands behind the caret.
    ///   - style: The colours.
    ///   - mark: The colour of caret and note.
    func lines(gutter: Int, note: String, _ style: TerminalStyle, mark: (String) -> String) -> [String] {
        let number = "\(range.line)"
        let numbered = number.leftPadded(to: gutter) + " |"
        let unnumbered = String(repeating: " ", count: gutter) + " |"
        let source = Self.trimmed(before + marked + after)
        let blanks = String(repeating: " ", count: DisplayWidth.of(before))
        let carets = String(repeating: "^", count: max(1, DisplayWidth.of(marked)))
        return [
            "  " + style.muted("\(Self.visible(range.file.name)):\(range.line):\(range.column)"),
            style.muted(numbered) + (source.isEmpty ? "" : " \(source)"),
            style.muted(unnumbered) + " " + blanks + mark(note.isEmpty ? carets : "\(carets) \(Self.visible(note))"),
        ]
    }

    /// Text as it may be shown: without tabs, controls and marks of direction.
    static func visible(_ text: String) -> String {
        PrintableText.visible(text).replacing("\t", with: String(repeating: " ", count: tabWidth))
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}
