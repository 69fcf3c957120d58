import TapSystem
import TapField
import TapJudge
import TapReading
import TapReport
import TapScenario
import TapServe

public struct CaseRun: Sendable {
    /// An observer that receives every event in the field.
    public var observer: (any TraceObserver)?
    /// A closure that receives the output of a program as it arrives.
    public var clientOutput: (@Sendable (ClientProcess.Stream, [UInt8]) -> Void)?
    /// A closure that receives the variables of a program before it starts.
    public var clientEnvironment: (@Sendable ([(name: String, value: String)]) -> Void)?
    /// A real reader to use instead of virtual cards, named by a part of its name.
    public var hardware: String?
    /// The lies that `tapsim audit` asks cards to tell; they are not faults of the case, which is judged without them.
    public var order: AuditOrder?
    /// A Boolean value that indicates whether programs report which parts of their code they run.
    var measuresCoverage = false
    /// Clients that are already started and that a program may be copied from.
    var starts: StartedClients?
    /// A Boolean value that indicates whether programs have a time limit; false under a debugger.
    public var hasTimeLimit = true
    /// The working directory and the environment of programs.
    public var surroundings: Surroundings
    /// The time at which a run that has not ended is abandoned.
    var deadline: ContinuousClock.Instant?
    /// The time that a program has to end after it was asked to.
    private(set) var grace = ClientLimits().grace

    public init(in surroundings: Surroundings = Surroundings()) {
        self.surroundings = surroundings
    }

    /// Runs the client of a case on its cards, or else the built-in client that suits the first card.
    public func run(_ scenarioCase: ScenarioCase) async throws(RunError) -> RunRecord {
        try Self.check(scenarioCase)
        return try await perform(scenarioCase)
    }

    private func perform(_ scenarioCase: ScenarioCase) async throws(RunError) -> RunRecord {
        if let deadline { return try await perform(scenarioCase, before: deadline) }
        if let order, hardware == nil {
            var run = self
            (run.order, run.observer) = (nil, order.observer(alongside: observer))
            return try await run.perform(order.applied(to: scenarioCase))
        }
        return switch (Self.client(of: scenarioCase), hardware) {
        case (.builtin(let client), nil): await run(client, scenarioCase)
        case (.builtin(let client), let reader?): try await run(client, scenarioCase, on: reader)
        case (.program(let client), nil):
            try await Self.blocking { () throws(RunError) in try run(client, scenarioCase) }
        case (.program(let client), let reader?):
            try await Self.blocking { () throws(RunError) in try run(client, scenarioCase, on: reader) }
        }
    }

    /// Runs a case, abandoning it at a deadline.
    private func perform(
        _ scenarioCase: ScenarioCase, before deadline: ContinuousClock.Instant
    ) async throws(RunError) -> RunRecord {
        let abandoned = RunError(.abandoned, "the time was over before the run ended")
        let left = deadline - .now
        guard left > .zero else { throw abandoned }
        let wall = min(scenarioCase.limits.wall, left)
        var run = self
        run.deadline = nil
        run.grace = max(Self.leastGrace, min(grace, left - wall))
        let record = try await run.perform(scenarioCase.limited(to: wall))
        guard ContinuousClock.now < deadline else { throw abandoned }
        return record
    }

    /// The minimum grace period of an abandoned program.
    private static let leastGrace = Duration.milliseconds(100)

    /// Throws an error for a case that cannot run as stated.
    public static func check(_ scenarioCase: ScenarioCase) throws(RunError) {
        if let obstacle = scenarioCase.obstacle(to: ClientKind(client(of: scenarioCase))) {
            throw RunError(.client, obstacle.text)
        }
    }

    /// Waits for a program on a separate thread, so that several runs can execute in parallel.
    private static func blocking(
        _ work: @escaping @Sendable () throws(RunError) -> RunRecord
    ) async throws(RunError) -> RunRecord {
        let result: Result<RunRecord, RunError>
        do {
            result = try await BlockingThread.value { Result(catching: work) }
        } catch {
            throw RunError(.environment, error.description)
        }
        return try result.get()
    }

    func world(of scenarioCase: ScenarioCase) -> World {
        scenarioCase.makeWorld(trace: Trace(bound: .run, observer: observer))
    }

    /// Returns the client of a case, or else the built-in client that suits the first card.
    public static func client(of scenarioCase: ScenarioCase) -> ClientSpec {
        scenarioCase.client ?? .builtin(.suiting(scenarioCase.cards))
    }

    public static func clientText(_ scenarioCase: ScenarioCase) -> String {
        switch client(of: scenarioCase) {
        case .builtin(let client): "built-in \(client.name.rawValue)"
        case .program(let client): "client \(ShellText.text(client.arguments))"
        }
    }
}

/// The reason why a case could not be run; mistakes of a client or a card lead to a verdict instead.
public struct RunError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The client cannot be started.
        case client
        /// The system provides no socket, thread or process.
        case environment
        /// The client fails without any fault, or does not behave the same each time.
        case baseline
        /// The time for all runs was over before the run ended.
        case abandoned
    }

    public let code: Code
    public let description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

extension CaseRun {
    /// Runs a built-in client on the cards in this process, through a reader model if the case names one.
    func run(_ client: BuiltinClient, _ scenarioCase: ScenarioCase) async -> RunRecord {
        PrivateDirectory.tidyUp()
        let world = world(of: scenarioCase)
        guard let reader = scenarioCase.reader else {
            let link = PacedLink(VirtualLink(world), isPaced: scenarioCase.isPaced)
            return await client.run(over: link, naming: scenarioCase.stations)
        }
        let link = ModelLink(reader.makeReader(), in: world)
        let paced = PacedLink(link, isPaced: scenarioCase.isPaced)
        return await client.run(over: paced, naming: scenarioCase.stations)
    }
}

extension ScenarioCase {
    /// A Boolean value that indicates whether a client in this process waits in real time for the duration of card operations.
    fileprivate var isPaced: Bool { settings.pace == .card || settings.clock == .real }
}
