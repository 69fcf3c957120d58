import TapDocument
import TapFuzz
import TapJudge
import TapReport
import TapScenario
import TapWire

/// The findings without any fault, by cause, with the command that reproduces them and the folders that are kept.
struct CleanFindings {
    let causes: [CleanCause]
    private let kept: [String: KeptFinding]
    private let again: [String]

    init() { (causes, kept, again) = ([], [:], []) }

    /// - Parameter keep: Keeps a finding; called for the first finding of each new cause.
    init(_ findings: [CleanFinding], known: KnownCauses, again: [String], keep: (CleanFinding) -> KeptFinding?) {
        self.again = again
        causes = CleanCause.all(of: findings.map(\.found), known: known)
        var kept: [String: KeptFinding] = [:]
        for cause in causes where !cause.isKnown {
            kept[cause.key] = findings.first { $0.found == cause.found[0] }.flatMap(keep)
        }
        self.kept = kept
    }

    /// A finding in JSON.
    struct Described: OutputModel {
        fileprivate let found: CleanCause.Found
        fileprivate let cause: CleanCause
        fileprivate let again: [String]
        fileprivate let folder: String?

        static let output = OutputTable<Self>(
            "clean-finding", "What is wrong without any fault",
            OutcomeFinding.output.rows(of: \.found.finding),
            .maybe("card", "The control card on which it is", \.found.card),
            .always("cause", "Its cause, as a file for `--known` names it", \.cause.key),
            .always("known", "Whether that file has it", \.cause.isKnown),
            .always("again", "The command that shows it once more") { ShellWords.text($0.again) },
            .maybe(
                "finding",
                "Its folder in that of the campaign, with a scenario of its card, `report.md` and its run; "
                    + "the first of a cause has one", \.folder))
    }

    var described: [Described] {
        causes.flatMap { cause in
            cause.found.map { found in
                let folder = found == cause.found[0] ? kept[cause.key]?.folder : nil
                return Described(found: found, cause: cause, again: again, folder: folder)
            }
        }
    }

    func lines(beside grid: VerdictGrid, _ style: TerminalStyle) -> [String] {
        causes.flatMap { cause in
            CauseText.lines(of: cause, beside: grid, again: again, kept: kept[cause.key], style: style)
        }
    }
}
