import TapWire

/// A command line as a shell reads it back.
public enum ShellWords {
    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+{}".unicodeScalars)

    /// Joins words, those in quotes that need them.
    public static func text(_ words: [String]) -> String {
        words.map(quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        if word.unicodeScalars.contains(where: isHidden) { return escaped(word) }
        // Braces around a comma or two dots are a list for bash, and = at the beginning is a command for zsh.
        let isList = word.contains("{") && (word.contains(",") || word.contains(".."))
        let isPlain = !word.isEmpty && word.unicodeScalars.allSatisfy(plain.contains) && !isList && word.first != "="
        return isPlain
            ? word : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }

    /// Whether a terminal is shown another character in the place of this one.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "\n" && PrintableText.visible(scalar) != scalar
    }

    /// A word with characters that no terminal is shown, spelt by their bytes as bash and zsh read them.
    private static func escaped(_ word: String) -> String {
        var text = "$'"
        for scalar in word.unicodeScalars {
            switch scalar {
            case "'", "\\": text += "\\\(scalar)"
            case _ where isHidden(scalar):
                for byte in String(scalar).utf8 { text += "\\" + String(byte, radix: 8).leftPadded(to: 3, with: "0") }
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "'"
    }
}
