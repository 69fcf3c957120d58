import TapWire

/// A row in a table of the trace.
public enum TraceEntry: Hashable, Sendable {
    case exchange(Exchange)
    /// A host command that led to no exchange.
    case call(Call)

    /// A host command and its position in the run.
    public struct Call: Hashable, Sendable {
        public let call: HostCall
        public let time: Duration
        /// The reader; `nil` if there is only one.
        public let reader: String?
        /// The number of the exchange before it; 0 for none.
        public let exchange: Int
    }

    public var exchange: Exchange? {
        if case .exchange(let exchange) = self { exchange } else { nil }
    }

    public var call: Call? {
        if case .call(let call) = self { call } else { nil }
    }
}

/// The entries of a trace in order, created on demand, so that a long run is not stored twice.
public struct TraceEntries: Sequence, Sendable {
    private let events: TraceEvents
    private let start: Int
    private let exchangesBefore: Int
    /// A Boolean value that indicates whether the start comes after the gap.
    private let isAfterGap: Bool

    fileprivate init(_ events: TraceEvents, from start: Int = 0, after exchangesBefore: Int = 0, isAfterGap: Bool) {
        self.events = events
        self.start = start
        self.exchangesBefore = exchangesBefore
        self.isAfterGap = isAfterGap
    }

    public func makeIterator() -> Iterator { Iterator(events, start, exchangesBefore, isAfterGap) }

    public struct Iterator: IteratorProtocol {
        private let events: TraceEvents
        private var place: Int
        /// Number of the last exchange.
        private var number: Int
        private var isAfterGap: Bool

        fileprivate init(_ events: TraceEvents, _ start: Int, _ exchangesBefore: Int, _ isAfterGap: Bool) {
            self.events = events
            place = start
            number = exchangesBefore
            self.isAfterGap = isAfterGap
        }

        public mutating func next() -> TraceEntry? {
            while place < events.endIndex {
                crossGap()
                let event = events[place]
                place += 1
                switch event.kind {
                case .command(let frame):
                    number += 1
                    return .exchange(exchange(event, frame))
                case .call(let call) where call.isWithoutExchange:
                    return .call(.init(call: call, time: event.time, reader: event.reader, exchange: number))
                // An answer whose command was dropped.
                case .answer, .collision, .silence: break
                case .field, .card, .slot, .fault, .note, .opened, .call: break
                }
            }
            return nil
        }

        /// Adds the omitted exchanges to the count at the gap.
        private mutating func crossGap() {
            guard !isAfterGap, place == events.gap else { return }
            isAfterGap = true
            number += events.omission.exchanges
        }

        /// Builds the exchange of a command and the answers that follow it.
        private mutating func exchange(_ event: TraceEvent, _ command: RFFrame) -> Exchange {
            var exchange = Exchange(number: number, time: event.time, command: command, reader: event.reader)
            while place < events.endIndex, !events[place].kind.beginsEntry, isAfterGap || place != events.gap {
                let event = events[place]
                place += 1
                switch event.kind {
                case .opened(let frame, _): exchange.take(opened: frame)
                case .answer(let frame, let card, _, _):
                    exchange.answers.append(.init(time: event.time, frame: frame, cards: [card], firstCollidedBit: nil))
                case .collision(let frame, let bit, let cards):
                    exchange.answers.append(.init(time: event.time, frame: frame, cards: cards, firstCollidedBit: bit))
                default: break
                }
            }
            return exchange
        }
    }
}

extension TraceEvent.Kind {
    /// A Boolean value that indicates whether it begins an entry; other events continue an entry or stand alone.
    fileprivate var beginsEntry: Bool {
        switch self {
        case .command: true
        case .call(let call): call.isWithoutExchange
        default: false
        }
    }
}

extension Trace {
    public var entries: TraceEntries { TraceEntries(events, isAfterGap: false) }

    /// The kept exchanges of the run, in order.
    public var exchanges: [Exchange] { entries.compactMap(\.exchange) }

    /// The number of exchanges, including omitted ones.
    public var exchangeCount: Int { events.commandCount + events.omission.exchanges }

    /// Returns the newest kept entries, in order.
    public func lastEntries(_ count: Int) -> TraceEntries {
        var (start, entries, exchanges) = (events.endIndex, 0, 0)
        while start > 0, entries < count {
            start -= 1
            guard events[start].kind.beginsEntry else { continue }
            entries += 1
            if case .command = events[start].kind { exchanges += 1 }
        }
        let isAfterGap = start >= events.gap ?? 0
        let all = isAfterGap ? exchangeCount : events.commandCount
        return TraceEntries(events, from: start, after: all - exchanges, isAfterGap: isAfterGap)
    }
}

public struct Exchange: Hashable, Sendable {
    /// The number of the exchange in its run, counted from 1.
    public let number: Int
    /// The time at which the command began.
    public let time: Duration
    public let command: RFFrame
    /// The reader that sent it; `nil` if there is only one.
    public let reader: String?
    /// The decrypted command; `nil` if it is not encrypted or no session could decrypt it.
    public private(set) var opened: RFFrame?
    /// Empty for silence.
    public var answers: [Answer] = []

    public struct Answer: Hashable, Sendable {
        /// The time at which it began.
        public let time: Duration
        /// The frame as received.
        public let frame: RFFrame
        /// The sender; several names in a collision.
        public let cards: [String]
        /// In a collision, the first bit in which answers differed.
        public let firstCollidedBit: Int?
        /// The decrypted answer; `nil` if it is not encrypted or no session could decrypt it.
        public fileprivate(set) var opened: RFFrame?
    }

    /// Stores the decrypted content of the command or, once it is answered, of its answer.
    fileprivate mutating func take(opened frame: RFFrame) {
        if answers.isEmpty { opened = frame } else { answers[answers.count - 1].opened = frame }
    }
}
