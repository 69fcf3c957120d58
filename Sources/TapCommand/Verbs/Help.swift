import TapReport

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
        ("4", "a bug in TapSim"), ("5", "a client to be fuzzed fails even without faults"), ("124", "time limit"),
    ]

    static var overview: String {
        let verbs = Verb.all.map { ($0.name, $0.summary) }
        let codes = exitCodes.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return """
            \(purpose)

            usage: tapsim VERB …

            \(columns(verbs))

            tapsim VERB --help explains a verb; tapsim --version prints the version.
            \(firstSteps)
            Exit codes: \(codes).
            """
    }

    static func text(of verb: Verb) -> String {
        let usages = verb.usages.enumerated().map { index, usage in
            "\(index == 0 ? "usage:" : "      ") tapsim \(verb.name)\(usage.isEmpty ? "" : " \(usage)")"
        }
        let options = verb.allOptions.map { ($0.usage, $0.summary) }
        let details = verb.details.isEmpty ? "" : "\n\n\(verb.details)"
        return "\(verb.summary)\n\n\(usages.joined(separator: "\n"))\(details)\n\noptions:\n\(columns(options))"
    }

    private static func columns(_ rows: [(String, String)]) -> String {
        TextTable.lines(rows.map { ["  " + $0, $1] }).joined(separator: "\n")
    }
}
