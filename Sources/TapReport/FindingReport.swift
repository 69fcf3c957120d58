import TapField
import TapJudge
import TapScenario
import TapWire

/// A report of a finding for the maintainer of a client: `report.md`.
public struct FindingReport {
    /// A file involved in the run, with its SHA-256.
    public struct Program {
        let path: String
        /// The package that contains it, with its version.
        let package: String?
        let digest: String?

        public init(path: String, package: String?, digest: [UInt8]?) {
            self.path = path
            self.package = package
            self.digest = digest.map { Hex.text($0).lowercased() }
        }
    }

    private let run: FuzzRun?
    private let finding: OutcomeFinding
    private let result: CaseResult
    private let baseline: Trace
    private let client: String
    private let programs: [Program]
    private let version: String
    private let isFlaky: Bool

    /// - Parameters:
    ///   - run: The run; `nil` for a run without faults.
    ///   - finding: The client's behaviour in it.
    ///   - result: The result of the run.
    ///   - baseline: The trace of a run without faults.
    ///   - client: The command of the client.
    ///   - programs: The client, and files that its command names.
    ///   - version: The version of TapSim.
    ///   - isFlaky: Whether repeating the run did not show the finding.
    public init(
        _ run: FuzzRun?, _ finding: OutcomeFinding, _ result: CaseResult, baseline: Trace, client: String,
        programs: [Program], tapsim version: String, isFlaky: Bool
    ) {
        self.run = run
        self.finding = finding
        self.result = result
        self.baseline = baseline
        self.client = client
        self.programs = programs
        self.version = version
        self.isFlaky = isFlaky
    }

    /// Returns the report in Markdown; the last line ends with a line break.
    ///
    /// - Parameters:
    ///   - playing: The command that replays the run to the client with Python alone, if that is possible.
    ///   - repeating: The command that repeats the run with TapSim.
    public func text(playing: String?, repeating: String) -> String {
        let alone = playing.map { ["With Python alone, from the recorded run:", ""] + fenced([$0]) + [""] } ?? []
        let parts = [
            ["# \(title)", "", effect], facts, expectation, changes, table, output,
            ["## Reproduce", ""] + alone + ["With TapSim, from the cards:", ""] + fenced([repeating]),
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    public var title: String {
        guard let run else { return "\(finding.outcome.rawValue) without any fault" }
        return "\(finding.outcome.rawValue) at \(run.injections.map(\.fault.kind.name).joined(separator: " and "))"
    }

    private var effect: String {
        guard let run else {
            return visible("\(finding.reason.prefix(1).uppercased())\(finding.reason.dropFirst()).")
        }
        let what = run.injections.map { injection in
            let summary = injection.fault.kind.summary
            return "\(summary.prefix(1).lowercased())\(summary.dropFirst().prefix { $0 != "." }) (\(injection.place))"
        }
        let often = isFlaky ? " This does not happen every time." : ""
        return visible("When \(what.joined(separator: ", and ")): \(finding.reason).\(often)")
    }

    private var facts: [String] {
        let files = programs.map { program in
            "- `\(visible(program.path))`\(program.package.map { ", of \(visible($0))" } ?? "")"
                + (program.digest.map { ", SHA-256 `\($0)`" } ?? "")
        }
        let faults = (run?.injections ?? []).map { injection in
            "- `\(injection.name)`: \(injection.fault.kind.models)"
        }
        let cards = result.scenarioCase.cards.map { visible($0.name) }.joined(separator: ", ")
        return ["- `\(visible(client))`"] + files
            + ["- card \(cards), seed \(result.scenarioCase.seed), TapSim \(version)"] + faults
    }

    private var expectation: [String] {
        let right =
            run == nil
            ? "The contents of the card, which behaves correctly."
            : "The result without faults, or an error that reports that the card could not be read."
        return [
            "## Expected", "", right,
            "", "## Got", "", visible("\(finding.outcome.rawValue): \(finding.reason)"),
        ] + (exchange.map { ["", "Seen at exchange \($0)."] } ?? [])
    }

    /// The exchange of the finding, unless it precedes the fault: then it contains the right value, not what shows the
    /// finding.
    private var exchange: Int? {
        finding.exchange.flatMap { number in number >= injectedExchanges.first?.number ?? 0 ? number : nil }
    }

    /// The number of exchanges shown that a fault changed later.
    private static let mostLater = 3

    /// The bytes that the client received instead of the original ones, with the differing bytes in brackets.
    private var changes: [String] {
        guard run != nil else { return [] }
        let lines = changedLines
        return lines.isEmpty ? [] : ["## What was changed", ""] + fenced(lines)
    }

    private var trace: Trace { result.record.world.trace }

    private var injectedExchanges: [Exchange] {
        let places = Set(result.record.world.plan.tallies.flatMap(\.injected))
        return trace.exchanges.filter { places.contains($0.number) }
    }

    /// The exchanges of the faults, or the answer that the reader changed; otherwise the first exchanges that differ, because
    /// other contents show where they are read.
    private var changedLines: [String] {
        let changed = trace.exchanges.filter { exchange in
            same(as: exchange).map { Self.bytes(of: $0) != Self.bytes(of: exchange) } ?? false
        }
        let injected = injectedExchanges
        if changed.contains(where: injected.contains) { return injected.flatMap(lines) }
        if let call = injected.lazy.compactMap({ changedCall(leadingTo: $0.number) }).first { return call }
        if changed.isEmpty { return changedCall ?? injected.flatMap(lines) }
        return changed.prefix(Self.mostLater).flatMap(lines)
    }

    /// Returns the reader's answer for an exchange, if it differs from the baseline run.
    private func changedCall(leadingTo number: Int) -> [String]? {
        guard let call = trace.call(leadingTo: number), let same = baseline.call(leadingTo: number),
            call.layer == same.layer, call.command == same.command, call.outcome != same.outcome
        else { return nil }
        return Self.lines(of: call, insteadOf: same)
    }

    private func lines(of exchange: Exchange) -> [String] {
        let same = same(as: exchange)
        return [
            "exchange \(exchange.number)",
            "  asked       \(Hex.text(exchange.command.bytes, separator: " "))",
            same.map { "  card sent   \(Self.marked(Self.bytes(of: $0), against: nil))" },
            "  received    \(Self.marked(Self.bytes(of: exchange), against: same.flatMap(Self.bytes)))",
        ].compactMap(\.self)
    }

    /// The first answer of the reader that differs, if the traffic over the air is the same as in the baseline run.
    private var changedCall: [String]? {
        let calls = zip(trace.calls, baseline.calls).first { call, same in
            call.layer == same.layer && call.command == same.command && call.outcome != same.outcome
        }
        return calls.map(Self.lines)
    }

    private static func lines(of call: HostCall, insteadOf same: HostCall) -> [String] {
        [
            "between client and reader",
            "  asked       \(CallText(call).command)", "  reader sent \(CallText(same).outcome)",
            "  received    \(text(of: call, against: same.outcome.answer))",
        ]
    }

    private static func text(of call: HostCall, against baseline: [UInt8]) -> String {
        if case .answer(let bytes) = call.outcome { marked(bytes, against: baseline) } else { CallText(call).outcome }
    }

    private func same(as exchange: Exchange) -> Exchange? {
        baseline.exchanges.first { $0.number == exchange.number && $0.command == exchange.command }
    }

    private static func bytes(of exchange: Exchange) -> [UInt8]? {
        exchange.answers.first.map { Array($0.frame.bytes) }
    }

    private static func marked(_ bytes: [UInt8]?, against baseline: [UInt8]?) -> String {
        guard let bytes else { return "nothing" }
        guard let baseline else { return Hex.text(bytes, separator: " ") }
        let marked = bytes.enumerated().map { index, byte in
            let text = Hex.text([byte])
            return index < baseline.count && baseline[index] == byte ? text : "[\(text)]"
        }
        let missing = baseline.count - bytes.count
        return (marked + (missing > 0 ? ["[\(CountText.of(missing, "byte")) missing]"] : [])).joined(separator: " ")
    }

    private var table: [String] {
        let lines = ExchangeTable(trace, marking: finding.exchange).lines
        return lines.isEmpty ? [] : ["## Exchanges", ""] + fenced(lines)
    }

    private var output: [String] {
        [("Output", result.record.client.standardOutput), ("Errors", result.record.client.standardError)]
            .filter { !$0.1.isEmpty }
            .flatMap { ["## \($0.0)", ""] + fenced(Self.lines(of: $0.1)) + [""] }.dropLast()
    }

    private static let mostLines = 40

    private static func lines(of text: String) -> [String] {
        let lines = text.split(whereSeparator: \.isNewline).map { PrintableText.visible(String($0)) }
        return lines.count <= mostLines
            ? lines : lines.prefix(mostLines) + ["… \(CountText.of(lines.count - mostLines, "more line"))"]
    }

    /// Returns a block that no line in it can end.
    private func fenced(_ lines: [String]) -> [String] {
        let fence = lines.contains { $0.contains("```") } ? "~~~~~~" : "```"
        return ["\(fence)text"] + lines + [fence]
    }

    private func visible(_ text: String) -> String { PrintableText.visible(text) }
}

extension Trace {
    /// Returns the innermost call of the host that led to an exchange.
    fileprivate func call(leadingTo number: Int) -> HostCall? {
        var count = 0
        for event in events {
            switch event.kind {
            case .command: count += 1
            case .call(let call) where call.exchangeCount > 0 && count >= number:
                return count - call.exchangeCount < number ? call : nil
            default: continue
            }
        }
        return nil
    }
}
