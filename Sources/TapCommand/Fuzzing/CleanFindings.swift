import TapDocument
import TapFuzz
import TapJudge
import TapReport
import TapScenario
import TapWire

/// What a client gets wrong without any fault, by cause, with the command that shows it once more and what is kept of it.
struct CleanFindings {
    let causes: [CleanCause]
    private let kept: [String: KeptFinding]
    private let again: [String]

    init() { (causes, kept, again) = ([], [:], []) }

    /// - Parameter keep: Keeps a finding; of each new cause the first one.
    init(_ findings: [CleanFinding], known: KnownCauses, again: [String], keep: (CleanFinding) -> KeptFinding?) {
        self.again = again
        causes = CleanCause.all(of: findings.map(\.found), known: known)
        var kept: [String: KeptFinding] = [:]
        for cause in causes where !cause.isKnown {
            kept[cause.key] = findings.first { $0.found == cause.found[0] }.flatMap(keep)
        }
        self.kept = kept
    }

    var nodes: [Node] {
        causes.flatMap { cause in cause.found.map { node($0, of: cause) } }
    }

    private func node(_ found: CleanCause.Found, of cause: CleanCause) -> Node {
        let rest: Node = .map([
            "card": found.card.map(Node.text), "cause": .text(cause.key), "known": .boolean(cause.isKnown),
            "again": .text(ShellWords.text(again)),
            "finding": found == cause.found[0] ? kept[cause.key].map { .text($0.folder) } : nil,
        ])
        return .map((found.finding.node.entries + rest.entries).map { ($0.key.text, $0.value) })
    }

    func lines(beside grid: VerdictGrid, _ style: TerminalStyle) -> [String] {
        causes.flatMap { cause in
            CauseText.lines(of: cause, beside: grid, again: again, kept: kept[cause.key], style: style)
        }
    }
}
