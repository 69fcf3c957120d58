import TapField
import TapScenario

/// Who uses a field that is steered: programs that come through doors, or the sessions of a phone.
public protocol FieldUser: Sendable {
    /// What a status tells of it: rows for a person, behind those of the cards, and entries for a program.
    var status: (rows: [[String]], entries: [(key: String, value: Node)]) { get }

    /// Carries out a request that is about the user rather than about cards.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - field: The field that was asked.
    /// - Throws: ``ControlRefusal`` if such a user cannot do it, or not now; nothing has happened then.
    func perform(_ request: ControlRequest, on field: SteeredField) throws(ControlRefusal) -> ControlAnswer

    /// Whether apps use the field on a phone of ours, which tells what they show and hear.
    var hasPhone: Bool { get }

    /// Learns that cards have come or gone; who asked for it hears that it is done once this returns.
    func cardsHaveMoved()

    /// Learns that everything in the field is as at the beginning.
    func fieldHasRestarted()

    /// What has happened so far, for the judge.
    ///
    /// - Parameter world: The field as it is now.
    func record(of world: World) -> RunRecord
}
