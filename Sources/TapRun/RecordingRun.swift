import TapCards
import TapTransports
import TapSystem
import TapRecording
import TapScenario
import TapWire

/// Records the exchanges between programs and cards at the readers of a PC/SC service.
public final class RecordingRun: Sendable {
    private struct Recorded {
        var sessions: [(slot: PCSCRelay.Slot, began: Duration, session: RecordedSession)] = []
        var count = 0
        var withoutCard = 0
        var beyondLimit = 0

        /// Begins a session with its first exchange, and returns its index.
        mutating func begin(_ exchange: PCSCRelay.Exchange) -> Int {
            var session = RecordedSession(.apdu, .unknown)
            session.atr = exchange.slot.atr
            session.readerName = exchange.slot.reader
            sessions.append((exchange.slot, exchange.began, session))
            return sessions.count - 1
        }
    }

    /// The interval for checking whether the user has ended the recording.
    private static let interval = Duration.milliseconds(100)

    private let relay: PCSCRelay
    private let recorded: Lock<Recorded>

    /// - Parameter service: The path of the service's socket.
    /// - Throws: ``RunError`` if the system provides no socket or thread.
    public init(at service: String) throws(RunError) {
        let recorded = Lock(Recorded())
        self.recorded = recorded
        do {
            relay = try PCSCRelay(to: service) { exchange in recorded.withLock { Self.add(exchange, to: &$0) } }
        } catch {
            throw RunError(.environment, error.description)
        }
    }

    /// The variables with which programs reach the readers.
    public var variables: [(name: String, value: String)] { relay.environment }

    public var wasUsed: Bool { relay.wasUsed }

    public var count: Int { recorded.withLock { $0.count } }

    /// The recorded exchanges, one session for each reader and each kind of card; visits with the same ATR share one.
    public var sessions: [RecordedSession] {
        let visits = recorded.withLock { $0.sessions }
        var joined: [(began: Duration, session: RecordedSession)] = []
        for visit in visits {
            let last = joined.lastIndex { $0.session.readerName == visit.slot.reader }
            if let last, joined[last].session.atr == visit.session.atr {
                joined[last].session.add(
                    visit: visit.session.exchanges.map { exchange in
                        var exchange = exchange
                        exchange.time = exchange.time.map { $0 + visit.began - joined[last].began }
                        return exchange
                    })
            } else {
                joined.append((visit.began, visit.session))
            }
        }
        return joined.map { entry in
            var session = entry.session
            session.findCard()
            return session
        }
    }

    /// The exchanges that are not in any session, as sentences.
    public var omissions: [String] {
        let (withoutCard, beyondLimit) = recorded.withLock { ($0.withoutCard, $0.beyondLimit) }
        var sentences: [String] = []
        if withoutCard > 0 {
            sentences.append(
                "\(CountText.of(withoutCard, "command")) to a reader without a card \(withoutCard == 1 ? "is" : "are") left out"
            )
        }
        if beyondLimit > 0 {
            sentences.append(
                "a recording has at most \(RecordingLanguage.maximumExchanges) exchanges; \(beyondLimit) later ones are left out"
            )
        }
        return sentences
    }

    /// Starts a program, and waits until it ends or `isOver`.
    ///
    /// - Parameter output: A closure that receives its output as it arrives.
    public func run(
        _ client: ProgramClient, in surroundings: Surroundings, isOver: @escaping () -> Bool,
        output: @escaping (ClientProcess.Stream, [UInt8]) -> Void
    ) throws(RunError) -> ClientOutcome {
        do {
            return try ClientProcess.run(
                CaseRun.command(client, variables, in: surroundings), limits: ClientLimits(wall: nil), observer: output,
                attendant: Attendant(every: Self.interval, isOver))
        } catch {
            throw RunError(error.code == .system ? .environment : .client, error.description)
        }
    }

    public func close() {
        relay.close()
        let slots = recorded.withLock { $0.sessions.map(\.slot) }
        let gone = slots.map(relay.hasLeft)
        recorded.withLock { recorded in
            for index in slots.indices where gone[index] { recorded.sessions[index].session.hasCardLeft = true }
        }
    }

    private static func add(_ exchange: PCSCRelay.Exchange, to recorded: inout Recorded) {
        guard !exchange.slot.atr.isEmpty else { return recorded.withoutCard += 1 }
        // Other control codes ask for properties of the reader, which the reader of a replay has itself.
        if let code = exchange.controlCode, !ControlCode(code).isEscape { return }
        guard recorded.count < RecordingLanguage.maximumExchanges else { return recorded.beyondLimit += 1 }
        let index = recorded.sessions.firstIndex { $0.slot == exchange.slot } ?? recorded.begin(exchange)
        recorded.count += 1
        var entry = RecordedSession.Exchange(exchange.command, exchange.answer.map { CardRecording.Answer($0) })
        entry.time = exchange.began - recorded.sessions[index].began
        entry.took = exchange.ended - exchange.began
        entry.controlCode = exchange.controlCode
        recorded.sessions[index].session.exchanges.append(entry)
        recorded.sessions[index].session.hasCardLeft = exchange.isCardGone
    }

    /// Ends a program when the user asks for it.
    private final class Attendant: ClientAttendant {
        private let interval: Duration
        private let isOver: () -> Bool

        init(every interval: Duration, _ isOver: @escaping () -> Bool) {
            self.interval = interval
            self.isOver = isOver
        }

        func wrote(_ bytes: [UInt8], to stream: ClientProcess.Stream) {}

        func orders(at elapsed: Duration, isBusy: () -> Bool) -> ClientOrders {
            ClientOrders(isToEnd: isOver(), nextCheck: elapsed + interval)
        }

        func ended() {}
    }
}
