import TapJudge
import TapScenario

/// The client runs that a scenario is drafted from, and the draft with what they show about the client.
struct DraftRuns {
    /// The time limit for a client to end by itself.
    private static let patience = Duration.seconds(10)
    /// The time to watch a waiting client before the first card arrives.
    private static let waitWithoutCard = Duration.seconds(5)
    /// The pause between runs.
    ///
    /// Clocks in output mostly show seconds, so runs closer together would agree by chance.
    private static let pause = Duration.seconds(1)

    private(set) var draft: ScenarioDraft
    private(set) var records: [RunRecord] = []
    private let run: (ScenarioCase) async throws -> RunRecord

    /// Runs the client of a case: twice if it is a program, and again with `taps: 1` if it does not end by itself.
    init(
        of test: ScenarioCase, for draft: ScenarioDraft, _ console: Console,
        run: @escaping (ScenarioCase) async throws -> RunRecord
    ) async throws {
        self.draft = draft
        self.run = run
        guard case .program(let client) = draft.client else {
            records = [try await run(test)]
            return
        }
        records = [try await run(test.bounded(wall: Self.patience, exchanges: test.limits.exchanges))]
        if hasEnded {
            try await Task.sleep(for: Self.pause)
            records.append(try await run(test))
        }
        if hasEnded { return }
        if let signal = records.lazy.compactMap(\.client.end.signal).first {
            throw VerbError(.failed, "the client crashed with signal \(signal); no file was written")
        }
        console.printError("note: the client does not end by itself; running it again with `taps: 1`")
        try await visit(client)
    }

    private var hasEnded: Bool {
        records.allSatisfy { if case .exit = $0.client.end { true } else { false } }
    }

    /// Runs a client that keeps running for one visit of the card, which begins when the client prints that it is ready.
    private mutating func visit(_ client: ProgramClient) async throws {
        draft.visits = 1
        var ready = client
        ready.ready = try await readyLine(of: client)
        try await recordVisits(ready)
        if ready.ready != nil, records.contains(where: { $0.client.missedReady != nil }) {
            // The line differs from run to run.
            try await recordVisits(client)
        }
        if hasEnded {
            // The client was only slow.
            (draft.visits, draft.client) = (nil, .program(client))
            return
        }
        guard records.allSatisfy({ $0.client.visits?.finished == 1 && $0.client.end.isByVisits }) else {
            throw VerbError(
                .failed, "the client neither ended by itself nor finished with the card; no file was written")
        }
    }

    private mutating func recordVisits(_ client: ProgramClient) async throws {
        draft.client = .program(client)
        guard let test = draft.scenarioCase else {
            throw VerbError(.failed, "the client cannot be run with `taps`; no file was written")
        }
        records = [try await run(test)]
        try await Task.sleep(for: Self.pause)
        records.append(try await run(test))
    }

    /// Returns the last line that a client prints while it waits for its first card, if any.
    private func readyLine(of client: ProgramClient) async throws -> LinePattern? {
        var waiting = client
        // No output matches this line, so no card arrives.
        waiting.ready = LinePattern("\u{0}")
        waiting.killAfter = Self.waitWithoutCard
        var copy = draft
        copy.client = .program(client)
        guard let test = copy.scenarioCase else { return nil }
        let output = try await run(test.replacingClient(.program(waiting))).client.standardOutput
        return output.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
            .flatMap { LinePattern(String($0)) }
    }
}

extension ClientReport.End {
    fileprivate var signal: Int32? {
        if case .signal(let signal) = self { signal } else { nil }
    }

    /// A Boolean value that indicates whether the client ended by itself or was ended after its last visit.
    fileprivate var isByVisits: Bool {
        switch self {
        case .exit, .dismissed: true
        default: false
        }
    }
}
