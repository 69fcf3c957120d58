import TapField
import TapWire

/// A card that a reader has found: what it said of itself, and which one of the world it is.
public struct FoundCard: Hashable, Sendable {
    /// What it said of itself.
    public var tag: ActivatedTag
    /// The card, an index into the cards of the world.
    public let index: Int
    /// The visit of the card.
    public let visit: Int

    /// Whether the card has been before the reader that acts ever since it was found.
    func isPresent(in world: World) -> Bool {
        world.isWithinReach(index) && world.cards[index].visit == visit
    }

    var technology: Technology { tag.technology }

    /// The UID of a type A card, the IDm of a FeliCa system.
    var identifier: [UInt8] { tag.identifier }

    /// The slot content with an ATR.
    func inSlot(_ atr: ContactlessATR) -> SlotContent {
        .card(SlotCard(card: index, visit: visit, atr: atr.bytes))
    }

    /// The storage card that PC/SC part 3 has for it.
    var storageCard: StorageCard {
        switch tag {
        case .typeA: .ultralight
        case .felica: .felica
        }
    }
}

/// How long readers wait where nothing tells them how long.
enum ReaderWait {
    /// For an answer to a search: sixteen time slots of a Polling end 23 ms after it.
    static let search = Duration.milliseconds(25)
    /// For an answer to a command: longer than any card takes for one.
    static let command = Duration.milliseconds(500)
    /// For a NAK to HLTA, after which silence means that the card rests.
    static let halt = Duration.milliseconds(1)
}

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
        guard let answer = exchangeWithOneCard(frame, waiting: ReaderWait.search), answer.integrity == .good,
            let response = try? Polling.Response(parsing: answer.bytes)
        else { return nil }
        return foundCard(.felica(response, technology), at: card(answering: frame, with: answer))
    }

    /// Polls once for FeliCa systems and takes as many cards as asked for that answered in slots of their own.
    mutating func findFeliCas(_ polling: Polling.Request, _ technology: Technology, upTo maximum: Int) -> [FoundCard] {
        guard maximum > 1, polling.timeSlot > 0 else { return findFeliCa(polling, technology).map { [$0] } ?? [] }
        let frame = AirFrame(technology, polling.bytes)
        let answers: [AirFrame] =
            switch exchange(frame, waiting: ReaderWait.search) {
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
        _ = exchange(AirFrame(.typeA106, HLTA.Request().bytes), waiting: ReaderWait.halt)
    }

    /// Selects a type A card.
    mutating func findTypeA(_ call: ShortFrame) -> FoundCard? {
        selectTypeA(call, waiting: ReaderWait.search).flatMap { foundCard(.typeA($0), at: answeringCard) }
    }

    /// Selects the type A card with a UID, and no other.
    mutating func findTypeA(_ uid: UID) -> FoundCard? {
        selectTypeA(uid, waiting: ReaderWait.search).flatMap { foundCard(.typeA($0), at: answeringCard) }
    }

    /// A card at an index, with the visit it is on.
    func foundCard(_ tag: ActivatedTag, at index: Int?) -> FoundCard? {
        index.map { FoundCard(tag: tag, index: $0, visit: cards[$0].visit) }
    }
}
