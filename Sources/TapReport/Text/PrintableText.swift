/// Foreign text made fit for a terminal.
public enum PrintableText {
    /// Longest line of a client shown, in characters.
    private static let maximumLength = 300

    /// A text whose control characters are shown as U+FFFD, so that no client, card or file can drive the terminal.
    public static func visible(_ text: some StringProtocol) -> String {
        var visible = ""
        for scalar in text.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control && scalar != "\t"
            visible.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
        }
        return visible
    }

    /// A text as ``visible(_:)`` has it, cut where a line becomes too long to read.
    public static func line(_ text: some StringProtocol) -> String {
        let line = visible(text.prefix(maximumLength))
        return text.count > maximumLength ? line + " …" : line
    }
}
