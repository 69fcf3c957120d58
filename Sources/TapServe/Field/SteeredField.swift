import TapDoors
import TapField
import TapScenario

/// A field with the cards of a case that can be steered while somebody uses it.
///
/// Requests may come from any thread; each is carried out alone.
public final class SteeredField: Sendable {
    /// The case as it is stated.
    public let original: ScenarioCase
    /// The case as it is now: cards may have been made anew.
    let current: Lock<ScenarioCase>
    public let host: FieldHost
    let user: any FieldUser
    private let makeWorld: @Sendable () -> World
    /// The command line or the variables that bring the case about again.
    let again: [String]

    /// Makes a field steerable.
    ///
    /// - Parameters:
    ///   - scenarioCase: The case.
    ///   - host: The field.
    ///   - user: Who uses it.
    ///   - again: The words that bring the case about again, for reports.
    ///   - makeWorld: Makes the world of the field as it is at the beginning.
    public init(
        _ scenarioCase: ScenarioCase, on host: FieldHost, usedBy user: any FieldUser, again: [String],
        makeWorld: @escaping @Sendable () -> World
    ) {
        original = scenarioCase
        current = Lock(scenarioCase)
        self.host = host
        self.user = user
        self.again = again
        self.makeWorld = makeWorld
    }

    /// Brings the field back to its beginning.
    func reset() {
        current.withLock { $0 = original }
        host.restart(makeWorld())
        user.fieldHasRestarted()
    }
}
