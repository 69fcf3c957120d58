import TapDescribe
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// What a maintainer of a client is told of a finding: `report.md`.
public struct FindingReport {
    /// A file that took part, with its SHA-256.
    public struct Program {
        let path: String
        /// What brought it, with its version.
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
    private let clean: [Exchange]
    private let client: String
    private let programs: [Program]
    private let version: String
    private let isFlaky: Bool

    /// - Parameters:
    ///   - run: What was run; `nil` for a run without faults.
    ///   - finding: What the client did in it.
    ///   - result: The run as it was made.
    ///   - clean: The exchanges of a run without faults.
    ///   - client: Its command.
    ///   - programs: The client, and files that its command names.
    ///   - version: That of TapSim.
    ///   - isFlaky: Whether the run did not show it once more.
    public init(
        _ run: FuzzRun?, _ finding: OutcomeFinding, _ result: CaseResult, clean: [Exchange], client: String,
        programs: [Program],
        tapsim version: String, isFlaky: Bool
    ) {
        self.run = run
        self.finding = finding
        self.result = result
        self.clean = clean
        self.client = client
        self.programs = programs
        self.version = version
        self.isFlaky = isFlaky
    }

    /// Markdown; the last line ends with a line break.
    ///
    /// - Parameters:
    ///   - playing: The command that plays the run to the client with Python alone, if that can be.
    ///   - repeating: The command that makes the run again by TapSim.
    public func text(playing: String?, repeating: String) -> String {
        let alone = playing.map { ["With Python alone, from the recorded run:", ""] + fenced([$0]) + [""] } ?? []
        let parts = [
            ["# \(title)", "", effect], facts, expectation, changes, table, output,
            ["## See it", ""] + alone + ["With TapSim, from the cards:", ""] + fenced([repeating]),
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    /// The verdict, and where.
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
        let often = isFlaky ? " It does not do so each time." : ""
        return visible("Where \(what.joined(separator: ", and ")): \(finding.reason).\(often)")
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
            ? "What is on the card, which does nothing wrong."
            : "The result that it gives without faults, or an error that says that it could not read the card."
        return [
            "## Expected", "", right,
            "", "## Got", "", visible("\(finding.outcome.rawValue): \(finding.reason)"),
        ] + (finding.exchange.map { ["", "It shows at exchange \($0)."] } ?? [])
    }

    /// How many exchanges are shown that a fault has changed later.
    private static let mostLater = 3

    /// What the client was given in place of what the card says, the other bytes in brackets.
    private var changes: [String] {
        guard run != nil else { return [] }
        let places = Set(result.record.world.plan.tallies.flatMap(\.injected))
        let exchanges = result.record.world.trace.exchanges
        let injected = exchanges.filter { places.contains($0.number) }
        // Other content shows where it is read.
        let later = exchanges.filter { exchange in
            same(as: exchange).map { Self.text(of: $0) != Self.text(of: exchange) } ?? false
        }
        let hasChanged = later.contains { places.contains($0.number) }
        let lines = (hasChanged || later.isEmpty ? injected : Array(later.prefix(Self.mostLater))).flatMap { exchange in
            let same = same(as: exchange)
            return [
                "exchange \(exchange.number)",
                "  it asked    \(Hex.text(exchange.command.bytes, separator: " "))",
                same.map { "  card says   \(Self.text(of: $0))" },
                "  it was told \(Self.marked(exchange, against: same))",
            ].compactMap(\.self)
        }
        return lines.isEmpty ? [] : ["## What was changed", ""] + fenced(lines)
    }

    /// The exchange of the clean run.
    private func same(as exchange: Exchange) -> Exchange? {
        clean.first { $0.number == exchange.number && $0.command == exchange.command }
    }

    private static func text(of exchange: Exchange) -> String {
        exchange.answers.first.map { Hex.text($0.frame.bytes, separator: " ") } ?? "nothing"
    }

    private static func marked(_ exchange: Exchange, against clean: Exchange?) -> String {
        guard let bytes = exchange.answers.first?.frame.bytes else { return "nothing" }
        guard let sound = clean?.answers.first?.frame.bytes else { return text(of: exchange) }
        let marked = bytes.enumerated().map { index, byte in
            let text = Hex.text([byte])
            return index < sound.count && sound[index] == byte ? text : "[\(text)]"
        }
        let missing = sound.count - bytes.count
        return (marked + (missing > 0 ? ["[\(CountText.of(missing, "byte")) missing]"] : [])).joined(separator: " ")
    }

    private var table: [String] {
        let lines = ExchangeTable(result.record.world.trace, marking: finding.exchange).lines
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

    /// A block that no line in it can end.
    private func fenced(_ lines: [String]) -> [String] {
        let fence = lines.contains { $0.contains("```") } ? "~~~~~~" : "```"
        return ["\(fence)text"] + lines + [fence]
    }

    private func visible(_ text: String) -> String { PrintableText.visible(text) }
}
