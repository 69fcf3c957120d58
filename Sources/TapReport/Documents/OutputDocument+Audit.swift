import TapDocument
import TapJudge

/// What `tapsim audit` prints, and the lies that `tapsim list` names.
extension OutputDocument {
    static let audit = OutputObject(
        "audit-document", "An audit",
        [
            .always("tapsim", .text, "The version of TapSim"), .always("cases", .list(.object(suite)), "The cases"),
            .always("stopped", .flag, "Whether an interrupt ended it before all runs were made"),
        ])

    static let suite = OutputObject(
        "audited-suite", "A test suite that cards lied to",
        campaignHead + [
            .always("own_cards", .flag, "Whether its tests made cards of their own"),
            .always("lies", .list(.object(toldLie)), "The lies, in the order of `tapsim list lies`"),
            .always("planned", .number, "How many lies there were to be"),
            .always("totals", .map(.number), "How often each verdict came out"),
        ])

    static let toldLie = OutputObject(
        "told-lie", "A lie and what became of it",
        [
            .always("name", .text, "What `--only` and `--known` take"),
            .always("fault", .text, "The fault at every exchange that it fits"),
            .always("says", .text, "What the card does"),
            .always("unseen", .text, "What a client does in the field whose tests do not notice"),
            .always("verdict", .word(LieResult.Verdict.allCases.map(\.rawValue)), "What the suite made of it"),
            .maybe(
                "end", .text, "How the suite ended; without it the suite was not run, as nothing in its clean run fits"),
            .always("known", .flag, "Whether the file of `--known` has it"),
            .always("again", .text, "The command that repeats it"),
            .always("alone", .text, "The suite without an audit, with cards that tell this lie"),
            .maybe("kept", .text, "The folder with the trace, of a lie that went unnoticed"),
        ])

    static let lie = OutputObject(
        "lie", "A lie",
        [
            .always("lie", .text, "Its name"), .always("summary", .text, "What the card does"),
            .always("unseen", .text, "What a client does in the field whose tests do not notice"),
        ])
}

/// What `tapsim coverage` prints.
extension OutputDocument {
    static let coverage = OutputObject(
        "coverage-document", "A coverage",
        [
            .always("tapsim", .text, "The version of TapSim"), .always("traces", .number, "How many traces there were"),
            .always("cards", .list(.text), "The ICs of the cards"),
            .always("parts", .map(.object(coveredPart)), "The parts: `commands`, `states`, `answers`, `faults`"),
        ])

    static let coveredPart = OutputObject(
        "covered-part", "A part of a coverage",
        [
            .always("met", .map(.number), "What was met, with how often"),
            .always("never", .list(.text), "What could have been met and never was"),
            .maybe("percentage", .number, "How much was met, rounded down; absent if there is nothing to meet"),
        ])
}
