import TapWire

/// One thing that happened, with its place in the order and its card time.
public struct TraceEvent: Hashable, Sendable {
    /// Number of the event, from 0.
    public let sequence: Int
    /// Card time since the beginning of the run.
    public let time: Duration
    public let kind: Kind
    let circumstances: EventCircumstances

    /// The line of the scenario that made it happen.
    public var source: SourceReference? { circumstances.source }
    /// Whether a clock outside decided when it happened, so that another run may differ.
    public var isMeasured: Bool { circumstances.isMeasured }
    /// The reader at which it happened; nothing where there is but one.
    public var reader: String? { circumstances.reader }

    /// What can happen.
    public enum Kind: Hashable, Sendable {
        /// The reader switched its field.
        case field(isOn: Bool)
        /// A card came before the reader or left it.
        case card(String, isPresent: Bool)
        /// The reader began to send a frame.
        case command(AirFrame)
        /// A card began to answer, in a time slot where the command has them; `state` is its state afterwards.
        case answer(AirFrame, card: String, state: String, slot: Int?)
        /// Several cards answered at once and the reader could not tell them apart.
        case collision(AirFrame, firstCollidedBit: Int, cards: [String])
        /// Nothing came until the reader gave up; `states` are those of the cards that heard the command.
        case silence(states: [CardState])
        /// A host asked its reader for something that led to no frame.
        indirect case call(HostCall)
        /// A fault struck in the exchange of the command before.
        indirect case fault(Fault)
        /// A remark.
        case note(String)
    }

    /// A card and the state it is in.
    public struct CardState: Hashable, Sendable {
        /// Name of the card.
        public let card: String
        /// State in the words of its manual.
        public let state: String
    }
}
