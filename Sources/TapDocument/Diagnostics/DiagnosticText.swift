import TapWire

extension Diagnostic {
    /// The diagnostic as text for people: code and message, file, line, source line, caret and hint.
    ///
    /// ```
    /// error[S012]: unknown key `nmae`
    ///   suica.yaml:6:5
    /// 6 |   - nmae: tag lost between the two reads
    ///   |     ^^^^ did you mean `name`? a case has name, params, faults, timeline, expect, skip
    /// ```
    ///
    /// - Parameter colour: Whether to use the colours of a terminal.
    public func text(colour: Bool = false) -> String {
        let style = TerminalStyle(isOn: colour)
        let title = ": " + SourceExcerpt.visible(message)
        var lines = [style.severity("\(severity.rawValue)[\(code.rawValue)]", severity) + style.bold(title)]
        guard let range = place.range else {
            if let file = place.file { lines.append("  " + style.muted(SourceExcerpt.visible(file.name))) }
            if !hint.isEmpty { lines.append("  " + style.severity(SourceExcerpt.visible(hint), severity)) }
            return lines.joined(separator: "\n")
        }
        let gutter = ([range] + related.map(\.range)).map { "\($0.line)".count }.max() ?? 1
        lines += SourceExcerpt(range).lines(gutter: gutter, note: hint, style) { style.severity($0, severity) }
        for other in related {
            lines += SourceExcerpt(other.range).lines(gutter: gutter, note: other.message, style, mark: style.muted)
        }
        return lines.joined(separator: "\n")
    }
}

/// A source line with a caret under a range, safe for any terminal.
///
/// Tabs become blanks, and characters that would move or hide text become a replacement sign, so the excerpt cannot mislead
/// and the caret is at the right column. Of a long line, only the part around the range is shown.
package struct SourceExcerpt {
    /// The number of columns for a tab, regardless of its position.
    static let tabWidth = 4
    /// The maximum number of characters shown of a line, and of those before the range.
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

    /// The location, the source line, and the caret with its note.
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

    /// The displayable form of a text, without tabs, control characters and direction marks.
    package static func visible(_ text: String) -> String {
        PrintableText.visible(text).replacing("\t", with: String(repeating: " ", count: tabWidth))
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}

/// The colours of terminal text, as ECMA-48 "select graphic rendition" codes.
public struct TerminalStyle: Hashable, Sendable {
    /// A Boolean value that indicates whether colours are used.
    public let isOn: Bool

    public init(isOn: Bool) {
        self.isOn = isOn
    }

    public static let plain = TerminalStyle(isOn: false)

    /// Text that names an error or a warning.
    public func severity(_ text: String, _ severity: Severity) -> String {
        wrap(text, severity == .error ? Self.codes.error : Self.codes.warning)
    }

    public func success(_ text: String) -> String { wrap(text, Self.codes.success) }

    public func bold(_ text: String) -> String { wrap(text, Self.codes.bold) }

    public func muted(_ text: String) -> String { wrap(text, Self.codes.muted) }

    /// The displayable form of a text of one or more lines, in which only this style's colours control the terminal.
    ///
    /// Other harmful characters become U+FFFD, so that names, arguments, files and cards cannot hide anything.
    public func visible(_ text: String) -> String {
        guard text.utf8.contains(where: { !(0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\n") }) else {
            return text
        }
        var rest = text.unicodeScalars[...]
        var visible = String.UnicodeScalarView()
        while let scalar = rest.first {
            if isOn, let sequence = Self.sequences.first(where: { rest.starts(with: $0) }) {
                visible += sequence
                rest = rest.dropFirst(sequence.count)
            } else {
                visible.append(scalar == "\n" ? scalar : PrintableText.visible(scalar))
                rest = rest.dropFirst()
            }
        }
        return String(visible)
    }

    private static let codes = (error: "1;31", warning: "1;33", success: "32", bold: "1", muted: "34", end: "0")

    /// All sequences that ``wrap(_:_:)`` adds.
    private static let sequences = [codes.error, codes.warning, codes.success, codes.bold, codes.muted, codes.end]
        .map { sequence($0).unicodeScalars }

    private static func sequence(_ code: String) -> String { "\u{1B}[\(code)m" }

    private func wrap(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? Self.sequence(code) + text + Self.sequence(Self.codes.end) : text
    }
}

/// The number of terminal columns that a text takes.
///
/// Source: Unicode Standard Annex #11, "East Asian Width", wide and fullwidth characters by block; combining marks take no
/// column.
package enum DisplayWidth {
    package static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    private static func width(of character: Character) -> Int {
        character.unicodeScalars.reduce(0) { max($0, width(of: $1)) }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return wideBlocks.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F,
        0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
