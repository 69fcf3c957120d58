import TapWire

/// What hosts, readers and cards did, as a table shows it.
public enum TraceEntry: Hashable, Sendable {
    /// An exchange.
    case exchange(Exchange)
    /// A command of a host that led to none.
    case call(Call)

    /// A command of a host and its place in the run.
    public struct Call: Hashable, Sendable {
        /// What the host asked for and got.
        public let call: HostCall
        public let time: Duration
        /// The reader; `nil` where there is but one.
        public let reader: String?
        /// Number of the exchange before it; 0 for none.
        public let exchange: Int
    }

    /// The exchange, if it is one.
    public var exchange: Exchange? {
        if case .exchange(let exchange) = self { exchange } else { nil }
    }

    /// The command of a host, if it is one.
    public var call: Call? {
        if case .call(let call) = self { call } else { nil }
    }
}

/// The entries of a trace in order, each put together as it is asked for, so that a long run is never there twice.
public struct TraceEntries: Sequence, Sendable {
    private let events: TraceEvents
    private let start: Int
    /// How many exchanges there were before the start.
    private let exchangesBefore: Int
    /// Whether the start lies behind what is left out.
    private let isBehindGap: Bool

    fileprivate init(_ events: TraceEvents, from start: Int = 0, after exchangesBefore: Int = 0, isBehindGap: Bool) {
        self.events = events
        self.start = start
        self.exchangesBefore = exchangesBefore
        self.isBehindGap = isBehindGap
    }

    /// Goes from entry to entry.
    public func makeIterator() -> Iterator { Iterator(events, start, exchangesBefore, isBehindGap) }

    /// Puts entries together.
    public struct Iterator: IteratorProtocol {
        private let events: TraceEvents
        private var place: Int
        /// Number of the last exchange.
        private var number: Int
        private var isBehindGap: Bool

        fileprivate init(_ events: TraceEvents, _ start: Int, _ exchangesBefore: Int, _ isBehindGap: Bool) {
            self.events = events
            place = start
            number = exchangesBefore
            self.isBehindGap = isBehindGap
        }

        /// The next entry; nothing behind the last.
        public mutating func next() -> TraceEntry? {
            while place < events.endIndex {
                crossGap()
                let event = events[place]
                place += 1
                switch event.kind {
                case .command(let frame):
                    number += 1
                    return .exchange(exchange(event, frame))
                case .call(let call):
                    return .call(.init(call: call, time: event.time, reader: event.reader, exchange: number))
                // An answer without its command, which is left out.
                case .answer, .collision, .silence: break
                case .field, .card, .fault, .note: break
                }
            }
            return nil
        }

        /// Counts what is left out, once its place is reached.
        private mutating func crossGap() {
            guard !isBehindGap, place == events.gap else { return }
            isBehindGap = true
            number += events.omission.exchanges
        }

        /// The exchange of a command with the answers that follow it.
        private mutating func exchange(_ event: TraceEvent, _ command: AirFrame) -> Exchange {
            var exchange = Exchange(number: number, time: event.time, command: command, reader: event.reader)
            while place < events.endIndex, events.entryBegun(at: place) == nil, isBehindGap || place != events.gap {
                let event = events[place]
                place += 1
                switch event.kind {
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

extension Trace {
    /// What happened, in order.
    public var entries: TraceEntries { TraceEntries(events, isBehindGap: false) }

    /// The exchanges of the run that are kept, in order.
    public var exchanges: [Exchange] { entries.compactMap(\.exchange) }

    /// How many exchanges there were, those that are left out among them.
    public var exchangeCount: Int { events.commandCount + events.omission.exchanges }

    /// The newest entries that are kept, in order.
    public func lastEntries(_ count: Int) -> TraceEntries {
        var (start, entries, exchanges) = (events.endIndex, 0, 0)
        while start > 0, entries < count {
            start -= 1
            guard let kind = events.entryBegun(at: start) else { continue }
            entries += 1
            if kind == .exchange { exchanges += 1 }
        }
        let isBehindGap = start >= events.gap ?? 0
        let all = isBehindGap ? exchangeCount : events.commandCount
        return TraceEntries(events, from: start, after: all - exchanges, isBehindGap: isBehindGap)
    }
}

/// One command and what came back, as an expectation or a table shows it.
public struct Exchange: Hashable, Sendable {
    /// Number of the exchange in its run, from 1.
    public let number: Int
    /// When the command began.
    public let time: Duration
    public let command: AirFrame
    /// The reader that sent it; `nil` where there is but one.
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
