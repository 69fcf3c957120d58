import TapField
import TapScenario
import TapWire

/// A case as a person reads it: one line when it passes, the whole story when it fails.
public struct CaseText {
    /// Lines shown from the beginning of what a client wrote to one stream.
    private static let firstOutputLines = 4
    /// Lines shown from its end.
    private static let lastOutputLines = 8
    private static let indent = "        "

    private let result: CaseResult
    private let nameWidth: Int
    private let showsOutput: Bool
    private let style: TerminalStyle

    /// Creates the text of a case.
    ///
    /// - Parameters:
    ///   - result: The case.
    ///   - nameWidth: Width of the column of names.
    ///   - showsOutput: Whether what the client wrote is part of the story, since nobody has seen it yet.
    ///   - style: Colours.
    public init(_ result: CaseResult, nameWidth: Int = 0, showsOutput: Bool = true, style: TerminalStyle = .plain) {
        self.result = result
        self.nameWidth = nameWidth
        self.showsOutput = showsOutput
        self.style = style
    }

    public var lines: [String] {
        result.verdict.isPassed ? [passedLine] + notes : failedLines
    }

    private var name: String { PrintableText.visible(result.scenarioCase.displayName) }

    /// Faults that have struck less often than planned, where that fails no run.
    private var unusedFaults: [String] {
        result.record.world.plan.unmet.map { entry, tally in
            let place = entry.source.map { "\($0)  " } ?? ""
            let struck = tally.struck.isEmpty ? "never" : CountText.of(tally.struck.count, "time")
            return "\(Self.indent)\(place)\(PrintableText.visible(entry.name)) struck \(struck)"
        }
    }

    private var clockDecisions: [String] {
        result.clockDecisions.map { "\(Self.indent)by the clock: \($0)" }
    }

    /// What is told below the line of a case that has passed: the first warning is on it.
    private var notes: [String] {
        let warnings = result.verdict.warnings
        let hint = warnings.first?.hint.map { ["\(Self.indent)  \(PrintableText.visible($0))"] } ?? []
        let others = warnings.dropFirst().flatMap { WarningText($0, style: style).lines }
        return hint + others + unusedFaults + clockDecisions
    }

    private var passedLine: String {
        let time = CardTimeText.rounded(result.record.world.now).leftPadded(to: 7)
        let outcome = result.finding.map { "   \($0.outcome.rawValue)" } ?? ""
        let warning = result.verdict.warnings.first.map { "   \(WarningText($0, style: style).line)" } ?? ""
        let name = name.rightPadded(to: nameWidth)
        return "  \(style.success("ok"))    \(name)   \(result.traffic)  \(time) card\(outcome)\(warning)"
    }

    private var failedLines: [String] {
        let failures = result.verdict.failures
        var lines = ["  \(style.severity("FAIL", .error))  \(name)"]
        for failure in failures { lines += text(of: failure) }
        for warning in result.verdict.warnings { lines += WarningText(warning, style: style).lines }
        lines += clockDecisions
        lines += table
        if showsOutput {
            lines += output(result.record.client.standardOutput, "stdout")
            lines += output(result.record.client.standardError, "stderr")
        }
        lines.append("\(Self.indent)again   \(ShellWords.text(result.again))")
        return lines
    }

    private func text(of failure: Failure) -> [String] {
        let place = failure.source.map { "\($0)  " } ?? ""
        let complaint = PrintableText.visible("expected \(failure.expected), got \(failure.got)")
        var lines = ["\(Self.indent)\(place)\(style.bold(failure.path))   \(complaint)"]
        if let hint = failure.hint { lines.append("\(Self.indent)  \(hint)") }
        return lines
    }

    private var table: [String] {
        let trace = result.record.world.trace
        let nearest = result.verdict.failures.lazy.compactMap(\.nearest).first
        let lines = ExchangeTable(trace, marking: nearest, style: style).lines
        let remark = trace.exchangeCount == 0 ? ["\(Self.indent)no frame reached a card"] : []
        guard !lines.isEmpty else { return remark }
        return remark + lines.map { Self.indent + $0 } + ["\(Self.indent)                     \(ending)"]
    }

    private var ending: String {
        switch result.record.client.end {
        case .exit(let code): "nothing more; the client exits \(code)"
        case .signal(let number): "nothing more; signal \(number) ended the client"
        case .timeLimit: "nothing more; the client's time was over"
        case .exchangeLimit: "nothing more is answered; the run's exchanges are used up"
        case .idleLimit: "nothing more; the client did nothing any more"
        case .retryLimit: "nothing more is answered; the same command came too often"
        case .dismissed: "nothing more; the client was asked to end"
        case .killed(let limit, _): "nothing more; the client was ended after \(DurationText.of(limit))"
        case .elsewhere: "nothing more so far"
        }
    }

    private func output(_ text: String, _ name: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        let left = lines.count - Self.firstOutputLines - Self.lastOutputLines
        guard left > 0 else { return lines.map { Self.line($0, name) } }
        return lines.prefix(Self.firstOutputLines).map { Self.line($0, name) }
            + [Self.line("… \(left) lines", name)] + lines.suffix(Self.lastOutputLines).map { Self.line($0, name) }
    }

    private static func line(_ text: some StringProtocol, _ name: String) -> String {
        "\(indent)\(name)  \(PrintableText.line(text))"
    }
}
