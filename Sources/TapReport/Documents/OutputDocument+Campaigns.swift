import TapDocument
import TapJudge

/// What `tapsim fuzz` prints.
extension OutputDocument {
    static let fuzz = OutputObject(
        "campaign-document", "A campaign",
        [
            .always("tapsim", .text, "The version of TapSim"),
            .always(
                "cases", .list(.either([.object(grid), .object(plan)])), "The cases; with `--list` what would be run"),
            .maybe("stopped", .word(["causes", "time", "interrupt"]), "What ended it before all runs were made"),
        ])

    static let campaignHead: [OutputObject.Key] = [
        .always("scenario", .text, "The scenario"), .always("file", .text, "Its file"),
        .always("client", .text, "The client"), .always("seed", .number, "The seed"),
        .maybe("case", .text, "The case"),
    ]

    static let plan = OutputObject(
        "plan", "The runs that would follow",
        campaignHead + [
            .always("sound_cards", .list(.text), "The sound cards"),
            .always("runs", .list(.object(plannedRun)), "The runs"),
        ])

    static let cleanFinding = OutputObject(
        "clean-finding", "What is wrong without any fault",
        finding.keys + [
            .maybe("card", .text, "The sound card on which it is"),
            .always("cause", .text, "Its cause, as a file for `--known` names it"),
            .always("known", .flag, "Whether that file has it"),
            .always("again", .text, "The command that shows it once more"),
            .maybe(
                "finding", .text,
                "Its folder in that of the campaign, with a scenario of its card, `report.md` and its run; the first of a cause has one"
            ),
        ])

    static let siteKeys: [OutputObject.Key] = [
        .maybe("exchange", .number, "The exchange of the clean run"), .maybe("call", .number, "Or the call of PC/SC"),
    ]

    static let openRuns = OutputObject(
        "open-runs", "Runs of a fault that were not made",
        [
            .always("fault", .text, "The fault"), .maybe("exchanges", .text, "The exchanges, such as `4, 7 to 9`"),
            .maybe("calls", .text, "The calls of PC/SC"),
        ])

    static let plannedRun = OutputObject(
        "planned-run", "A run that would follow",
        [.always("name", .text, "What `--only` takes"), .always("fault", .text, "The fault")] + siteKeys + [
            .always("is", .text, "The command or call"), .always("nth", .number, "Which one of these"),
        ])

    static let grid = OutputObject(
        "grid", "A grid of verdicts",
        campaignHead + [
            .always("clean_findings", .list(.object(cleanFinding)), "What is wrong without any fault"),
            .always("sound_cards", .list(.text), "Other cards that the client read, by the names that `--only` takes"),
            .always("warnings", .list(.object(warning)), "What speaks for a mistake in the scenario"),
            .maybe(
                "result_stream", .word(ResultStream.allCases.map(\.rawValue)),
                "Where the client prints what is on the card; absent if `client.result` states it"),
            .always("places", .list(.object(faultPlace)), "The columns"), .always("faults", .list(.text), "The rows"),
            .always("runs", .list(.object(judgedRun)), "The cells"),
            .always("causes", .list(.object(cause)), "The findings by cause, most serious first"),
            .always("planned", .number, "How many runs there were to be"),
            .maybe("not_run", .list(.object(openRuns)), "Runs that were not made, since the campaign ended early"),
            .always("totals", .map(.number), "How often each verdict came out"),
            .maybe("guided", .object(guided), "What came of combinations of faults"),
            .always("read_back", .map(.number), "What was on cards after faults of memory"),
            .always("never_reached", .list(.text), "Faults that no run reached"),
            .always("not_tried", .list(.text), "Faults that fit nothing here, so that no run has them"),
            .always("measured", .object(speed), "How long it took, which no two campaigns agree in"),
        ])

    static let speed = OutputObject(
        "campaign-speed", "How long a campaign took",
        [
            .always("milliseconds", .number, "All runs together"),
            .maybe("clean_run_milliseconds", .number, "A run of a client that was started for it, without a fault"),
            .maybe(
                "start_milliseconds", .number, "How much of that was done once, where copies of a client made the runs"),
            .maybe(
                "times_clean_run", .number,
                "How many times as many runs were made as clean runs, started for each and one after the other, would be"
            ),
        ])

    static let faultPlace = OutputObject(
        "fault-place", "A place of a fault",
        siteKeys + [.always("is", .text, "The command or call"), .always("nth", .number, "Which one of these")])

    static let cause = OutputObject(
        "cause", "What one mistake of the client seems to have led to",
        [
            .always("key", .text, "What `--known` takes, the same in every campaign"),
            .always("known", .flag, "Whether the file of `--known` has it"),
            .always("verdict", .text, "A verdict of `tapsim explain`"),
            .always("run", .text, "The run that shows it with the fewest exchanges before it"),
            .always("reason", .text, "Why, in that run"), .always("again", .text, "The command that repeats it"),
            .maybe("kept", .text, "Its folder in that of the campaign, with its trace and what the client wrote"),
            .maybe(
                "finding", .text, "Its folder in that of the campaign, with `repro.yaml`, `report.md` and `replay.py`"),
            .maybe("flaky", .flag, "Whether the client did something else in that run once more"),
            .always("runs", .list(.text), "All its runs"), .always("faults", .list(.text), "Their faults"),
            .always("beside", .list(.object(beside)), "What was found beside it in some of its runs"),
        ])

    static let beside = OutputObject(
        "beside", "A finding beside another",
        [.always("finding", .object(finding), "The first one"), .always("runs", .number, "In how many runs")])

    static let judgement: [OutputObject.Key] = [
        .always("verdict", .text, "A verdict of `tapsim explain`, or `not reached`"),
        .maybe("at", .number, "The exchange where it showed"), .maybe("reason", .text, "Why"),
        .maybe("cause", .text, "The key of its cause"),
        .maybe("beside", .list(.object(finding)), "What else was found, less serious"),
        .maybe("read_back", .word(["old", "new", "other", "unreadable"]), "What was on the card afterwards"),
    ]

    static let judgedRun = OutputObject(
        "judged-run", "A judged run", [.always("fault", .text, "The fault")] + siteKeys + judgement)

    static let guided = OutputObject(
        "guided-runs", "Runs with combinations of faults",
        [
            .always("runs", .number, "How many there were"),
            .always("steps", .number, "How many different steps the client took in the whole campaign"),
            .always("totals", .map(.number), "How often each verdict came out"),
            .always("findings", .list(.object(namedRun)), "The runs with findings, up to 100 of a cause"),
            .always("kept", .list(.text), "The choices of runs that led somewhere new, for `--resume`"),
        ])

    static let namedRun = OutputObject(
        "named-run", "A run with a combination of faults", [.always("name", .text, "What `--only` takes")] + judgement)
}
