import TapField
import TapWire

/// How readers find a card.
extension World {
    /// Looks for a card, technology by technology, and selects the first one found.
    ///
    /// A reader that is to pick one card hears that one alone meanwhile, if it lies before it.
    mutating func findCard(_ technologies: [Technology]) -> FoundCard? {
        guard let pick = pickedCard else { return findFirstCard(technologies) }
        return hearing(only: pick) { $0.findFirstCard(technologies) }
    }

    private mutating func findFirstCard(_ technologies: [Technology]) -> FoundCard? {
        for technology in technologies {
            if let card = technology.isFeliCa ? findFeliCa(Self.anySystem, technology) : findTypeA(.wupa) {
                return card
            }
        }
        return nil
    }

    private static let anySystem = Polling.Request(systemCode: .any, requestCode: .systemCode)

    /// Polls for a FeliCa system and takes one card of those that answer.
    mutating func findFeliCa(_ polling: Polling.Request, _ technology: Technology) -> FoundCard? {
        let frame = AirFrame(technology, polling.bytes)
        guard let answer = exchangeWithOneCard(frame, waiting: Patience.search), answer.integrity == .good,
            let response = try? Polling.Response(parsing: answer.bytes)
        else { return nil }
        return foundCard(.felica(response, technology), at: card(answering: frame, with: answer))
    }

    /// Polls once for FeliCa systems and takes as many cards as asked for that answered in slots of their own.
    mutating func findFeliCas(
        _ polling: Polling.Request, _ technology: Technology, upTo maximum: Int
    ) -> [FoundCard] {
        guard maximum > 1, polling.timeSlot > 0 else { return findFeliCa(polling, technology).map { [$0] } ?? [] }
        let frame = AirFrame(technology, polling.bytes)
        let answers: [AirFrame] =
            switch exchange(frame, waiting: Patience.search) {
            case .frame(let answer, _): [answer]
            case .slots(let slots): slots.map(\.frame)
            case .silence, .collision: []
            }
        let cards = answers.compactMap { answer -> FoundCard? in
            guard answer.integrity == .good, let response = try? Polling.Response(parsing: answer.bytes) else {
                return nil
            }
            return foundCard(.felica(response, technology), at: card(answering: frame, with: answer))
        }
        return Array(cards.prefix(maximum))
    }

    /// Puts the selected type A card to rest.
    mutating func halt() {
        _ = exchange(AirFrame(.typeA106, HLTA.Request().bytes), waiting: Patience.halt)
    }

    /// Selects a type A card.
    mutating func findTypeA(_ call: ShortFrame) -> FoundCard? {
        selectTypeA(call, waiting: Patience.search).flatMap { foundCard(.typeA($0), at: answeringCard) }
    }

    /// Selects the type A card with a UID, and no other.
    mutating func findTypeA(_ uid: UID) -> FoundCard? {
        let call = AirFrame(.typeA106, ShortFrame.wupa.bytes, bitCount: TypeAFraming.shortFrameBits)
        // A card that was selected before takes the first call as the end of that selection.
        guard
            let answer = exchangeWithOneCard(call, waiting: Patience.search)
                ?? exchangeWithOneCard(call, waiting: Patience.search),
            let atqa = ATQA(receivedAs: answer)
        else { return nil }
        for (level, part) in zip(CascadeLevel.allCases, uid.cascadeParts) {
            let frame = AirFrame(.typeA106, Select.Request(level, part).bytes)
            guard let answer = exchangeWithOneCard(frame, waiting: Patience.search),
                let sak = SAK(receivedAs: answer)
            else { return nil }
            if sak.isUIDComplete {
                return foundCard(.typeA(TypeATag(atqa: atqa, sak: sak, uid: uid)), at: answeringCard)
            }
        }
        return nil
    }

    /// A card at an index, with the visit it is on.
    func foundCard(_ identity: FoundCard.Identity, at index: Int?) -> FoundCard? {
        index.map { FoundCard(identity: identity, index: $0, visit: cards[$0].visit) }
    }

    /// Which card sent an answer that came in a time slot of its own or alone.
    ///
    /// Where several cards answered one Polling ``answeringCard`` is the strongest, whose answer may not be the one
    /// taken. So each card is asked alone, in a copy of the field that leaves no trace.
    func card(answering frame: AirFrame, with answer: AirFrame) -> Int? {
        let present = cards.indices.filter(isWithinReach)
        guard present.count > 1 else { return answeringCard }
        let one = present.first { index in
            var alone = self
            alone.trace = .off
            for other in present where other != index { alone.remove(cards[other].name) }
            return alone.exchangeWithOneCard(frame, waiting: nil)?.bytes == answer.bytes
        }
        return one ?? answeringCard
    }
}
