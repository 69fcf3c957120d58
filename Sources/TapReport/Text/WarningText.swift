import TapScenario
import TapWire

/// A warning as a person reads it, below the line of a case.
public struct WarningText {
    private static let indent = "        "

    private let warning: Warning
    private let style: TerminalStyle

    /// Creates the text of a warning.
    public init(_ warning: Warning, style: TerminalStyle = .plain) {
        self.warning = warning
        self.style = style
    }

    /// The warning without its hint: `warning: read nothing`.
    var line: String { "\(style.severity("warning", .warning)): \(PrintableText.visible(warning.text))" }

    /// The lines.
    public var lines: [String] {
        ["\(Self.indent)\(line)"] + (warning.hint.map { ["\(Self.indent)  \(PrintableText.visible($0))"] } ?? [])
    }
}
