import TapDocument
import TapJudge
import TapReport
import TapRun
import TapScenario
import TapWire

/// What a client gets wrong without any fault, with the command that shows it once more and what is kept of it.
struct CleanFindings {
    private let items: [(found: CleanFinding, kept: KeptFinding?)]
    private let again: [String]

    /// - Parameter keep: Keeps a finding; of those in which the client does the same the first one.
    init(_ found: [CleanFinding], again: [String], keep: (CleanFinding) -> KeptFinding?) {
        self.again = again
        items = found.enumerated().map { index, item in
            let isNew = !found[..<index].contains { $0.finding.isLike(item.finding) }
            return (item, isNew ? keep(item) : nil)
        }
    }

    var findings: [OutcomeFinding] { items.map(\.found.finding) }

    var nodes: [Node] {
        items.map { found, kept in
            let rest: Node = .map([
                "card": found.card.isEmpty ? nil : .text(found.card), "again": .text(ShellWords.text(again)),
                "finding": kept.map { .text($0.folder) },
            ])
            return .map((found.finding.node.entries + rest.entries).map { ($0.key.text, $0.value) })
        }
    }

    func lines(_ style: TerminalStyle) -> [String] {
        items.flatMap { found, kept in
            [
                "  \(style.severity(found.finding.outcome.rawValue, .error))  without any fault",
                "        \(PrintableText.visible(found.finding.reason))",
                "        again   \(ShellWords.text(again))",
            ] + (kept?.lines ?? [])
        }
    }
}
