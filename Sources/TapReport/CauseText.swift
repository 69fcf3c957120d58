import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

extension FindingCause {
    /// - Parameters:
    ///   - again: The command of the shortest run.
    ///   - folder: Where that run is kept, from the folder of the campaign.
    ///   - told: Where it is kept as a scenario and a report.
    func node(again: [String], folder: String?, told: KeptFinding?) -> Node {
        .map([
            "key": .text(key), "known": .boolean(isKnown), "verdict": .text(finding.outcome.rawValue),
            "run": .text(shortest.run.name),
            "reason": .text(finding.reason), "runs": .list(entries.map { .text($0.run.name) }),
            "faults": .list(faults.map(Node.text)),
            "again": .text(ShellWords.text(again)), "kept": folder.map(Node.text),
            "finding": told.map { .text($0.folder) }, "flaky": told.map { .boolean($0.isFlaky) },
            "beside": .list(others.map { .map(["finding": $0.finding.node, "runs": .number($0.count)]) }),
        ])
    }
}

/// What is kept of a finding: a scenario with its run, a report, and the run.
public struct KeptFinding: Sendable {
    /// The path of its folder, from that of the campaign.
    public let folder: String
    /// Whether the client did something else when the run was made once more.
    public let isFlaky: Bool
    private let commands: [(title: String, words: String)]

    /// - Parameter commands: Those that have to do with it, under a word of up to seven letters.
    public init(folder: String, isFlaky: Bool, _ commands: [(title: String, words: String)]) {
        self.folder = folder
        self.isFlaky = isFlaky
        self.commands = commands
    }

    /// The commands, indented as what belongs to a finding.
    public var lines: [String] { commands.map { "        \($0.title.rightPadded(to: 8))\($0.words)" } }
}

/// A cause for people: what the client did, the shortest run that shows it, and where else it was seen.
public struct CauseText {
    private let cause: FindingCause
    private let style: TerminalStyle

    public init(_ cause: FindingCause, style: TerminalStyle = .plain) {
        self.cause = cause
        self.style = style
    }

    /// - Parameters:
    ///   - again: The command of the shortest run.
    ///   - kept: What is kept of it.
    public func lines(again: [String], kept: KeptFinding?) -> [String] {
        let run = cause.shortest.run
        let what = run.injections.map { "\(style.bold($0.faultName)) at \($0.place)" }.joined(separator: " and ")
        let count = CountText.of(cause.entries.count, "run")
        let head = [
            "  \(style.severity(cause.finding.outcome.rawValue, .error))  \(what)   \(style.muted(count))",
            "        \(PrintableText.visible(cause.finding.reason))",
        ]
        let beside = cause.others.map { other in
            "        also    \(other.finding.outcome.rawValue) in \(CountText.of(other.count, "run")): "
                + PrintableText.visible(other.finding.reason)
        }
        let faults = cause.faults.count > 1 ? [Self.wrapped("by      ", cause.faults.joined(separator: ", "))] : []
        let excuse = cause.excuse.map {
            [Self.wrapped("note    ", "\($0.note); --ignore-\($0.rawValue) leaves it out")]
        }
        return head + beside + faults + (excuse ?? []) + Self.end(cause.key, again, kept)
    }

    /// A cause without any fault: what the client gets wrong, and on which sound cards.
    public static func lines(
        of cause: CleanCause, beside grid: VerdictGrid, again: [String], kept: KeptFinding?,
        style: TerminalStyle = .plain
    ) -> [String] {
        guard !cause.isKnown else { return [known(cause.key, style)] }
        let finding = cause.found[0].finding
        let cards = cause.found.compactMap(\.card)
        let head = [
            "  \(style.severity(finding.outcome.rawValue, .error))  without any fault",
            "        \(PrintableText.visible(finding.reason))",
        ]
        let others = cards.count > 1 ? [wrapped("cards   ", cards.joined(separator: ", "))] : []
        let count = grid.runCount(of: cause)
        let runs = count > 0 ? ["        also    in \(CountText.of(count, "run")) under faults"] : []
        return head + others + runs + end(cause.key, again, kept)
    }

    /// The line of a cause that is known.
    static func known(_ key: String, _ style: TerminalStyle) -> String {
        style.muted("  known  \(PrintableText.visible(key))")
    }

    private static func end(_ key: String, _ again: [String], _ kept: KeptFinding?) -> [String] {
        [
            "        cause   \(PrintableText.visible(key))", "        again   \(ShellWords.text(again))",
        ] + (kept?.lines ?? [])
    }

    private static func wrapped(_ title: String, _ text: String) -> String {
        "        \(title)" + TextTable.wrapped(text, indent: 16).drop { $0 == " " }
    }
}
