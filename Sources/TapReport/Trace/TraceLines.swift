import TapDescribe
import TapDocument
import TapField
import TapJudge
import TapWire

/// A trace as JSON Lines, one event per line.
///
/// `docs/trace.md` describes the keys. Times are card time in nanoseconds. Two runs with the same seed give the same lines,
/// except for events that are marked as measured.
public struct TraceLines: Sequence {
    /// The version of the format; a reader rejects a newer one.
    public static let version = 1

    private let trace: Trace
    private let output: [ClientOutputChunk]

    public init(_ trace: Trace) {
        self.trace = trace
        output = []
    }

    /// Creates the lines of a run, with the output of its client between the events.
    public init(_ record: RunRecord) {
        trace = record.world.trace
        output = record.client.chunks(until: record.world.now)
    }

    public var text: String {
        lazy.map { JSONWriter.text($0) + "\n" }.joined()
    }

    public func makeIterator() -> Iterator { Iterator(trace, output) }

    public struct Iterator: IteratorProtocol {
        private var events: TraceEvents.Iterator
        private var omission: TraceOmission?
        /// The event after the omitted ones.
        private var held: TraceEvent?
        private var nextSequence = 0
        private var number = 0
        private var command: RFFrame?
        /// The output of the client, the earliest chunk last.
        private var output: [ClientOutputChunk]

        fileprivate init(_ trace: Trace, _ output: [ClientOutputChunk]) {
            events = trace.events.makeIterator()
            omission = trace.omission
            self.output = output.reversed()
        }

        public mutating func next() -> Node? {
            guard let event = held ?? events.next() else { return output.popLast()?.node }
            held = nil
            if case .command = event.kind, let next = output.last, (next.exchange ?? .max) <= number {
                held = event
                return output.popLast()?.node
            }
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
        case .slot(let name, let atr):
            [("kind", "slot"), ("name", .text(name))] + (atr.map { [("atr", .text(Hex.text($0)))] } ?? [])
                + [("is", .text(SlotText.line(name, atr)))]
        case .command(let frame):
            [("kind", "frame"), ("n", .number(number))] + Self.entries(frame)
                + entries(FrameDescription(command: frame))
        case .answer(let frame, let card, let state, let slot):
            [("kind", "answer"), ("n", .number(number)), ("card", .text(card))] + described(frame)
                + [("state", .text(state))] + (slot.map { [("slot", .number(Int($0)))] } ?? [])
        case .opened(let frame, let command):
            [
                ("kind", "opened"), ("n", .number(number)), ("tech", .text(frame.technology.shortName)),
                ("hex", .text(Hex.text(frame.bytes))),
            ] + (command.map { [("answering", .text(Hex.text($0.bytes)))] } ?? [])
                + entries(FrameDescription(opened: frame, answering: command))
        case .collision(let frame, let bit, let cards):
            [("kind", "answer"), ("n", .number(number)), ("cards", .list(cards.map(Node.text)))] + described(frame)
                + [("collision", .number(bit))]
        case .silence(let states):
            [
                ("kind", "silence"), ("n", .number(number)),
                ("states", .list(states.map { ["card": .text($0.card), "state": .text($0.state)] })),
            ]
        case .call(let call):
            [("kind", "call")] + place(of: call) + HostCall.output.entries(call) + Self.fields(of: call)
        case .fault(let fault):
            [
                ("kind", "fault"), ("n", .number(number)), ("fault", .text("\(fault)")),
                ("is", .text(fault.kind.summary)),
            ]
        case .note(let text): [("kind", "note"), ("text", .text(text))]
        }
    }

    /// Returns the exchanges that a call led to, or the exchange before it.
    private func place(of call: HostCall) -> Entries {
        // An edited file may state more exchanges than it has.
        let count = min(call.exchangeCount, number)
        return count > 0
            ? [("exchanges", .list([.number(number - count + 1), .number(number)]))] : [("after", .number(number))]
    }

    private static func fields(of call: HostCall) -> Entries {
        guard let described = call.described else { return [] }
        let answer = described.answer.map { ("answer_fields", $0.fields.node) }
        return [("fields", described.command.fields.node)] + [answer].compactMap(\.self)
    }

    private func described(_ frame: RFFrame) -> Entries {
        Self.entries(frame) + (command.map { entries(FrameDescription(answer: frame, to: $0)) } ?? [])
    }

    private func entries(_ description: FrameDescription) -> Entries {
        [("is", .text(description.line)), ("fields", description.fields.node)]
    }

    private static func entries(_ frame: RFFrame) -> Entries {
        let damage: Node? =
            switch frame.integrity {
            case .good: nil
            case .badCRC: "crc"
            case .badParity: "parity"
            }
        return [
            ("layer", "rf"), ("tech", .text(frame.technology.shortName)), ("hex", .text(Hex.text(frame.bytes))),
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

/// The output of a client to a stream between two exchanges.
struct ClientOutputChunk {
    let stream: OutputMark.Stream
    let text: Substring
    /// The number of exchanges by then; `nil` if it is unknown.
    let exchange: Int?
    let time: Duration

    var node: Node {
        .map([
            "v": .number(TraceLines.version), "t": .number(time.wholeNanoseconds), "kind": "client",
            "after": exchange.map { .number($0) }, "stream": .text(stream.rawValue), "text": .text(String(text)),
            "measured": true,
        ])
    }
}

extension ClientReport {
    /// Returns the output in the order in which it was written; output without a known moment comes last.
    ///
    /// - Parameter end: The card time at the end.
    func chunks(until end: Duration) -> [ClientOutputChunk] {
        var rest: [OutputMark.Stream: Substring] = [.output: standardOutput[...], .error: standardError[...]]
        var taken: [OutputMark.Stream: Int] = [:]
        var chunks = marks.map { mark in
            let text = rest[mark.stream] ?? ""
            let count = mark.end - (taken[mark.stream] ?? 0)
            let place = text.utf8.index(text.startIndex, offsetBy: count, limitedBy: text.endIndex) ?? text.endIndex
            taken[mark.stream] = mark.end
            rest[mark.stream] = text[place...]
            return ClientOutputChunk(
                stream: mark.stream, text: text[..<place], exchange: mark.exchange, time: mark.time)
        }
        for stream in [OutputMark.Stream.output, .error] {
            guard let text = rest[stream], !text.isEmpty else { continue }
            chunks.append(ClientOutputChunk(stream: stream, text: text, exchange: nil, time: end))
        }
        return chunks
    }
}
