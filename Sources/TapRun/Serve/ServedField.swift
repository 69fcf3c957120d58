import TapDoors
import TapField
import TapReport
import TapScenario

/// A case whose cards lie before open doors until it is closed, and which can be steered meanwhile.
///
/// Clients come from outside and go again. Requests may come from any thread; each is carried out alone.
public final class ServedField: Sendable {
    /// The case as it is stated.
    let original: ScenarioCase
    /// The case as it is now: cards may have been made anew.
    let current: Lock<ScenarioCase>
    let host: FieldHost
    let doors: OpenDoors
    /// The private PC/SC service, unless that door is closed.
    let service: PCSCDoor?
    private let observer: (any TraceObserver)?
    /// The command line that serves the case again.
    let again: [String]

    /// Opens the doors of a case.
    ///
    /// - Parameters:
    ///   - scenarioCase: The case; its client stays away.
    ///   - place: Where the socket of the PC/SC service is.
    ///   - again: The command line that serves it again, for reports.
    ///   - observer: Told of every event in the field as it happens.
    /// - Throws: ``RunError`` if the machine does not give what a door needs.
    public init(
        _ scenarioCase: ScenarioCase, at place: PCSCDoor.Place = .ownFolder, again: [String],
        observer: (any TraceObserver)? = nil
    ) throws(RunError) {
        if let obstacle = scenarioCase.obstacle(to: .elsewhere) {
            throw RunError(.client, "\(obstacle.description); \(obstacle.hint)")
        }
        original = scenarioCase
        current = Lock(scenarioCase)
        self.again = again
        self.observer = observer
        host = scenarioCase.makeHost(observer: observer)
        do {
            // Nobody needs to be told; what the timeline holds shall happen although no client comes.
            try host.watch {}
        } catch {
            throw RunError(.environment, "the cards cannot be moved: \(error)")
        }
        do {
            doors = try OpenDoors(
                on: host, original.readersOrUsual, tellsConnections: original.waitsForConnections, at: place)
        } catch {
            host.close()
            throw error
        }
        doors.settle()
        service = doors.doors.lazy.compactMap { $0 as? PCSCDoor }.first
    }

    /// The variables that a client needs.
    public var variables: [(name: String, value: String)] { doors.variables + original.clientVariables }

    /// The field as it is now.
    public var world: World { host.snapshot }

    /// Closes the doors and ends all threads.
    public func close() {
        doors.close()
        host.close()
    }

    /// Brings the field back to its beginning.
    func reset() {
        current.withLock { $0 = original }
        host.restart(original.makeDoorWorld(observer: observer))
        service?.follow()
    }

    /// What has happened so far, for the judge.
    var record: RunRecord {
        RunRecord(
            world: host.snapshot, client: ClientReport(end: .elsewhere),
            doorsOpened: doors.doors.map { .init(name: $0.name, variable: $0.environment?.name) },
            doorUsed: doors.used?.name)
    }
}
