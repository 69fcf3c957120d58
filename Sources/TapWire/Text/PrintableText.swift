/// Foreign text made fit for people: names, arguments, what clients print and what cards hold.
package enum PrintableText {
    /// Longest line of a client shown, in characters.
    private static let maximumLength = 300

    /// Whether a character can move, hide or reorder the text around it, or drive a terminal.
    ///
    /// These are the controls C0 and C1, DEL, the marks and overrides of direction (U+061C, U+200E, U+200F, U+202A–202E,
    /// U+2066–2069), separators of lines, and all else without a shape of its own but the two joiners, which emoji and
    /// some scripts need. Lone surrogates never get here: what is no UTF-8 is U+FFFD from the start.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case 0x200C, 0x200D: false
        default: [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
    }

    /// A text whose harmful characters are shown as U+FFFD, line breaks among them; tabs stay.
    package static func visible(_ text: some StringProtocol) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            visible.append(isHarmful(scalar) && scalar != "\t" ? "\u{FFFD}" : scalar)
        }
        return String(visible)
    }

    /// A text as ``visible(_:)`` has it, cut where a line becomes too long to read.
    package static func line(_ text: some StringProtocol) -> String {
        let line = visible(text.prefix(maximumLength))
        return text.count > maximumLength ? line + " …" : line
    }
}
