import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

package struct DescribedCause: OutputModel {
    private let cause: FindingCause
    private let reproduceCommand: [String]
    private let folder: String?
    private let kept: KeptFinding?

    /// - Parameters:
    ///   - reproduceCommand: The command of the shortest run.
    ///   - folder: The path of that run's folder, relative to the folder of the campaign.
    ///   - kept: The saved scenario and report.
    package init(_ cause: FindingCause, reproduceCommand: [String], folder: String?, kept: KeptFinding?) {
        (self.cause, self.reproduceCommand, self.folder, self.kept) = (cause, reproduceCommand, folder, kept)
    }

    package static let output = OutputTable<Self>(
        "cause", "The findings that one mistake of the client seems to have caused",
        .always("key", "The key for `--known`, the same in every campaign", \.cause.key),
        .always("known", "Whether the file of `--known` contains it", \.cause.isKnown),
        .always("verdict", "A verdict of `tapsim explain`", \.cause.finding.outcome.rawValue),
        .always("run", "The run with the fewest exchanges before its fault", \.cause.shortest.run.name),
        .always("reason", "The reason in that run", \.cause.finding.reason),
        .always("runs", "All its runs") { $0.cause.entries.map(\.run.name) },
        .always("faults", "Their faults", \.cause.faults),
        .always("reproduce", "The command that repeats it") { ShellText.text($0.reproduceCommand) },
        .maybe("kept", "Its folder inside the campaign's folder, with its trace and the client's output", \.folder),
        .maybe(
            "finding", "Its folder inside the campaign's folder, with `repro.yaml`, `report.md` and `replay.py`",
            \.kept?.folder),
        .maybe("flaky", "Whether the client behaved differently when that run was repeated", \.kept?.isFlaky),
        .always("beside", "Other findings in some of its runs", \.cause.others))
}

extension FindingCause.OtherEffect: OutputModel {
    package static let output = OutputTable<Self>(
        "beside", "An additional finding",
        .always("finding", "The first finding of its kind", \.finding),
        .always("runs", "The number of runs with it", \.count))
}

/// The saved files of a finding: a scenario with its run, a report, and the run.
public struct KeptFinding: Sendable {
    /// The path of its folder, relative to the folder of the campaign.
    public let folder: String
    /// A Boolean value that indicates whether the client behaved differently when the run was repeated.
    public let isFlaky: Bool
    private let commands: [(label: LineLabel, words: String)]

    /// - Parameter commands: Commands for the finding, each with its label.
    public init(folder: String, isFlaky: Bool, _ commands: [(label: LineLabel, words: String)]) {
        self.folder = folder
        self.isFlaky = isFlaky
        self.commands = commands
    }

    /// The commands, indented as part of a finding.
    public var lines: [String] { commands.map { "        " + $0.label.line($0.words) } }
}

/// A cause for people, in at most six lines: the input that the client did not notice, the shortest run that shows it, other
/// effects, and how to repeat it.
public struct CauseText {
    private let cause: FindingCause
    private let style: TerminalStyle

    public init(_ cause: FindingCause, style: TerminalStyle = .plain) {
        self.cause = cause
        self.style = style
    }

    /// - Parameters:
    ///   - reproduceCommand: The command of the shortest run.
    ///   - kept: The saved files.
    public func lines(reproduceCommand: [String], kept: KeptFinding?) -> [String] {
        let run = cause.shortest.run
        let place = run.injections.map { "\(style.bold($0.faultName)) at \($0.place)" }.joined(separator: " and ")
        let count = CountText.of(cause.entries.count, "run")
        let reason = PrintableText.visible(cause.finding.reason)
        return [
            "  \(style.severity(cause.finding.outcome.rawValue, .error))  \(sentence ?? place)   \(style.muted(count))",
            "        \(sentence == nil ? "" : "\(place)\(alsoBy): ")\(reason)",
        ] + note + Self.end(cause.key, reproduceCommand, kept)
    }

    /// The bytes or the error that the client received, and its reaction.
    private var sentence: String? {
        let reaction: String? =
            switch cause.finding.outcome {
            case .wrongResult, .silentLoss: "did not report it"
            case .crash: "crashed"
            case .hang, .livelock: "did not end"
            default: nil
            }
        return cause.shortest.evidence.map { "\($0)\(reaction.map { ", and the client \($0)" } ?? "")" }
    }

    private var alsoBy: String {
        let names = cause.faults.filter { name in !cause.shortest.run.injections.contains { $0.fault.kind.name == name }
        }
        guard !names.isEmpty else { return "" }
        let more = names.count > Self.mostFaults ? " and \(names.count - Self.mostFaults) more" : ""
        return ", also \(names.prefix(Self.mostFaults).joined(separator: ", "))\(more)"
    }

    private static let mostFaults = 3

    /// The reason why some clients may ignore the finding, a line that may report the failure, or another effect of the cause.
    private var note: [String] {
        if let excuse = cause.excuse {
            return ["        " + LineLabel.note.line("\(excuse.note); --ignore-\(excuse.rawValue) ignores it")]
        }
        if let report = cause.finding.report {
            return ["        " + LineLabel.note.line(PrintableText.visible(report.note))]
        }
        guard let other = cause.others.first else { return [] }
        let more = cause.others.count > 1 ? ", and \(CountText.of(cause.others.count - 1, "other effect"))" : ""
        return [
            "        "
                + LineLabel.also.line("\(other.finding.outcome.rawValue) in \(CountText.of(other.count, "run")): ")
                + PrintableText.visible(other.finding.reason) + more
        ]
    }

    /// Returns the lines for a cause without any fault: the client's mistake, and the control cards that show it.
    public static func lines(
        of cause: FaultlessCause, alongside grid: VerdictGrid, reproduceCommand: [String], kept: KeptFinding?,
        style: TerminalStyle = .plain
    ) -> [String] {
        guard !cause.isKnown else { return [known(cause.key, style)] }
        let finding = cause.found[0].finding
        let cards = cause.found.compactMap(\.card)
        let head = [
            "  \(style.severity(finding.outcome.rawValue, .error))  without any fault",
            "        \(PrintableText.visible(finding.reason))",
        ]
        let others = cards.count > 1 ? [wrapped(.cards, cards.joined(separator: ", "))] : []
        let count = grid.runCount(of: cause)
        let runs = count > 0 ? ["        " + LineLabel.also.line("in \(CountText.of(count, "run")) under faults")] : []
        return head + others + runs + end(cause.key, reproduceCommand, kept)
    }

    static func known(_ key: String, _ style: TerminalStyle) -> String {
        style.muted("  known  \(PrintableText.visible(key))")
    }

    private static func end(_ key: String, _ reproduceCommand: [String], _ kept: KeptFinding?) -> [String] {
        ["        " + LineLabel.cause.line(PrintableText.visible(key))]
            + (kept?.lines ?? ["        " + LineLabel.reproduce.line(ShellText.text(reproduceCommand))])
    }

    private static func wrapped(_ label: LineLabel, _ text: String) -> String {
        "        " + label.line("") + TextTable.wrapped(text, indent: 8 + LineLabel.width).drop { $0 == " " }
    }
}
