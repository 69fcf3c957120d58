import TapWire

/// The keys of `expect`.
enum ExpectLanguage {
    static let table = KeyTable(
        "an expectation",
        [
            Key("client", .map(client), "How the client ends and what it prints."),
            Key("exchanges", .map(exchanges), "Exchanges that happen.", synonyms: ["exchange", "commands"]),
            Key(
                "result", .map(of: JSONPointerRule(), to: .free), "Values of the client's result by JSON pointer.",
                synonyms: ["output", "json"]),
            Key(
                "counts", .map(of: CommandRule(), to: .range()), "How many commands are sent.",
                synonyms: ["count", "calls"]),
            Key("never", .list(of: PatternLanguage.shape), "Exchanges that do not happen.", synonyms: ["not", "no"]),
            Key(
                "cards", .map(of: NameRule("the name of a card"), to: .variants([.word("unchanged"), .map(card)])),
                "What cards are like afterwards.", synonyms: ["card"]),
            Key(
                "safety", .variants([.word(SafetyLevel.self), .map(safety)]),
                "What the client may not do to cards unless its clean runs or this file ask for it.",
                synonyms: ["safe", "writes"]),
            Key(
                "phone", .map(PhoneExpectLanguage.table),
                "What an app with Core NFC shows and hears; judged where a phone reads the cards.",
                synonyms: ["app", "session"]),
        ])

    static let client = KeyTable(
        "an expectation on the client",
        [
            Key(
                "exit", .range(0...255), "The exit code; 0 without it, any where the case has faults.",
                synonyms: ["exit_code", "status", "code"]),
            Key("within", .duration, "How long it takes at most.", synonyms: ["timeout"]),
            Key("stdout", texts, "What it prints on its standard output.", synonyms: ["output", "out"]),
            Key("stderr", texts, "What it prints on its standard error.", synonyms: ["error", "err"]),
            Key(
                "verdict", .variants([verdict, .list(of: verdict, count: 1...16)]),
                "What may become of the client, measured by three clean runs; `correct_or_error` without it where the "
                    + "case has faults and nothing else is said of the client.",
                synonyms: ["outcome", "verdicts"]),
        ])

    private static let verdict = Shape.scalar(WordRule([correctOrError] + Outcome.allCases.map(\.rawValue)))

    /// The word for both outcomes that are no fault of a client.
    static let correctOrError = "correct_or_error"

    /// What `safety` can be in one word.
    enum SafetyLevel: String, CaseIterable {
        /// Every rule.
        case strict
        /// The rules that hold where nothing is stated.
        case usual
        /// No rule.
        case off

        var policy: SafetyPolicy {
            switch self {
            case .strict: .strict
            case .usual: .usual
            case .off: .off
            }
        }
    }

    private static let safety = KeyTable(
        "a map of safety",
        [
            Key("allow", rules, "What the client may do.", synonyms: ["allowed", "permit"]),
            Key("forbid", rules, "What it may not do beyond the usual.", synonyms: ["forbidden", "never", "deny"]),
        ])

    private static let rules = Shape.list(of: .word(SafetyRule.self), count: 1...16)

    private static let texts = Shape.variants([.text, .list(of: .text)])

    static let exchanges = KeyTable(
        "an expectation on exchanges",
        [
            Key(
                "order", .word(ExchangeList.Order.self), "How the list is found in the run; subsequence without it.",
                standard: "subsequence"),
            Key(
                "list", .list(of: PatternLanguage.shape, count: 1...10_000), "The exchanges.", isRequired: true,
                synonyms: ["items", "exchanges"]),
        ])

    static let card = KeyTable(
        "an expectation on a card",
        [
            Key("auth_failures", .range(0...7), "Wrong passwords since the last right one.", synonyms: ["failures"]),
            Key("counter", .range(0...0xFF_FFFF), "The NFC counter.", synonyms: ["nfc_counter"]),
            Key(
                "blocks",
                .map(
                    of: CodeRule("a service code", known: KnownCodes.services),
                    to: .map(of: IntegerRule(0...0xFFFF), to: .hex(16))),
                "Blocks by service and number.", synonyms: ["services"]),
            Key("pages", .map(of: IntegerRule(0...255), to: .hex(4)), "Pages by number.", synonyms: ["page"]),
            Key("state", .text, "The protocol state in the words of the card's manual."),
        ])
}
