import TapCards
import TapDocument
import TapField

/// A card of a case that keeps its state from one run to the next.
public struct KeptCard: Hashable, Sendable {
    public let name: String
    /// The path of the file with its state, as written.
    public let path: String
    /// The name of the file that names the path, which is relative to that file's folder.
    public let file: String
    let place: Scalar
}

extension ScenarioCase {
    /// The cards that keep their state, in the order of the file.
    public var keptCards: [KeptCard] {
        cards.compactMap { card in
            guard case .scalar(let path)? = card.written[CardLanguage.persist.name] else { return nil }
            return KeptCard(name: card.name, path: path.text, file: path.written?.file.name ?? file, place: path)
        }
    }

    /// The state of a card after a run, as a scenario that contains only this card.
    ///
    /// Any TapSim can read it.
    ///
    /// - Returns: The document, or `nil` if the case or the world has no such card.
    public func state(of name: String, in world: World) -> Node? {
        guard let card = cards.first(where: { $0.name == name }), let slot = world.card(named: name),
            let definition = card.definition.after(slot.engine)
        else { return nil }
        return ["format": 1, "cards": .map([(key: name, value: definition.node)])]
    }

    /// The case with a card as an earlier run left it.
    ///
    /// - Returns: The case, or `nil` if there is an error.
    public func restoring(
        _ card: KeptCard, from state: SourceFile, into diagnostics: inout Diagnostics
    ) -> ScenarioCase? {
        var found = Diagnostics()
        guard let index = cards.firstIndex(where: { $0.name == card.name }),
            let kept = ScenarioLoader(reader: JSONReader()).load(state, into: &found)?.cases.first?.cards,
            kept.count == 1, let definition = kept.first?.definition
        else {
            // Don't quote the file in errors: it can be any file.
            if state.beginsAsScenario { for diagnostic in found.found { diagnostics.report(diagnostic) } }
            report("\(state.name) does not contain the state of a card", hint: "use another file", card, &diagnostics)
            return nil
        }
        let own = cards[index].definition
        guard definition.icName == own.icName, definition.identifier == own.identifier else {
            let hint = "use another file, or delete this one to start with a new card"
            report("\(state.name) contains the state of another card", hint: hint, card, &diagnostics)
            return nil
        }
        var copy = self
        copy.cards[index].definition = definition
        return copy
    }

    private func report(_ message: String, hint: String, _ card: KeptCard, _ diagnostics: inout Diagnostics) {
        diagnostics.report(Diagnostic(.otherState, message, at: card.place, hint: hint))
    }
}

extension CardDefinition {
    /// The card in the state of its engine, or `nil` if the engine is of another family.
    func after(_ engine: any CardEngine) -> CardDefinition? {
        switch (self, engine) {
        case (.ntag, let card as NTAGCard): .ntag(NTAGTemplate(card.definition))
        case (.felica(_, let ic), let card as FeliCaCard):
            (try? FeliCaTemplate(card.definition)).map { .felica($0, ic: ic) }
        case (.lite(_, let ic), let card as FeliCaLiteCard): .lite(FeliCaLiteTemplate(card.definition), ic: ic)
        default: nil
        }
    }
}
