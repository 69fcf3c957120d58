import TapDoors
import TapField
import TapReport
import TapScenario

/// Runs one case to its end.
public struct CaseRun: Sendable {
    /// Told of every event in the field as it happens.
    public var observer: (any TraceObserver)?
    /// Told of what a client outside writes, as it comes.
    public var clientOutput: (@Sendable (ClientProcess.Stream, [UInt8]) -> Void)?
    /// Told of the variables a client outside is given, before it starts.
    public var clientEnvironment: (@Sendable ([(name: String, value: String)]) -> Void)?
    /// A real reader before which the cards lie, by a part of its name, in place of virtual cards.
    public var hardware: String?
    /// Whether clients outside have a time limit; a debugger wants none.
    public var hasTimeLimit = true

    public init() {}

    /// Lets the client of a case read its cards; without one, the built-in client that suits the first card.
    ///
    /// - Returns: What happened.
    /// - Throws: ``RunError`` if the case could not be run.
    public func run(_ scenarioCase: ScenarioCase) async throws(RunError) -> RunRecord {
        let client = Self.client(of: scenarioCase)
        try Self.check(scenarioCase)
        return switch (client, hardware) {
        case (.builtin(let client), nil): await run(client, scenarioCase)
        case (.builtin(let client), let reader?): try await run(client, scenarioCase, on: reader)
        case (.program(let client), nil):
            try await Self.blocking { () throws(RunError) in try run(client, scenarioCase) }
        case (.program(let client), let reader?):
            try await Self.blocking { () throws(RunError) in try run(client, scenarioCase, on: reader) }
        }
    }

    /// Refuses a case that cannot be run as it is stated, before anything runs.
    ///
    /// - Throws: ``RunError`` that names what can never happen, such as a fault that finds no card to strike.
    public static func check(_ scenarioCase: ScenarioCase) throws(RunError) {
        let client = client(of: scenarioCase)
        if let obstacle = scenarioCase.obstacleWithoutPhone {
            throw RunError(.client, "\(obstacle.description); \(obstacle.hint)")
        }
        try FaultFit.check(scenarioCase, isBuiltin: client.isBuiltin)
        if let obstacle = scenarioCase.obstacle(to: ClientKind(client)) {
            throw RunError(.client, "\(obstacle.description); \(obstacle.hint)")
        }
    }

    /// Waits for a program on a thread of its own, so that several runs can be under way.
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

    /// The world of a case, with a trace that tells the observer.
    func world(of scenarioCase: ScenarioCase) -> World {
        scenarioCase.makeWorld(trace: Trace(bound: .run, observer: observer))
    }

    /// Who reads the cards of a case: its client, or the built-in one that suits the first card.
    public static func client(of scenarioCase: ScenarioCase) -> ClientSpec {
        scenarioCase.client ?? .builtin(.suiting(scenarioCase.cards))
    }

    /// Who reads the cards of a case, in few words.
    public static func clientText(_ scenarioCase: ScenarioCase) -> String {
        switch client(of: scenarioCase) {
        case .builtin(let client): "built-in \(client.name.rawValue)"
        case .program(let client): "client \(ShellWords.text(client.arguments))"
        }
    }
}
