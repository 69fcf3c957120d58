import TapWire

public enum ShellText {
    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+{}".unicodeScalars)

    /// Joins arguments, quoting where necessary.
    public static func text(_ words: [String]) -> String {
        words.map(quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        if word.unicodeScalars.contains(where: isHidden) { return escaped(word) }
        // bash expands braces around a comma or two dots; zsh treats a leading = as a command.
        let isList = word.contains("{") && (word.contains(",") || word.contains(".."))
        let isPlain = !word.isEmpty && word.unicodeScalars.allSatisfy(plain.contains) && !isList && word.first != "="
        return isPlain
            ? word : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }

    /// Returns whether terminals show a substitute for this character.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar != "\n" && PrintableText.visible(scalar) != scalar
    }

    /// Returns an argument with hidden characters as byte escapes, which bash and zsh understand.
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
