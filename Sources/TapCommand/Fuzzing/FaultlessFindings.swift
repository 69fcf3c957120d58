import TapDocument
import TapFuzz
import TapJudge
import TapReport
import TapScenario
import TapWire

/// The findings without any fault, by cause, with the command that reproduces them and the folders that are kept.
struct FaultlessFindings {
    let causes: [FaultlessCause]
    private let kept: [String: KeptFinding]
    private let reproduceCommand: [String]

    init() { (causes, kept, reproduceCommand) = ([], [:], []) }

    /// - Parameter keep: Keeps a finding; called for the first finding of each new cause.
    init(
        _ findings: [FaultlessFinding], known: KnownCauses, reproduceCommand: [String],
        keep: (FaultlessFinding) -> KeptFinding?
    ) {
        self.reproduceCommand = reproduceCommand
        causes = FaultlessCause.all(of: findings.map(\.found), known: known)
        var kept: [String: KeptFinding] = [:]
        for cause in causes where !cause.isKnown {
            kept[cause.key] = findings.first { $0.found == cause.found[0] }.flatMap(keep)
        }
        self.kept = kept
    }

    /// A finding in JSON.
    struct Described: OutputModel {
        fileprivate let found: FaultlessCause.Found
        fileprivate let cause: FaultlessCause
        fileprivate let reproduceCommand: [String]
        fileprivate let folder: String?

        static let output = OutputTable<Self>(
            "clean-finding", "A finding without any fault",
            OutcomeFinding.output.rows(of: \.found.finding),
            .maybe("card", "The control card that shows it", \.found.card),
            .always("cause", "Its cause, as named in a `--known` file", \.cause.key),
            .always("known", "Whether the `--known` file lists it", \.cause.isKnown),
            .always("reproduce", "The command that reproduces it") { ShellText.text($0.reproduceCommand) },
            .maybe(
                "finding",
                "Its folder in the campaign's folder, with a scenario of its card, `report.md` and its run; "
                    + "only the first finding of a cause has one", \.folder))
    }

    var described: [Described] {
        causes.flatMap { cause in
            cause.found.map { found in
                let folder = found == cause.found[0] ? kept[cause.key]?.folder : nil
                return Described(found: found, cause: cause, reproduceCommand: reproduceCommand, folder: folder)
            }
        }
    }

    func lines(alongside grid: VerdictGrid, _ style: TerminalStyle) -> [String] {
        causes.flatMap { cause in
            CauseText.lines(
                of: cause, alongside: grid, reproduceCommand: reproduceCommand, kept: kept[cause.key], style: style)
        }
    }
}
