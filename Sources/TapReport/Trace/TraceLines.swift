import TapDescribe
import TapDocument
import TapField
import TapJudge
import TapWire

/// A trace as JSON Lines, one event a line.
///
/// `docs/trace.md` names the keys.
/// Times are card time in nanoseconds. Two runs with the same seed give the same lines, but for events that are marked
/// as measured.
public struct TraceLines: Sequence {
    /// The version of the format; a reader refuses a newer one.
    public static let version = 1

    private let trace: Trace

    public init(_ trace: Trace) {
        self.trace = trace
    }

    /// All lines, each with its end.
    public var text: String {
        lazy.map { JSONWriter.text($0) + "\n" }.joined()
    }

    public func makeIterator() -> Iterator { Iterator(trace) }

    public struct Iterator: IteratorProtocol {
        private var events: TraceEvents.Iterator
        private var omission: TraceOmission?
        /// The event that comes behind what is left out.
        private var held: TraceEvent?
        private var nextSequence = 0
        /// Number of the last exchange.
        private var number = 0
        private var command: AirFrame?

        fileprivate init(_ trace: Trace) {
            events = trace.events.makeIterator()
            omission = trace.omission
        }

        public mutating func next() -> Node? {
            guard let event = held ?? events.next() else { return nil }
            held = nil
            if event.sequence > nextSequence, let omission {
                self.omission = nil
                number += omission.exchanges
                nextSequence = event.sequence
                held = event
                return .map(Self.entries(omission, before: event))
            }
            nextSequence = event.sequence + 1
            if case .command(let frame) = event.kind {
                number += 1
                command = frame
            }
            return .map(entries(event))
        }
    }
}

extension TraceLines.Iterator {
    private typealias Entries = [(key: String, value: Node)]

    private func entries(_ event: TraceEvent) -> Entries {
        var entries: Entries = [
            ("v", .number(TraceLines.version)), ("seq", .number(event.sequence)),
            ("t", .number(event.time.wholeNanoseconds)),
        ]
        entries += self.entries(event.kind)
        if let reader = event.reader { entries.append(("reader", .text(reader))) }
        if let source = event.source { entries.append(("src", .text("\(source)"))) }
        if event.isMeasured { entries.append(("measured", true)) }
        return entries
    }

    private func entries(_ kind: TraceEvent.Kind) -> Entries {
        switch kind {
        case .field(let isOn): [("kind", "field"), ("on", .boolean(isOn))]
        case .card(let name, let isPresent):
            [("kind", "card"), ("card", .text(name)), ("present", .boolean(isPresent))]
        case .command(let frame):
            [("kind", "frame"), ("n", .number(number))] + Self.entries(frame)
                + entries(FrameDescription(command: frame))
        case .answer(let frame, let card, let state, let slot):
            [("kind", "answer"), ("n", .number(number)), ("card", .text(card))] + described(frame)
                + [("state", .text(state))] + (slot.map { [("slot", .number($0))] } ?? [])
        case .collision(let frame, let bit, let cards):
            [("kind", "answer"), ("n", .number(number)), ("cards", .list(cards.map(Node.text)))] + described(frame)
                + [("collision", .number(bit))]
        case .silence(let states):
            [
                ("kind", "silence"), ("n", .number(number)),
                ("states", .list(states.map { ["card": .text($0.card), "state": .text($0.state)] })),
            ]
        case .call(let call): [("kind", "call"), ("after", .number(number))] + call.entries
        case .fault(let fault):
            [
                ("kind", "fault"), ("n", .number(number)), ("fault", .text("\(fault)")),
                ("is", .text(fault.kind.summary)),
            ]
        case .note(let text): [("kind", "note"), ("text", .text(text))]
        }
    }

    private func described(_ frame: AirFrame) -> Entries {
        Self.entries(frame) + (command.map { entries(FrameDescription(answer: frame, to: $0)) } ?? [])
    }

    private func entries(_ description: FrameDescription) -> Entries {
        [("is", .text(description.line)), ("fields", description.fieldsNode)]
    }

    private static func entries(_ frame: AirFrame) -> Entries {
        let damage: Node? =
            switch frame.integrity {
            case .good: nil
            case .badCRC: "crc"
            case .badParity: "parity"
            }
        return [
            ("layer", "rf"), ("tech", .text(frame.technology.word)), ("hex", .text(Hex.text(frame.bytes))),
            ("bits", .number(frame.bitCount)),
        ] + (damage.map { [("damaged", $0)] } ?? [])
    }

    private static func entries(_ omission: TraceOmission, before event: TraceEvent) -> Entries {
        [
            ("v", .number(TraceLines.version)), ("t", .number(event.time.wholeNanoseconds)), ("kind", "omission"),
            ("exchanges", .number(omission.exchanges)), ("calls", .number(omission.calls)),
        ]
    }
}
