import TapSystem
import TapField
import TapFuzz
import TapJudge
import TapScenario
import TapServe
import TapWire

/// Checks whether a test suite notices cards that lie: a baseline run, then one run for each lie.
///
/// Cards that the programs of the suite create with TapSim themselves also lie, following an ``AuditOrder``.
public struct SuiteAudit: Sendable {
    /// The shortest time before a suite under a lie counts as hanging.
    private static let shortestWall = Duration.seconds(10)
    /// The factor by which a suite under a lie may run longer than its baseline run.
    private static let wallFactor = 10
    private static let diaryFile = "audit"
    /// More options for pytest: let it name the tests that pass.
    private static let pytestVariable = "PYTEST_ADDOPTS"

    public var jobs: Int
    public var surroundings = Surroundings()
    /// Returns whether no further run should begin; called on several threads.
    public var isOver: (@Sendable () -> Bool)?
    /// A closure that receives the output of the suite's baseline run as it arrives.
    public var baselineOutput: (@Sendable (ClientProcess.Stream, [UInt8]) -> Void)?
    /// A closure that receives each finished lie, in no particular order and possibly concurrently.
    public var finished: (@Sendable (Finished) -> Void)?

    /// A run under a lie with its case and its result.
    public struct Finished: Sendable {
        public let result: LieResult
        public let scenarioCase: ScenarioCase
        public let record: RunRecord
    }

    /// The run without a lie.
    public struct BaselineRun: Sendable {
        public let end: SuiteEnd
        /// The commands that cards received, including cards that the programs of the suite created.
        public let commands: Set<CommandName>
        /// A Boolean value that indicates whether programs of the suite created cards of their own.
        public let hasOwnCards: Bool
        fileprivate let received: Set<UInt64>
        fileprivate let scenarioCase: ScenarioCase
        fileprivate let wall: Duration
    }

    public init(jobs: Int) {
        self.jobs = jobs
    }

    /// Runs the suite without a lie.
    ///
    /// - Throws: ``RunError`` if the suite fails, or no card received a command.
    public func baseline(_ scenarioCase: ScenarioCase) async throws(RunError) -> BaselineRun {
        let baseline = scenarioCase.byVirtualClock
        let run = try await Self.run(baseline, in: surroundings, injecting: nil, baselineOutput)
        let end = SuiteEnd(run.record)
        guard end.isPassed else {
            throw RunError(
                .baseline,
                "the suite fails without any lie: \(end.text)\(end.lastError). Fix that first")
        }
        let isUsed = run.record.transportUsed != nil
        let commands = run.own.commands.union(isUsed ? run.field.commands : [])
        guard !commands.isEmpty else { throw RunError(.baseline, Self.unseen) }
        return BaselineRun(
            end: end, commands: commands, hasOwnCards: !run.own.commands.isEmpty,
            received: run.field.received.union(run.own.received), scenarioCase: baseline,
            wall: run.record.client.wall ?? .zero)
    }

    private static let unseen =
        "the suite passes, but no virtual card received a command. Its programs find the cards of --card or a file through "
        + "the variables of tapsim run, which sudo, tox and docker drop; cards that its tests create lie if tapsim serve, "
        + "tapsim run, tapsim exchange --listen, the pytest plugin or TapTesting creates them"

    /// Runs the suite once for each lie that can be told in it.
    public func results(of lies: [Lie], after baseline: BaselineRun) async throws(RunError) -> [LieResult] {
        let (finished, isOver, surroundings) = (finished, isOver, surroundings)
        let results = try await Jobs { [jobs] in jobs }.results(of: lies.count) {
            index throws(RunError) -> LieResult? in
            let lie = lies[index]
            if lie.commands.isDisjoint(with: baseline.commands) { return LieResult(notReached: lie) }
            if isOver?() == true { return nil }
            let test = baseline.scenarioCase.limited(
                to: min(baseline.scenarioCase.limits.wall, max(Self.shortestWall, baseline.wall * Self.wallFactor)))
            let run = try await Self.run(test, in: surroundings, injecting: lie)
            let diary = run.field.joined(with: run.own)
            let isReached =
                diary.hasInjectedLie && (lie.isOnlyInMemory || !diary.received.isSubset(of: baseline.received))
            let result = LieResult(lie, SuiteEnd(run.record), isReached: isReached)
            finished?(Finished(result: result, scenarioCase: test.injecting(lie), record: run.record))
            return result
        }
        return results.compactMap(\.self)
    }

    /// A run of the suite with the diary of the audit's field, and the diary of the fields that the suite's programs created.
    private struct Run {
        let record: RunRecord
        let field: AuditDiary
        let own: AuditDiary
    }

    private static func run(
        _ scenarioCase: ScenarioCase, in surroundings: Surroundings, injecting lie: Lie?,
        _ output: (@Sendable (ClientProcess.Stream, [UInt8]) -> Void)? = nil
    ) async throws(RunError) -> Run {
        let folder = try CaseRun.makeFolder()
        defer { folder.remove() }
        let witness = AuditWitness(lie)
        var run = CaseRun(in: surroundings)
        run.observer = witness
        run.clientOutput = output
        let lying = lie.map(scenarioCase.injecting) ?? scenarioCase
        let record = try await run.run(
            lying.withVariables([
                (AuditOrder.lieVariable, lie?.name ?? ""), (AuditOrder.diaryVariable, "\(folder.path)/\(diaryFile)"),
                (pytestVariable, pytestOptions(of: scenarioCase.program, in: surroundings)),
            ]))
        let written = folder.contents(of: diaryFile, upTo: AuditDiary.maximumBytes) ?? []
        return Run(record: record, field: witness.diary, own: AuditDiary(written))
    }

    /// Returns the options of the scenario, or else of the environment, and one that lists the tests that pass.
    static func pytestOptions(of program: ProgramClient?, in surroundings: Surroundings) -> String {
        let own = program?.environment.last { $0.name == pytestVariable }?.value
        let options = own ?? surroundings[pytestVariable] ?? ""
        return options.isEmpty ? "-rpfE" : "\(options) -rpfE"
    }
}

extension ScenarioCase {
    fileprivate var program: ProgramClient? {
        guard case .program(let program)? = client else { return nil }
        return program
    }

    fileprivate func withVariables(_ variables: [(name: String, value: String)]) -> ScenarioCase {
        guard var program else { return self }
        program.environment += variables.map { ProgramClient.Variable($0.name, $0.value) }
        return replacingClient(.program(program))
    }
}
