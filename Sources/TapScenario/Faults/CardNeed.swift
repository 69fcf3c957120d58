import TapCards
import TapField
import TapWire

/// The reason why a fault can never be injected with the cards of a case.
struct CardNeed {
    /// The problem, as a clause.
    let text: String
    let hint: String

    /// - Parameters:
    ///   - cards: The cards. A card that could not be built has no definition and counts as suitable.
    ///   - holdsContent: A Boolean value that indicates whether a card must contain the data that the fault changes.
    ///   Generated faults do not require it; without the data they change nothing.
    /// - Returns: `nil` if the fault suits a card and a card answers the command that the fault waits for.
    init?(
        _ fault: Fault, at event: EventPattern, _ cards: [(name: String, definition: CardDefinition?)],
        holdsContent: Bool = true
    ) {
        let isOfPhone = fault.kind.scope.phoneEvents != nil
        let fits = { (card: CardDefinition) in
            let engine = card.makeEngine()
            return holdsContent ? fault.fits(engine) : fault.kind.isReceived(by: engine)
        }
        if !isOfPhone, !Self.any(cards, fits) {
            let place = fault.kind.scope == .any ? "in the card's contents" : fault.kind.scope.text
            text = "`\(fault.kind.name)` does not apply to any of the cards"
            hint = "it is injected \(place), and the cards are \(cards.map(\.name).joined(separator: ", "))"
            return
        }
        // Readers look for both kinds of cards, so selection happens with any card.
        guard case .command(let pattern) = event, pattern.name.layer != .selection else { return nil }
        let isFeliCa = pattern.name.layer == .felica
        guard !Self.any(cards, { $0.family.isFeliCa == isFeliCa }) else { return nil }
        let card = isFeliCa ? "a FeliCa card" : "a type A card"
        text = "`\(fault.kind.name)` waits for `\(pattern.name)`, which no card answers"
        hint = "add \(card) under `cards`, or wait for a command that these cards answer"
    }

    private static func any(
        _ cards: [(name: String, definition: CardDefinition?)], _ fits: (CardDefinition) -> Bool
    ) -> Bool {
        cards.isEmpty || cards.contains { $0.definition.map(fits) ?? true }
    }
}
