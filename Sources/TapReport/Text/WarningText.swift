import TapScenario
import TapWire

/// A warning as a person reads it, below the line of a case.
public struct WarningText {
    private static let indent = "        "

    private let warning: Warning
    private let style: TerminalStyle

    public init(_ warning: Warning, style: TerminalStyle = .plain) {
        self.warning = warning
        self.style = style
    }

    /// The warning without its hint: `warning: read nothing`.
    var line: String { "\(style.severity("warning", .warning)): \(PrintableText.visible(warning.text))" }

    public var lines: [String] {
        ["\(Self.indent)\(line)"] + (warning.hint.map { ["\(Self.indent)  \(PrintableText.visible($0))"] } ?? [])
    }
}
