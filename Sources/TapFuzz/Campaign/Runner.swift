import TapJudge
import TapScenario

/// A way to perform the runs of a campaign: it starts a program, calls a function or drives an app.
public protocol Runner: Sendable {
    /// The kind of its client, which determines the faults that can occur.
    var client: ClientKind { get }

    /// Performs a run and returns its record.
    ///
    /// - Throws: ``RunAbandoned`` if the time of the campaign was over before the run ended.
    func record(of run: CampaignRun) async throws -> RunRecord

    /// Returns a runner that performs the same runs in less time.
    ///
    /// - Parameter baseline: The case without faults.
    func quicker(for baseline: CampaignRun) async throws(NoQuickRunner) -> QuickRunner
}

extension Runner {
    public func quicker(for baseline: CampaignRun) async throws(NoQuickRunner) -> QuickRunner {
        throw NoQuickRunner("its runs need no start")
    }
}

public struct CampaignRun: Sendable {
    /// The name of the run or of its control card; `nil` without either.
    public let name: String?
    public let scenarioCase: ScenarioCase
    /// A Boolean value that indicates whether to count control-flow edges, if the client was built for that.
    public let countsEdges: Bool

    init(_ scenarioCase: ScenarioCase, named name: String? = nil, countsEdges: Bool = false) {
        self.scenarioCase = scenarioCase
        self.name = name
        self.countsEdges = countsEdges
    }
}

/// An error: the time of the campaign was over before a run ended.
public struct RunAbandoned: Error, CustomStringConvertible {
    public let description = "the time was over before the run ended"

    public init() {}
}

/// A runner whose client was started once, for all runs.
public struct QuickRunner: Sendable {
    let runner: any Runner
    public let startTime: Duration

    public init(_ runner: some Runner, startTime: Duration) {
        self.runner = runner
        self.startTime = startTime
    }
}

/// The reason why the client is started for each run, as a clause.
public struct NoQuickRunner: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
