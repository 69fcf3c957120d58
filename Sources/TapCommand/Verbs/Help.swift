import TapReport
import TapWire

enum Help {
    static let purpose = "TapSim presents virtual FeliCa and NTAG cards to programs that read real ones."
    static let firstSteps = """
        First steps:
          tapsim run --card suica:balance=3120,trips=20
          tapsim run --card ndef -- python3 client.py {nfcpy}
        """
    static let exitCodes = [
        ("0", "passed"), ("1", "an expectation failed"), ("2", "invalid command line or file"),
        ("3", "unsuitable environment"),
        ("4", "a bug in TapSim"), ("5", "a client fails without faults, or misreads a control card"),
        ("124", "time limit"),
    ]
    private static let columns = 80

    static var overview: String {
        let codes = exitCodes.map { "\($0.0) \($0.1)" }.joined(separator: "; ")
        return """
            \(purpose)

            usage: tapsim VERB …

            \(table(Verb.all.map { ($0.name, $0.summary) }))

            \(filled("tapsim VERB --help explains a verb; tapsim --version prints the version."))
            \(firstSteps)
            \(filled("Exit codes: \(codes)."))
            """
    }

    /// Returns the help text of a verb: examples first, then usage, details and options.
    ///
    /// - Parameter isComplete: Includes rare options and further details, as `--help-all` does.
    static func text(of verb: Verb, isComplete: Bool = false) -> String {
        let usages = verb.usages.enumerated().map { index, usage in
            "\(index == 0 ? "usage:" : "      ") tapsim \(verb.name)\(usage.isEmpty ? "" : " \(usage)")"
        }
        let groups = verb.optionGroups.map { group in
            let options = group.options.filter { isComplete || !verb.hasGroups || !$0.isRare }
            return "\(group.heading):\n\(table(options.map { ($0.usage, $0.summary) }))"
        }
        let parts =
            [filled(verb.summary), examples(verb), usages.joined(separator: "\n"), filled(verb.details)]
            + (isComplete ? [filled(verb.more)] : []) + groups
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private static func examples(_ verb: Verb) -> String {
        guard !verb.examples.isEmpty else { return "" }
        let lines = verb.examples.map { "  # \($0.purpose)\n  \($0.command)" }
        return "examples:\n\(lines.joined(separator: "\n"))"
    }

    /// Returns two columns with the second one wrapped.
    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, text in
            let cell = TextTable.wrapped(text, indent: width + 4, columns: columns).drop { $0 == " " }
            return "  \(name.rightPadded(to: width))  \(cell)"
        }.joined(separator: "\n")
    }

    /// Returns text with its paragraphs wrapped; indented lines stay as they are.
    private static func filled(_ text: String) -> String {
        var lines: [String] = []
        var paragraph: [Substring] = []
        func endParagraph() {
            guard !paragraph.isEmpty else { return }
            lines.append(TextTable.wrapped(paragraph.joined(separator: " "), indent: 0, columns: columns))
            paragraph = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.isEmpty || line.hasPrefix("  ") else {
                paragraph.append(line)
                continue
            }
            endParagraph()
            lines.append(String(line))
        }
        endParagraph()
        return lines.joined(separator: "\n")
    }
}

extension Verb {
    /// A Boolean value that indicates whether help shows options under headings: most of them have one.
    var hasGroups: Bool { allOptions.count { $0.group != .other } * 2 > allOptions.count }

    /// The options under the headings of help.
    var optionGroups: [(heading: String, options: [Option])] {
        guard hasGroups else { return [("options", allOptions)] }
        return Option.Group.allCases.map { group in (group.rawValue, allOptions.filter { $0.group == group }) }
            .filter { !$0.1.isEmpty }
    }
}
