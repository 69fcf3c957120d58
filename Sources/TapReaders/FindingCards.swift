import TapField
import TapWire

/// A card that a reader has found.
struct FoundCard: Hashable, Sendable {
    /// The tag's own identification.
    var tag: ActivatedTag
    /// Its index into the cards of the world.
    let index: Int
    let visit: Int

    /// Returns whether the card has stayed at the active reader since it was found.
    func isPresent(in world: World) -> Bool {
        world.isWithinReach(index) && world.cards[index].visit == visit
    }

    var technology: Technology { tag.technology }

    /// The UID of a type A card, the IDm of a FeliCa system.
    var identifier: [UInt8] { tag.identifier }

    func inSlot(_ atr: ContactlessATR) -> SlotContent {
        .card(SlotCard(card: index, visit: visit, atr: atr.bytes))
    }

    /// Its kind of storage card in PC/SC part 3.
    var storageCard: StorageCard {
        switch tag {
        case .typeA: .ultralight
        case .felica: .felica
        }
    }
}

/// The default timeouts of readers.
package enum ReaderWait {
    /// The timeout for an answer to a search: the sixteenth time slot of a Polling ends 23 ms after it.
    package static let search = Duration.milliseconds(25)
    /// The timeout for an answer to a command: longer than any card takes.
    package static let command = Duration.milliseconds(500)
}

/// Searches for cards, as readers perform them.
extension World {
    /// Looks for a card, technology by technology, and selects the first one found.
    ///
    /// A reader with a preferred card sees only that card during the search, if it is present.
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

    /// Polls for a FeliCa system and returns one of the cards that answer.
    mutating func findFeliCa(_ polling: Polling.Request, _ technology: Technology) -> FoundCard? {
        let frame = RFFrame(technology, polling.bytes)
        guard let answer = exchangeWithOneCard(frame, waiting: ReaderWait.search), answer.integrity == .good,
            let response = try? Polling.Response(parsing: answer.bytes)
        else { return nil }
        return foundCard(.felica(response, technology), at: card(answering: frame, with: answer))
    }

    /// Polls once for FeliCa systems and returns up to `maximum` cards that were alone in their slots.
    mutating func findFeliCas(_ polling: Polling.Request, _ technology: Technology, upTo maximum: Int) -> [FoundCard] {
        guard maximum > 1, polling.timeSlot > 0 else { return findFeliCa(polling, technology).map { [$0] } ?? [] }
        let frame = RFFrame(technology, polling.bytes)
        let cards = exchange(frame, waiting: ReaderWait.search).frames.compactMap { answer -> FoundCard? in
            guard answer.integrity == .good, let response = try? Polling.Response(parsing: answer.bytes) else {
                return nil
            }
            return foundCard(.felica(response, technology), at: card(answering: frame, with: answer))
        }
        return Array(cards.prefix(maximum))
    }

    mutating func findTypeA(_ call: ShortFrame) -> FoundCard? {
        selectTypeA(call, waiting: ReaderWait.search).flatMap { foundCard(.typeA($0), at: answeringCard) }
    }

    /// Selects the type A card with a UID, and no other.
    mutating func findTypeA(_ uid: UID) -> FoundCard? {
        selectTypeA(uid, waiting: ReaderWait.search).flatMap { foundCard(.typeA($0), at: answeringCard) }
    }

    func foundCard(_ tag: ActivatedTag, at index: Int?) -> FoundCard? {
        index.map { FoundCard(tag: tag, index: $0, visit: cards[$0].visit) }
    }
}
