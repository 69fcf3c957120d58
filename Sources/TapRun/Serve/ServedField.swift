import TapDoors
import TapField
import TapScenario
import TapServe

/// A case whose cards lie before open doors until it is closed, and which can be steered meanwhile.
///
/// Clients come from outside and go again.
public struct ServedField: Sendable {
    /// The field behind the doors.
    public let field: SteeredField
    private let doors: OpenDoors

    /// Opens the doors of a case.
    ///
    /// - Parameters:
    ///   - scenarioCase: The case; its client stays away.
    ///   - place: Where the socket of the PC/SC service is.
    ///   - again: The command line that serves it again, for reports.
    ///   - observer: Told of every event in the field as it happens.
    ///   - tellExhausted: Told, on a thread of the field, once readers have sent as many frames as the limit of the case
    ///     lets them, so that nothing more is answered, and again each time after a reset; with the limit.
    /// - Throws: ``RunError`` if the machine does not give what a door needs.
    public init(
        _ scenarioCase: ScenarioCase, at place: PCSCDoor.Place = .ownFolder, again: [String],
        observer: (any TraceObserver)? = nil, tellExhausted: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(RunError) {
        if let obstacle = scenarioCase.obstacleWithoutPhone ?? scenarioCase.obstacle(to: .elsewhere) {
            throw RunError(.client, "\(obstacle.description); \(obstacle.hint)")
        }
        let host = scenarioCase.makeHost(observer: observer)
        do {
            // What the timeline holds shall happen although no client comes.
            try host.watch(Self.exhaustionWatcher(of: host, tellExhausted))
        } catch {
            throw RunError(.environment, "the cards cannot be moved: \(error)")
        }
        do {
            doors = try OpenDoors(on: host, scenarioCase, at: place)
        } catch {
            host.close()
            throw error
        }
        doors.settle()
        field = SteeredField(
            scenarioCase, on: host, usedBy: DoorUser(doors, scenarioCase.readersOrUsual), again: again
        ) { scenarioCase.makeDoorWorld(observer: observer) }
    }

    /// Tells once that nothing more is answered, until it was otherwise.
    private static func exhaustionWatcher(
        of host: FieldHost, _ tell: @escaping @Sendable (Int) -> Void
    ) -> FieldHost.Watcher {
        let wasExhausted = Lock(false)
        return { [weak host] in
            guard let world = host?.snapshot else { return }
            let isNew = wasExhausted.withLock { wasExhausted in
                defer { wasExhausted = world.isExhausted }
                return world.isExhausted && !wasExhausted
            }
            if isNew { tell(world.exchangeLimit) }
        }
    }

    /// The variables that a client needs.
    public var variables: [(name: String, value: String)] { doors.variables + field.original.clientVariables }

    /// The field as it is now.
    public var world: World { field.host.snapshot }

    /// Closes the doors and ends all threads.
    public func close() {
        doors.close()
        field.host.close()
    }
}
