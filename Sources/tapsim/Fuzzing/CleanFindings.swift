import TapDocument
import TapJudge
import TapReport
import TapRun
import TapScenario
import TapWire

/// What a client gets wrong without any fault, each with the command that shows it once more and what is kept of it.
struct CleanFindings {
    private let items: [(found: CleanFinding, again: [String], kept: KeptFinding?)]

    /// - Parameter keep: Keeps a finding; of those in which the client does the same the first one.
    init(
        _ found: [CleanFinding], again: (CleanFinding) -> [String], keep: (CleanFinding, [String]) -> KeptFinding?
    ) {
        items = found.enumerated().map { index, item in
            let isNew = !found[..<index].contains { $0.finding.isLike(item.finding) }
            let words = again(item)
            return (item, words, isNew ? keep(item, words) : nil)
        }
    }

    var findings: [OutcomeFinding] { items.map(\.found.finding) }

    var nodes: [Node] {
        items.map { found, again, kept in
            let rest: Node = .map([
                "card": found.card.isEmpty ? nil : .text(found.card), "again": .text(ShellWords.text(again)),
                "finding": kept.map { .text($0.folder) },
            ])
            return .map((found.finding.node.entries + rest.entries).map { ($0.key.text, $0.value) })
        }
    }

    func lines(_ style: TerminalStyle) -> [String] {
        items.flatMap { found, again, kept in
            [
                "  \(style.severity(found.finding.outcome.rawValue, .error))  without any fault",
                "        \(PrintableText.visible(found.finding.reason))",
                "        again   \(ShellWords.text(again))",
            ] + (kept?.lines ?? [])
        }
    }
}
