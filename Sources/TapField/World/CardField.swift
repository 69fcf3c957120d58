import TapCards
import TapWire

/// Cards and the readers before which they lie: who hears a frame, and what is answered.
struct CardField: Sendable {
    /// Card time since the beginning of the run.
    var now: Duration = .zero
    /// The cards, in the order of the scenario.
    var cards: [CardSlot] = []
    /// The readers, at least one; each makes a field of its own, and a card lies before one of them.
    var readers = [ReaderField()]
    /// The reader that acts, an index into ``readers``.
    var reader = 0
    /// The one card that is heard, an index into ``cards``; `nil` for all.
    var onlyCard: Int?
    /// The card whose answer was received in the last exchange, the strongest of several.
    var answeringCard: Int?
    /// How often a card has come before a reader or left it.
    var presenceCount = 0
    /// Chance and the state of the silicon, shared by all cards.
    var context: CardContext

    init(seed: UInt64) {
        context = CardContext(random: SeededGenerator(seed: seed))
    }
}

extension CardField {
    /// Whether the reader that acts makes its field.
    var isOn: Bool { readers[reader].isFieldOn }

    func index(of name: String) -> Int? { cards.firstIndex { $0.name == name } }

    func reader(named name: String) -> Int? { readers.firstIndex { $0.name == name } }

    /// Whether a card lies before the reader that acts; none does before one that is unplugged.
    func isWithinReach(_ card: Int) -> Bool {
        cards.indices.contains(card) && cards[card].isPresent && cards[card].reader == reader
            && readers[reader].isPlugged
    }

    /// The card that the reader that acts takes if it can choose; `nil` if it has no choice or that card is away.
    var pickedCard: Int? { readers[reader].pick.flatMap(index).flatMap { isWithinReach($0) ? $0 : nil } }

    /// The cards that hear the beginning of a frame, in the order of the scenario.
    func listeners(to technology: Technology) -> [HearingCard] {
        var listeners: [HearingCard] = []
        for index in cards.indices
        where index == onlyCard ?? index && isWithinReach(index) && cards[index].engine.hears(technology) {
            listeners.append(HearingCard(index: index, powerLosses: cards[index].powerLosses))
        }
        return listeners
    }

    /// Whether a card has not lost its power since it began to hear a frame: it neither left nor began anew.
    func stillHears(_ card: HearingCard) -> Bool {
        cards[card.index].powerLosses == card.powerLosses
    }

    /// Lets cards answer a frame they have heard, in the order of the scenario.
    mutating func answers(to frame: AirFrame, of hearing: [HearingCard]) -> [CardAnswerInField] {
        var answers: [CardAnswerInField] = []
        for card in hearing {
            if let answer = answer(to: frame, of: card.index) { answers.append(answer) }
        }
        return answers
    }

    private mutating func answer(to frame: AirFrame, of card: Int) -> CardAnswerInField? {
        guard
            let answer = cards[card].engine.answer(
                frame.bytes, bitCount: frame.bitCount, integrity: frame.integrity, context: &context)
        else { return nil }
        let place: (slot: Int?, after: Duration)
        switch answer.reply {
        case .silence: return nil
        case .frame(let after): place = (nil, after)
        case .slot(let slot, let after): place = (slot, after)
        }
        let sent = AirFrame(frame.technology, answer.bytes, bitCount: answer.bitCount)
        return CardAnswerInField(
            card: card, slot: place.slot, frame: sent, after: place.after,
            end: place.after + sent.airTime(answering: frame))
    }

    /// The longest time a card may take for a command; none without a card.
    func deadline(for command: AirFrame, of card: Int?) -> Duration {
        let bytes = command.bytes[...]
        return card.map { cards[$0].engine.longestDelay(answering: bytes.span) } ?? .zero
    }

    func state(of card: Int) -> TraceEvent.CardState {
        TraceEvent.CardState(card: cards[card].name, state: cards[card].engine.stateName)
    }

    /// Who sent an answer, in traces.
    func names(of answers: [CardAnswerInField]) -> String {
        answers.map { $0.card.map { cards[$0].name } ?? "no card" }.joined(separator: ", ")
    }
}

/// A card that hears a frame.
struct HearingCard: Sendable {
    /// The card, an index into those of the world.
    let index: Int
    /// How often it had lost power when the frame began.
    let powerLosses: Int
}

/// A card of a world: its name, the card, and whether it lies in the field.
public struct CardSlot: Sendable {
    /// The name under which a scenario speaks of the card.
    public let name: String
    /// The card as it is now.
    public internal(set) var engine: any CardEngine
    /// The card as it came into the world, with what faults of the image have made of it.
    public internal(set) var original: any CardEngine
    /// Whether the card lies before a reader; powered only while the field is on.
    public internal(set) var isPresent = false
    /// The reader before which it lies or lay last, an index into the readers of the world.
    public internal(set) var reader = 0
    /// Counts arrivals, so that a card that left and came back is told from one that stayed.
    public internal(set) var visit = 0

    /// How often the card has lost power, also by leaving the field.
    var powerLosses = 0

    public init(name: String, engine: any CardEngine) {
        self.name = name
        self.engine = engine
        original = engine
    }

    /// Power is gone for the card.
    mutating func losePower() {
        engine.fieldFell()
        powerLosses += 1
    }

    /// Whether all that survives power-off is as it was when the card came into the world.
    public var isMemoryUnchanged: Bool {
        engine.hasSameMemory(asAny: original)
    }
}

extension CardEngine {
    /// Whether all that survives power-off is the same as in another card, of whatever kind.
    func hasSameMemory(asAny other: any CardEngine) -> Bool {
        guard let other = other as? Self else { return false }
        return hasSameMemory(as: other)
    }
}

/// A reader of a world: its name, and the field it makes.
public struct ReaderField: Hashable, Sendable {
    /// The name of a reader that nobody named.
    public static let defaultName = "reader"

    /// The name by which a scenario speaks of it.
    public let name: String
    /// The card it takes where several lie before it, or `nil` for the first it finds.
    public let pick: String?
    /// Whether it is plugged in; without that it makes no field and hears nothing.
    public internal(set) var isPlugged = true
    /// Whether its field is on.
    public internal(set) var isFieldOn = false

    /// Creates a reader that is plugged in, its field off.
    public init(_ name: String = defaultName, pick: String? = nil) {
        self.name = name
        self.pick = pick
    }
}
