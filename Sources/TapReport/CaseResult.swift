import TapField
import TapScenario
import TapWire

/// A case that was run and judged: what every report tells in its own way.
public struct CaseResult: Sendable {
    /// The case as it was run.
    public let scenarioCase: ScenarioCase
    public let record: RunRecord
    /// What the judge says of it.
    public let verdict: Verdict
    /// The command line that runs the case again.
    public let again: [String]

    public init(_ scenarioCase: ScenarioCase, _ record: RunRecord, _ verdict: Verdict, again: [String]) {
        self.scenarioCase = scenarioCase
        self.record = record
        self.verdict = verdict
        self.again = again
    }

    /// What became of the client, where the case asks for that and clean runs could tell.
    var finding: OutcomeFinding? { try? record.outcome?.get() }

    /// What the clock of the machine decided; where the case has failed also which steps of its timeline came by it.
    var clockDecisions: [String] {
        guard !verdict.isPassed else { return record.clockDecisions }
        var steps: [SourceReference] = []
        for event in record.world.trace.events where event.isMeasured {
            if let source = event.source, steps.last != source { steps.append(source) }
        }
        return steps.map { "\($0) came at its own time, whatever the client did" } + record.clockDecisions
    }

    /// How often the client read and wrote, in words: `2 reads, 1 write`.
    var traffic: String {
        let trace = record.world.trace
        var reads = trace.omission?.count(where: \.isRead) ?? 0
        var writes = trace.omission?.count(where: \.isWrite) ?? 0
        for exchange in trace.entries.lazy.compactMap(\.exchange) {
            guard let name = CommandName(of: exchange.command) else { continue }
            reads += name.isRead ? 1 : 0
            writes += name.isWrite ? 1 : 0
        }
        let parts = [(reads, "read"), (writes, "write")].filter { $0.0 > 0 || $0.1 == "read" }
        return parts.map { CountText.of($0.0, $0.1) }.joined(separator: ", ")
    }
}

extension CommandName {
    fileprivate var isRead: Bool { feliCaCode == .readWithoutEncryption || opcode == .read || opcode == .fastRead }

    fileprivate var isWrite: Bool {
        feliCaCode == .writeWithoutEncryption || opcode == .write || opcode == .compatibilityWrite
    }
}
