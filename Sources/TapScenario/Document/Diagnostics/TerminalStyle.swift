/// The few colours of texts on a terminal, by ECMA-48 "select graphic rendition".
public struct TerminalStyle: Hashable, Sendable {
    /// Whether there are colours at all.
    public let isOn: Bool

    /// Creates a style.
    public init(isOn: Bool) {
        self.isOn = isOn
    }

    /// No colours.
    public static let plain = TerminalStyle(isOn: false)

    /// Text that tells an error or a warning.
    public func severity(_ text: String, _ severity: Severity) -> String {
        wrap(text, severity == .error ? "1;31" : "1;33")
    }

    /// Text that tells a success.
    public func success(_ text: String) -> String { wrap(text, "32") }

    /// Text that stands out.
    public func bold(_ text: String) -> String { wrap(text, "1") }

    /// Text that stands back.
    public func muted(_ text: String) -> String { wrap(text, "34") }

    private func wrap(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
