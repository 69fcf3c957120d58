extension Diagnostic {
    /// The diagnostic as a person reads it: code and message, file, line, the source line, a caret and the hint.
    ///
    /// ```
    /// error[S012]: unknown key `nmae`
    ///   suica.yaml:6:5
    /// 6 |   - nmae: tag lost between the two reads
    ///   |     ^^^^ a case has name, params, faults, timeline, expect, skip; did you mean `name`?
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
