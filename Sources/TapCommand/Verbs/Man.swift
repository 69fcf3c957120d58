extension Verb {
    static let man = Verb(
        name: "man",
        usages: [""],
        summary: "Print the manual page, for man.",
        examples: [Example("Read the manual page without installing it", "tapsim man >tapsim.1 && man ./tapsim.1")],
        details: "",
        options: [],
        run: { arguments, context in
            guard arguments.operands.isEmpty else { throw UsageError("`man` takes no arguments") }
            context.console.printAsIs(ManualPage.text)
            return .passed
        })
}

/// The help texts as a manual page, in the language of troff's man macros.
private enum ManualPage {
    static var text: String {
        var lines = [
            ".TH TAPSIM 1 \"\" \"tapsim \(escaped(TapSimCommand.version))\" \"User Commands\"",
            ".SH NAME", "tapsim \\- test programs that read FeliCa and NTAG cards with virtual cards",
            ".SH SYNOPSIS", ".B tapsim", "\\fIVERB\\fR ...",
            ".SH DESCRIPTION",
        ]
        lines += paragraphs("\(Help.purpose)\n\n\(Help.firstSteps)") + [".SH VERBS"]
        lines += Verb.all.flatMap(section)
        lines += [".SH EXAMPLES"]
        for example in Verb.all.flatMap(\.examples) {
            lines += [".TP", escaped("\(example.purpose):"), ".B \(escaped(example.command))"]
        }
        lines += [".SH EXIT STATUS"]
        for (code, meaning) in Help.exitCodes { lines += [".TP", ".B \(code)", escaped(meaning)] }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(of verb: Verb) -> [String] {
        var lines = [".SS tapsim \(escaped(verb.name))"]
        for usage in verb.usages {
            lines += [".B tapsim \(escaped(verb.name))", escaped(usage), ".br"].filter { !$0.isEmpty }
        }
        lines += [".PP"] + paragraphs(verb.summary)
        for text in [verb.details, verb.more] where !text.isEmpty { lines += [".PP"] + paragraphs(text) }
        for option in verb.optionGroups.flatMap(\.options) {
            lines += [".TP", ".B \(escaped(option.usage))", escaped(option.summary)]
        }
        return lines
    }

    /// Returns paragraphs as troff source: running text is filled, indented text is kept as is.
    private static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var isExample = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if isExample != line.hasPrefix("  "), !line.isEmpty {
                isExample.toggle()
                lines += isExample ? [".PP", ".nf"] : [".fi", ".PP"]
            }
            lines.append(line.isEmpty ? (isExample ? "" : ".PP") : escaped(String(line)))
        }
        return isExample ? lines + [".fi"] : lines
    }

    /// Escapes text for troff, so that a dash is a hyphen-minus and no line is a request.
    private static func escaped(_ text: String) -> String {
        let plain = text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            default: "\(character)"
            }
        }.joined()
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&\(plain)" : plain
    }
}
