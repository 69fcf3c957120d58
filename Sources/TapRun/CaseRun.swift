import TapClient
import TapSystem
import TapField
import TapJudge
import TapReading
import TapReport
import TapScenario
import TapServe
import TapWire

public struct CaseRun: Sendable {
    /// Told of every event in the field.
    public var observer: (any TraceObserver)?
    /// Told of what a program prints, as it comes.
    public var clientOutput: (@Sendable (ClientProcess.Stream, [UInt8]) -> Void)?
    /// Told of the variables a program is given, before it starts.
    public var clientEnvironment: (@Sendable ([(name: String, value: String)]) -> Void)?
    /// A real reader, by a part of its name, instead of virtual cards.
    public var hardware: String?
    /// What `tapsim audit` asks of the cards; what they lie about is no fault of the case, which is judged as it is.
    public var order: AuditOrder?
    /// Whether programs are asked which parts of their code they run.
    var measuresCoverage = false
    /// Clients that were started already, of which a program may be a copy.
    var starts: StartedClients?
    /// Whether programs have a time limit; a debugger wants none.
    public var hasTimeLimit = true
    /// The working directory and the environment of programs.
    public var surroundings: Surroundings
    /// When a run that has not ended is abandoned.
    var deadline: ContinuousClock.Instant?
    /// The time a program may take to end after it was asked to.
    private(set) var grace = ClientLimits().grace

    public init(in surroundings: Surroundings = Surroundings()) {
        self.surroundings = surroundings
    }

    /// Lets the client of a case read its cards; without one, the built-in client that suits the first card.
    public func run(_ scenarioCase: ScenarioCase) async throws(RunError) -> RunRecord {
        try Self.check(scenarioCase)
        return try await perform(scenarioCase)
    }

    private func perform(_ scenarioCase: ScenarioCase) async throws(RunError) -> RunRecord {
        if let deadline { return try await perform(scenarioCase, before: deadline) }
        if let order, hardware == nil {
            var run = self
            (run.order, run.observer) = (nil, order.observer(beside: observer))
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

    /// Runs a case that is abandoned at a deadline.
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

    /// The grace of an abandoned program.
    private static let leastGrace = Duration.milliseconds(100)

    /// Refuses a case that cannot run as stated.
    public static func check(_ scenarioCase: ScenarioCase) throws(RunError) {
        if let obstacle = scenarioCase.obstacle(to: ClientKind(client(of: scenarioCase))) {
            throw RunError(.client, obstacle.text)
        }
    }

    /// Waits for a program on a separate thread, so that several runs can be under way.
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

    /// The client of a case, or the built-in one that suits the first card.
    public static func client(of scenarioCase: ScenarioCase) -> ClientSpec {
        scenarioCase.client ?? .builtin(.suiting(scenarioCase.cards))
    }

    public static func clientText(_ scenarioCase: ScenarioCase) -> String {
        switch client(of: scenarioCase) {
        case .builtin(let client): "built-in \(client.name.rawValue)"
        case .program(let client): "client \(ShellWords.text(client.arguments))"
        }
    }
}

/// Why a case could not be run; what a client or a card does wrong is a verdict instead.
public struct RunError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The client named cannot be started.
        case client
        /// The machine gives no socket, thread or process.
        case environment
        /// The client fails without any fault, or does not do the same each time.
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
    /// Lets a built-in client read the cards in this process, through the model of a reader where the case names one.
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
    /// Whether a client in this process waits as long as cards take.
    fileprivate var isPaced: Bool { settings.pace == .card || settings.clock == .real }
}
