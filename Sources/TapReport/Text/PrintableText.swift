/// Foreign text made fit for a terminal.
enum PrintableText {
    /// Longest line shown, in characters.
    private static let maximumLength = 300

    /// A line whose control characters are shown as U+FFFD, so that no client can drive the terminal.
    static func line(_ text: some StringProtocol) -> String {
        var line = ""
        for scalar in text.prefix(maximumLength).unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control && scalar != "\t"
            line.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
        }
        return text.count > maximumLength ? line + " …" : line
    }
}
