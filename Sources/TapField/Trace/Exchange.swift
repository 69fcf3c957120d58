import TapWire

/// One command and what came back, as an expectation or a table shows it.
public struct Exchange: Hashable, Sendable {
    /// Number of the exchange in its run, from 1.
    public let number: Int
    /// When the command began.
    public let time: Duration
    /// The command.
    public let command: AirFrame
    /// The reader that sent it; nothing where there is but one.
    public let reader: String?
    /// What came back; none for silence.
    public var answers: [Answer] = []

    /// One answer.
    public struct Answer: Hashable, Sendable {
        /// When it began.
        public let time: Duration
        /// What was received.
        public let frame: AirFrame
        /// Who sent it; several names where answers collided.
        public let cards: [String]
        /// The first bit in which answers differed, where they collided.
        public let firstCollidedBit: Int?
    }
}

extension Trace {
    /// The exchanges of the run, in order; of a trace with a limit the newest ones.
    public var exchanges: [Exchange] {
        var exchanges: [Exchange] = []
        for event in events {
            switch event.kind {
            case .command(let frame):
                exchanges.append(
                    Exchange(
                        number: forgottenCommands + exchanges.count + 1, time: event.time, command: frame,
                        reader: event.reader))
            case .answer(let frame, let card, _, _):
                exchanges.appendAnswer(event.time, frame, [card], nil)
            case .collision(let frame, let bit, let cards):
                exchanges.appendAnswer(event.time, frame, cards, bit)
            case .field, .card, .silence, .fault, .note: break
            }
        }
        return exchanges
    }
}

extension [Exchange] {
    fileprivate mutating func appendAnswer(_ time: Duration, _ frame: AirFrame, _ cards: [String], _ bit: Int?) {
        guard let last = indices.last else { return }
        self[last].answers.append(.init(time: time, frame: frame, cards: cards, firstCollidedBit: bit))
    }
}
