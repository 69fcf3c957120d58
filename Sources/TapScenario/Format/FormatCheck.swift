/// Whether a document is of the format that this version reads.
enum FormatCheck {
    /// The format.
    static let version = "1"

    /// Checks the first key of a document; without the right one, nothing else of it means anything.
    static func accepts(_ node: Node, into diagnostics: inout Diagnostics) -> Bool {
        guard let problem = problem(of: node) else { return true }
        diagnostics.report(problem)
        return false
    }

    private static func problem(of node: Node) -> Diagnostic? {
        guard case .map(let map) = node else {
            // What `check --resolved --json` writes of a whole file.
            let isList = node[0]?["format"] != nil
            return Diagnostic(
                .wrongKind, "the document is \(node.kind.noun)", at: node,
                hint: isList
                    ? "each item is a scenario; write the list as JSON, or make a file of one"
                    : "a scenario (a map) needed")
        }
        guard let entry = map.entry("format") else {
            return Diagnostic(
                .wrongFormat, "the file does not say its format", at: .map(map),
                hint: "this version reads format \(version); begin the file with `format: \(version)`")
        }
        guard entry.value.text == version else {
            let format = entry.value.text.map { "format \($0)" } ?? "an unknown format"
            return Diagnostic(
                .wrongFormat, "the file is of \(format)", at: entry.value, hint: "this version reads format \(version)")
        }
        guard map.entries.first?.key.text == "format" else {
            return Diagnostic(
                .wrongFormat, "`format` is not the first key", at: Diagnostic.Place(entry.key.range),
                hint: "begin the file with `format: \(version)`")
        }
        return nil
    }
}

extension SourceFile {
    /// Whether the file begins as a scenario does, whatever else is wrong with it.
    ///
    /// Errors quote lines. They must not where a scenario names a file that is not one, such as a file with keys.
    public var beginsAsScenario: Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).lazy.filter { !$0.drop { $0 == " " }.hasPrefix("#") }
        let words = lines.joined().filter { !"-{\"' \t:\u{FEFF}".contains($0) }
        var rest = words.makeIterator()
        return "format".allSatisfy { rest.next() == $0 } && rest.next()?.isWholeNumber == true
    }
}
