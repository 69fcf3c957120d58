import TapWire

/// The few colours of texts on a terminal, by ECMA-48 "select graphic rendition".
public struct TerminalStyle: Hashable, Sendable {
    /// Whether there are colours at all.
    public let isOn: Bool

    public init(isOn: Bool) {
        self.isOn = isOn
    }

    /// No colours.
    public static let plain = TerminalStyle(isOn: false)

    /// Text that tells an error or a warning.
    public func severity(_ text: String, _ severity: Severity) -> String {
        wrap(text, severity == .error ? Self.codes.error : Self.codes.warning)
    }

    /// Text that tells a success.
    public func success(_ text: String) -> String { wrap(text, Self.codes.success) }

    /// Text that stands out.
    public func bold(_ text: String) -> String { wrap(text, Self.codes.bold) }

    /// Text that stands back.
    public func muted(_ text: String) -> String { wrap(text, Self.codes.muted) }

    /// A whole text, of several lines perhaps, in which nothing but the colours of this style drives a terminal.
    ///
    /// Other harmful characters become U+FFFD, so that no name, argument, file or card can hide what is shown.
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

    /// All that ``wrap(_:_:)`` puts around texts.
    private static let sequences = [codes.error, codes.warning, codes.success, codes.bold, codes.muted, codes.end]
        .map { sequence($0).unicodeScalars }

    private static func sequence(_ code: String) -> String { "\u{1B}[\(code)m" }

    private func wrap(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? Self.sequence(code) + text + Self.sequence(Self.codes.end) : text
    }
}
