import TapField
import TapScenario

/// Restores the cards of a finished run to their state after one of its exchanges.
///
/// The frames of the trace are sent again to the cards of the case, with its faults, and cards come and go at the recorded
/// times. Every answer has to match.
public struct TraceReplay {
    /// The reason why the cards cannot be restored, a sentence without its full stop.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    private let trace: Trace
    private var world: World

    /// - Parameter scenarioCase: The case of the run, as `resolved.json` contains it.
    public init(_ scenarioCase: ScenarioCase, _ trace: Trace) {
        self.trace = trace
        world = scenarioCase.makeQuietWorld()
        world.exchangeLimit = .max
        world.limitRetries(nil)
        world.begin(Self.comings(in: trace))
    }

    /// Returns the field after an exchange, without any pending events.
    ///
    /// - Parameter number: The number of the exchange, from 1; 0 for the state before the first.
    public func field(after number: Int) throws(Problem) -> World {
        let kept = trace.omission?.exchangesBefore ?? trace.exchangeCount
        guard number <= kept else {
            throw Problem(
                description: number <= trace.exchangeCount
                    ? "exchange \(number) comes after the exchanges that the trace dropped; the last before them is \(kept)"
                    : "the run has \(trace.exchangeCount) exchanges, not \(number)")
        }
        var replay = self
        var exchanges = trace.exchanges.makeIterator()
        var count = 0
        for event in trace.events where count < number {
            switch event.kind {
            case .field(let isOn): replay.follow(event) { $0.switchField(on: isOn) }
            case .command:
                guard let exchange = exchanges.next() else { continue }
                count += 1
                try replay.repeatExchange(exchange, event)
            case .card, .slot, .answer, .opened, .collision, .silence, .call, .fault, .note: break
            }
        }
        replay.world.dropPlans()
        return replay.world
    }

    /// Returns the arrivals and departures of cards, as a timeline.
    private static func comings(in trace: Trace) -> Timeline {
        Timeline(
            trace.events.compactMap { event in
                guard case .card(let name, let isPresent) = event.kind else { return nil }
                return Timeline.Step(
                    .at(event.time), [isPresent ? .tap(name, reader: event.reader) : .remove(name)])
            })
    }

    private mutating func follow(_ event: TraceEvent, _ body: (inout World) -> Void) {
        world.advance(by: event.time - world.now)
        if let index = world.readers.firstIndex(where: { $0.name == event.reader }) { world.use(reader: index) }
        body(&world)
    }

    private mutating func repeatExchange(_ exchange: Exchange, _ event: TraceEvent) throws(Problem) {
        // The trace does not contain the reader's waiting time; if the reader received an answer, it waited long enough.
        let waiting: Duration? = exchange.answers.isEmpty ? .zero : nil
        follow(event) { _ = $0.exchange(exchange.command, waiting: waiting) }
        let again = world.trace.lastEntries(1).lazy.compactMap(\.exchange).first
        guard again?.answers.map(\.frame) == exchange.answers.map(\.frame) else {
            throw Problem(
                description: "exchange \(exchange.number) gives a different result when it is repeated: the run "
                    + "depended on the clock, on the behaviour of its program, or on another version of TapSim")
        }
    }
}
