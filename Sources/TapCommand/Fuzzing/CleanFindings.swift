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
            "clean-finding", "A finding without any fault",
            OutcomeFinding.output.rows(of: \.found.finding),
            .maybe("card", "The control card that shows it", \.found.card),
            .always("cause", "Its cause, as named in a `--known` file", \.cause.key),
            .always("known", "Whether the `--known` file lists it", \.cause.isKnown),
            .always("reproduce", "The command that reproduces it") { ShellWords.text($0.again) },
            .maybe(
                "finding",
                "Its folder in the campaign's folder, with a scenario of its card, `report.md` and its run; "
                    + "only the first finding of a cause has one", \.folder))
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
