/// Pieces of Markdown as GitHub shows it.
enum Markdown {
    /// A table; a `|` in a cell does not end it.
    static func table(_ heads: [String], _ rows: [[String]]) -> String {
        let lines = [heads, heads.map { _ in "---" }] + rows.map { $0.map(cell) }
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    /// Text between backticks.
    static func code(_ text: String) -> String { "`\(text)`" }

    /// A block of YAML.
    static func yaml(_ text: String) -> String { "```yaml\n\(text)```" }

    /// A link to a heading of the same page.
    static func link(_ text: String, toHeading heading: String) -> String { "[\(text)](#\(anchor(of: heading)))" }

    /// The name a heading is linked by: lower case, blanks as hyphens, without other marks.
    private static func anchor(of heading: String) -> String {
        String(
            heading.lowercased().compactMap { character in
                if character == " " { return "-" }
                let isKept = character.isLetter || character.isNumber || "-_".contains(character)
                return isKept ? character : nil
            })
    }

    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: " ")
    }
}
