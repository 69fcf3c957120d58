import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// A case for people: one line if it passes, the whole story if it fails.
public struct CaseText {
    private static let firstOutputLines = 4
    private static let lastOutputLines = 8
    private static let indent = "        "

    private let result: CaseResult
    private let nameWidth: Int
    private let showsOutput: Bool
    private let style: TerminalStyle
    private let earlier: String?
    private static let mostFailures = 8

    /// - Parameters:
    ///   - showsOutput: Whether to show the client's output, because it was not printed yet.
    ///   - earlier: The name of a case that was printed with the same failures; they are not printed again.
    public init(
        _ result: CaseResult, nameWidth: Int = 0, showsOutput: Bool = true, like earlier: String? = nil,
        style: TerminalStyle = .plain
    ) {
        self.earlier = earlier
        self.result = result
        self.nameWidth = nameWidth
        self.showsOutput = showsOutput
        self.style = style
    }

    public var lines: [String] {
        result.verdict.isPassed ? [passedLine] + notes : failedLines
    }

    private var name: String { PrintableText.visible(result.scenarioCase.displayName) }

    private var unusedFaults: [String] {
        result.record.world.plan.unmet.map { entry, tally in
            let place = entry.source.map { "\($0)  " } ?? ""
            let injected = tally.injected.isEmpty ? "never" : CountText.of(tally.injected.count, "time")
            return "\(Self.indent)\(place)\(PrintableText.visible(entry.name)) injected \(injected)"
        }
    }

    private var clockDecisions: [String] {
        result.clockDecisions.map { "\(Self.indent)by the clock: \($0)" }
    }

    /// The lines below a passed case; its first warning is on the case's own line.
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
        let end = result.record.end.endedByTapSim.map { "   \($0)" } ?? ""
        return "  \(style.success("ok"))    \(name)   \(result.traffic)  \(time) card\(outcome)\(end)\(warning)"
    }

    private var failedLines: [String] {
        let failures = result.verdict.failures
        let heading = "  \(style.severity("FAIL", .error))  \(name)"
        if let earlier { return ["\(heading)   fails like \(PrintableText.visible(earlier))"] + ending }
        var lines = [heading]
        for failure in failures.prefix(Self.mostFailures) { lines += text(of: failure) }
        let left = failures.count - Self.mostFailures
        if left > 0 { lines.append("\(Self.indent)… and \(CountText.of(left, "more failure"))") }
        for warning in result.verdict.warnings { lines += WarningText(warning, style: style).lines }
        lines += clockDecisions
        lines += table
        if showsOutput {
            lines += output(result.record.client.standardOutput, "stdout")
            lines += output(result.record.client.standardError, "stderr")
        }
        return lines + ending
    }

    private var ending: [String] {
        let page = result.folder.map { [Self.indent + LineLabel.page.line("\($0)/trace.html")] } ?? []
        return page + [Self.indent + LineLabel.reproduce.line(ShellText.text(result.reproduceCommand))]
    }

    /// The text of all failures; the same for cases that fail in the same way.
    public var failureText: String { result.verdict.failures.flatMap(text).joined(separator: "\n") }

    private func text(of failure: Failure) -> [String] {
        let place = failure.source.map { "\($0)  " } ?? ""
        let difference = result.scenarioCase.stations.named("expected \(failure.expected), got \(failure.got)")
        let complaint = PrintableText.visible(difference)
        var lines = ["\(Self.indent)\(place)\(style.bold(failure.path))   \(complaint)"]
        lines += failure.comparison.map { "\(Self.indent)  \($0)" }
        if let hint = failure.hint { lines.append("\(Self.indent)  \(hint)") }
        return lines
    }

    private var table: [String] {
        let trace = result.record.world.trace
        let nearest = result.verdict.failures.lazy.compactMap(\.nearest).first
        let lines = ExchangeTable(trace, marking: nearest, style: style).lines
        let remark = trace.exchangeCount == 0 ? ["\(Self.indent)no frame reached a card"] : []
        guard !lines.isEmpty else { return remark }
        let ending = "                     \(result.record.end.line)"
        return remark + (lines + [ending]).map { Self.indent + $0 }
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

enum CardTimeText {
    /// Returns a time with one decimal, for tables: `12.0`.
    static func precise(_ time: Duration) -> String {
        let tenths = time.wholeNanoseconds / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }

    static func column(_ time: Duration) -> String {
        precise(time).leftPadded(to: 9)
    }

    /// Returns a rounded time: `41 ms`.
    static func rounded(_ time: Duration) -> String {
        "\((time.wholeNanoseconds + 500_000) / 1_000_000) ms"
    }
}

/// A limit for messages that may come without end: it shows the first ones in full, then one per second with a count.
///
/// The caller supplies the time.
public struct MessageLimit: Sendable {
    /// The number of messages shown in full.
    public static let firstCount = 20
    /// The pause after these, and between two messages with a count.
    public static let pause = Duration.seconds(1)

    private var shownCount = 0
    private var leftOut = 0
    private var latest = ""
    private var next: ContinuousClock.Instant?

    public init() {}

    /// Returns the text to show for a message now; `nil` if it is only counted.
    public mutating func line(for message: String, at now: ContinuousClock.Instant) -> String? {
        guard shownCount >= Self.firstCount else {
            shownCount += 1
            return message
        }
        leftOut += 1
        latest = message
        guard let next, now < next else {
            defer { self.next = now + Self.pause }
            return next == nil ? nil : rest()
        }
        return nil
    }

    /// Returns the text for the messages that were counted and not shown yet, at the end.
    public mutating func rest() -> String? {
        guard leftOut > 0 else { return nil }
        defer { leftOut = 0 }
        return "\(leftOut) more; the last: \(latest)"
    }
}

public struct WarningText {
    private static let indent = "        "

    private let warning: Warning
    private let style: TerminalStyle

    public init(_ warning: Warning, style: TerminalStyle = .plain) {
        self.warning = warning
        self.style = style
    }

    /// A warning in one line: `warning: prints nothing that is on the card`.
    var line: String { "\(style.severity("warning", .warning)): \(PrintableText.visible(warning.text))" }

    public var lines: [String] {
        ["\(Self.indent)\(line)"] + (warning.hint.map { ["\(Self.indent)  \(PrintableText.visible($0))"] } ?? [])
    }
}

/// A command of a host and its outcome, in words.
struct CallText {
    private static let maximumBytes = 40

    private let call: HostCall

    init(_ call: HostCall) {
        self.call = call
    }

    /// The command, such as `APDU FF A4 00 01 02 0F 09`.
    var command: String {
        let bytes = Self.hex(call.command)
        return switch call.layer {
        case .apdu: "APDU \(bytes)"
        case .control(let code) where ControlCode(code).isEscape: "escape \(bytes)"
        case .control(let code): "control \(ControlCode(code)) \(bytes)"
        case .pn532: "PN532 \(bytes)"
        case .port100: "Port-100 \(bytes)"
        case .usb(let endpoint):
            USBEndpoint.isIn(endpoint)
                ? "USB IN \(Hex.digits(endpoint, width: 2))" : "USB OUT \(Hex.digits(endpoint, width: 2)) \(bytes)"
        case .pcsc, .phone: ([call.layer.function] + (bytes.isEmpty ? [] : [bytes])).joined(separator: " ")
        }
    }

    /// The outcome, such as `6D00`, or data and a status word.
    var outcome: String {
        switch call.outcome {
        case .answer(let bytes): answer(bytes) + (call.isRefused ? "   refused" : "")
        case .unsupported: "the driver does not know this command"
        case .noCard: "no card"
        case .failed: "no answer from the reader"
        case .waiting: "no answer yet"
        case .returned(let result): result
        }
    }

    private func answer(_ bytes: [UInt8]) -> String {
        // A transfer to the reader has no answer of its own.
        if case .usb = call.layer, bytes.isEmpty { return "taken" }
        guard call.layer.hasStatusWord, let response = try? ResponseAPDU(parsing: bytes) else { return Self.hex(bytes) }
        return response.data.isEmpty ? "\(response.status)" : "\(Self.hex(response.data))   \(response.status)"
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let text = Hex.text(bytes.prefix(maximumBytes), separator: " ")
        return bytes.count > maximumBytes ? "\(text) … \(CountText.of(bytes.count, "byte"))" : text
    }
}

/// The heading above the cases of a scenario: its name, the seed and the client, and its title on a line of its own.
public enum ScenarioText {
    public static func heading(
        name: String, title: String? = nil, seed: UInt64, client: String, style: TerminalStyle = .plain
    ) -> String {
        let title = title.map { "\n  \(style.muted(PrintableText.visible($0)))" } ?? ""
        return "\(style.bold(PrintableText.visible(name)))  seed \(seed)  \(PrintableText.visible(client))\(title)"
    }

    public static func summary(passed: Int, failed: Int, skipped: Int, style: TerminalStyle = .plain) -> String {
        let failures = failed > 0 ? style.severity("\(failed) failed", .error) : "0 failed"
        return "\(passed) passed, \(failures)" + (skipped > 0 ? ", \(skipped) skipped" : "")
    }
}
