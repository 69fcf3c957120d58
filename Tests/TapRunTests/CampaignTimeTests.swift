import ScenarioSupport
import TapFuzz
import TapJudge
import TapScenario
import TapYAML
import Testing

@testable import TapRun

/// The behavior of a campaign when its time is over.
@Suite(.enabled(if: YAMLReader.isAvailable)) struct `The time of a campaign` {
    private func test(_ client: String) throws -> ScenarioCase {
        let source = """
            format: 1
            cards: {tag: {ic: NTAG213, uid: "04 A1 B2 C3 D4 E5 80", ndef: [{uri: "https://example.com"}]}}
            client: \(client)
            """
        return try #require(LoadedScenario(source).first)
    }

    @Test func `stops a run in progress, even if the client ignores the request to end`() async throws {
        let test = try test(#"{run: [sh, -c, "trap '' TERM; while :; do sleep 1; done"]}"#)
        var run = CaseRun()
        run.deadline = .now + .milliseconds(300)
        let error = await #expect(throws: RunError.self) { try await run.run(test) }
        #expect(error?.code == .abandoned)
    }

    @Test func `prevents further runs once it is over`() async throws {
        var run = CaseRun()
        run.deadline = .now
        let test = try test("{builtin: ndef}")
        let error = await #expect(throws: RunError.self) { try await run.run(test) }
        #expect(error?.code == .abandoned)
    }

    @Test(arguments: [true, false]) func `leaves a list of the runs that were not performed`(isOver: Bool) async throws
    {
        let test = try test("{builtin: ndef}")
        let settings = Campaign.Settings(try RunSelection(only: ["rf.silence"]))
        let campaign = try await Campaign(test, settings, on: LateRunner(baselineRuns: Baseline.runCount))
        var limits = CampaignLimits(time: isOver ? .zero : nil)
        let grid = try await campaign.report(within: &limits).grid
        let runs = campaign.phase.runs
        #expect(grid.entries.isEmpty && grid.notRun == runs && grid.plannedCount == runs.count && !runs.isEmpty)
        #expect(grid.neverReached.isEmpty && grid.faultNames == ["rf.silence"])
        #expect(limits.stop == (isOver ? .time : nil))
    }

    @Test(arguments: [(4, 0.95, 8), (4, 0.3, 5), (8, 0.5, 16), (8, 0.1, 8), (8, 0.01, 7), (2, 0.01, 2), (40, 0.99, 64)])
    func `is shared by as many jobs as keep the processors busy`(count: Int, idle: Double, next: Int) {
        #expect(JobLimit.count(after: count, idle: idle, atLeast: 2, atMost: 64) == next)
    }

    @Test(arguments: [
        (4, 0.02, 0.03, 5), (4, 0.95, 0.03, 8), (4, 0.02, 0.4, 3), (21, 0.02, 0.03, 21), (30, 0.02, 0.03, 30),
    ])
    func `is shared by more jobs on a busy machine while their clients only wait`(
        count: Int, idle: Double, use: Double, next: Int
    ) {
        #expect(JobLimit.count(after: count, idle: idle, use: use, atLeast: 2, atMost: 64) == next)
    }
}

/// A runner that performs only some runs in time.
private actor LateRunner: Runner {
    private var left: Int
    nonisolated let client = ClientKind.builtin

    init(baselineRuns: Int) {
        left = baselineRuns
    }

    func record(of run: CampaignRun) async throws -> RunRecord {
        left -= 1
        let runner = CaseRunner(run.scenarioCase, before: left < 0 ? .now : nil)
        return try await runner.record(of: run)
    }
}
