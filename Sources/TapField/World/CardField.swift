import TapCards
import TapWire

/// Cards and readers: determines which cards receive a frame, and their answers.
struct CardField: Sendable {
    var now: Duration = .zero
    var cards: [CardSlot] = []
    /// At least one; each generates its own field, and a card is at only one of them.
    var readers = [ReaderField()]
    /// The active reader, an index into ``readers``.
    var reader = 0
    /// The only card that receives frames, an index into ``cards``; `nil` for all.
    var onlyCard: Int?
    var answeringCard: Int?
    var presenceCount = 0
    /// A card that leaves after its last answer, an index into ``cards``.
    var leavingCard: Int?
    var context: CardContext

    init(seed: UInt64) {
        context = CardContext(random: SeededGenerator(seed: seed))
    }
}

extension CardField {
    var isOn: Bool { readers[reader].isFieldOn }

    func index(of name: String) -> Int? { cards.firstIndex { $0.name == name } }

    func reader(named name: String) -> Int? { readers.firstIndex { $0.name == name } }

    func isWithinReach(_ card: Int) -> Bool {
        cards.indices.contains(card) && cards[card].isPresent && cards[card].reader == reader
            && readers[reader].isPlugged
    }

    var pickedCard: Int? { readers[reader].pick.flatMap(index).flatMap { isWithinReach($0) ? $0 : nil } }

    /// Returns the cards that receive the start of a frame, in scenario order.
    func listeners(to technology: Technology) -> [HearingCard] {
        var listeners: [HearingCard] = []
        for index in cards.indices
        where index == onlyCard ?? index && isWithinReach(index) && cards[index].engine.hears(technology) {
            listeners.append(HearingCard(index: index, powerLosses: cards[index].powerLosses))
        }
        return listeners
    }

    /// Returns whether a card has kept its power since the start of a frame.
    func stillHears(_ card: HearingCard) -> Bool {
        cards[card.index].powerLosses == card.powerLosses
    }

    /// Returns the answers of cards to a frame they have received, in scenario order.
    mutating func answers(to frame: RFFrame, of hearing: [HearingCard]) -> [CardAnswerInField] {
        var answers: [CardAnswerInField] = []
        for card in hearing {
            if let answer = answer(to: frame, of: card.index) { answers.append(answer) }
        }
        return answers
    }

    private mutating func answer(to frame: RFFrame, of card: Int) -> CardAnswerInField? {
        let answer = cards[card].engine.answer(
            frame.bytes, bitCount: frame.bitCount, integrity: frame.integrity, context: &context)
        cards[card].takeDown(&context.reliance)
        if context.hasEndedVisit { leavingCard = card }
        context.hasEndedVisit = false
        guard let answer else { return nil }
        let place: (slot: UInt8?, after: Duration)
        switch answer.reply {
        case .silence: return nil
        case .frame(let after): place = (nil, after)
        case .slot(let slot, let after): place = (slot, after)
        }
        let sent = RFFrame(frame.technology, answer.bytes, bitCount: answer.bitCount)
        return CardAnswerInField(
            card: card, slot: place.slot, frame: sent, after: place.after,
            end: place.after + sent.transmissionTime(answering: frame))
    }

    /// Returns the maximum time a card may take for a command; zero without a card.
    func deadline(for command: RFFrame, of card: Int?) -> Duration {
        let bytes = command.bytes[...]
        return card.map { cards[$0].engine.longestDelay(answering: bytes.span) } ?? .zero
    }

    func state(of card: Int) -> TraceEvent.CardState {
        TraceEvent.CardState(card: cards[card].name, state: cards[card].engine.stateName)
    }

    /// Returns the names of the senders of an answer, for traces.
    func names(of answers: [CardAnswerInField]) -> String {
        answers.map { $0.card.map { cards[$0].name } ?? "no card" }.joined(separator: ", ")
    }
}

struct HearingCard: Sendable {
    /// The card, an index into those of the world.
    let index: Int
    /// The number of power losses when the frame began.
    let powerLosses: Int
}

public struct CardSlot: Sendable {
    public let name: String
    public internal(set) var engine: any CardEngine
    /// The card as it was added, changed only by image faults.
    public internal(set) var original: any CardEngine
    /// A Boolean value that indicates whether the card is at a reader; it is powered only while the field is on.
    public internal(set) var isPresent = false
    /// The reader of the card, current or last, as an index into the readers of the world.
    public internal(set) var reader = 0
    /// The number of arrivals, which distinguishes a card that left and returned from one that stayed.
    public internal(set) var visit = 0

    /// The facts its answers have relied on so far, confirmed or not.
    private var facts: CardFacts = []
    /// Commands it refused because the layout of their packets is unpublished, in order of first occurrence.
    public private(set) var unpublishedCommands: [CommandCode] = []

    /// The number of times the card has lost power, including by leaving the field.
    var powerLosses = 0

    public init(name: String, engine: any CardEngine) {
        self.name = name
        self.engine = engine
        original = engine
    }

    public var assumptions: [CardAssumption] { facts.list.compactMap(engine.assumption) }

    /// Records the facts an answer relies on, and clears `reliance` for the next answer.
    mutating func takeDown(_ reliance: inout CardReliance) {
        facts.formUnion(reliance.facts)
        if let command = reliance.unpublished, !unpublishedCommands.contains(command) {
            unpublishedCommands.append(command)
        }
        reliance = CardReliance()
    }

    mutating func losePower() {
        engine.fieldFell()
        powerLosses += 1
    }

    /// A Boolean value that indicates whether the nonvolatile state equals that of ``original``.
    public var isMemoryUnchanged: Bool {
        engine.hasSameMemory(asAny: original)
    }
}

extension CardEngine {
    /// Returns whether the nonvolatile state equals that of another card, which may be of another type.
    func hasSameMemory(asAny other: any CardEngine) -> Bool {
        guard let other = other as? Self else { return false }
        return hasSameMemory(as: other)
    }
}

/// A reader of a world: its name, and the field it makes.
public struct ReaderField: Hashable, Sendable {
    public static let defaultName = "reader"

    public let name: String
    /// The card it prefers if several are present; `nil` for the first it finds.
    public let pick: String?
    /// A Boolean value that indicates whether it is plugged in; otherwise it generates no field and receives no answers.
    public internal(set) var isPlugged = true
    /// The number of times it was plugged in or unplugged, which identifies a reader that was replaced.
    package internal(set) var plugChanges = 0
    public internal(set) var isFieldOn = false

    /// Creates a reader that is plugged in, with its field off.
    public init(_ name: String = defaultName, pick: String? = nil) {
        self.name = name
        self.pick = pick
    }
}
