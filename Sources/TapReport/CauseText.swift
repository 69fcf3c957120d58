import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

extension FindingCause {
    /// - Parameters:
    ///   - again: The command of the shortest run.
    ///   - folder: Where that run is kept, from the folder of the campaign.
    func node(again: [String], folder: String?) -> Node {
        .map([
            "key": .text(key), "known": .boolean(isKnown), "verdict": .text(finding.outcome.rawValue),
            "run": .text(shortest.run.name),
            "reason": .text(finding.reason), "runs": .list(entries.map { .text($0.run.name) }),
            "faults": .list(faults.map(Node.text)),
            "again": .text(ShellWords.text(again)), "kept": folder.map(Node.text),
            "beside": .list(others.map { .map(["finding": $0.finding.node, "runs": .number($0.count)]) }),
        ])
    }
}

/// A cause for people: what the client did, the shortest run that shows it, and where else it was seen.
public struct CauseText {
    private let cause: FindingCause
    private let style: TerminalStyle

    public init(_ cause: FindingCause, style: TerminalStyle = .plain) {
        self.cause = cause
        self.style = style
    }

    /// - Parameter again: The command of the shortest run.
    public func lines(again: [String]) -> [String] {
        let run = cause.shortest.run
        let count = CountText.of(cause.entries.count, "run")
        let head = [
            "  \(style.severity(cause.finding.outcome.rawValue, .error))  \(style.bold(run.faultName)) at \(run.place)"
                + "   \(style.muted(count))",
            "        \(PrintableText.visible(cause.finding.reason))",
        ]
        let beside = cause.others.map { other in
            "        also    \(other.finding.outcome.rawValue) in \(CountText.of(other.count, "run")): "
                + PrintableText.visible(other.finding.reason)
        }
        let faults = cause.faults.count > 1 ? [wrapped("by      ", cause.faults.joined(separator: ", "))] : []
        return head + beside + faults + [
            "        cause   \(PrintableText.visible(cause.key))", "        again   \(ShellWords.text(again))",
        ]
    }

    private func wrapped(_ title: String, _ text: String) -> String {
        "        \(title)" + TextTable.wrapped(text, indent: 16).drop { $0 == " " }
    }
}
