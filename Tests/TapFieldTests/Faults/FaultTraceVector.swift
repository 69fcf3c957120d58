import TapCards
import TapField
import TapWire
import TestSupport
import Testing

/// A fault at one exchange of a fixed session, and the trace from that exchange on, as stored in a vector file.
///
/// `@ ntag 6 rf.flip_bits at=3 fix=crc` is injected in exchange 6 of the session with the tag; the following lines are the
/// trace.
struct FaultTraceVector: CustomTestStringConvertible, Sendable {
    /// The line that names session, exchange and fault.
    let testDescription: String
    private let words: [String]
    var lines: [String] = []

    /// The vectors of a file.
    static func all(_ file: String) -> [FaultTraceVector] {
        var vectors: [FaultTraceVector] = []
        for line in VectorFile.lines(file) {
            if line.hasPrefix("@ ") {
                vectors.append(FaultTraceVector(String(line.dropFirst(2))))
            } else {
                vectors[vectors.count - 1].lines.append(line)
            }
        }
        return vectors
    }

    private init(_ line: String) {
        testDescription = line
        words = line.split(separator: " ").map(String.init)
    }

    /// The trace of the session, starting with the exchange in which the fault is injected.
    func play() throws -> [String] {
        let session = try FaultSession(words[0])
        let exchange = try #require(Int(words[1]), "invalid exchange number: \(testDescription)")
        let upper = words.first { $0.hasPrefix("times=") }.flatMap { Int($0.dropFirst("times=".count)) }
        let fault = try fault(words.dropFirst(2).filter { !$0.hasPrefix("times=") }.joined(separator: " "))
        let times = IntegerRange(1, through: upper ?? 1)
        var world = session.world(FaultPlan([.init(fault, when: EventTrigger(.exchange, nth: exchange), times: times)]))
        for frame in session.frames { _ = world.exchange(frame, waiting: FaultSession.patience) }
        let begin = try #require(world.trace.exchanges.first { $0.number == exchange }?.time)
        let events = world.trace.events.drop { $0.time < begin }
        let isDisturbed = events.drop { if case .command = $0.kind { false } else { true } }
        return isDisturbed.map { TraceLine.text($0, since: begin) }
    }
}

/// A session that a fault disturbs: the reader sends the same frames regardless of the answers.
struct FaultSession {
    /// The time that the reader waits.
    static let patience = Duration.milliseconds(20)

    let engine: any CardEngine
    let frames: [RFFrame]

    init(_ card: String) throws {
        if card == "felica" {
            engine = try CardS.card()
            frames = try Self.felica()
        } else {
            engine = NTAGCard(SampleTags.t0())
            frames = Self.ntag
        }
    }

    /// A world with the card in the field.
    func world(_ plan: FaultPlan, trace: Trace = Trace()) -> World {
        var world = World(seed: 1, plan: plan, trace: trace)
        world.add(engine, named: "card")
        world.tap("card")
        return world
    }

    /// REQA, both levels of the selection, READ 04, WRITE 05, READ 04.
    private static var ntag: [RFFrame] {
        let uid = UID(NTAGDefinition.sampleUID)
        let selection = zip(CascadeLevel.allCases, uid?.cascadeParts ?? []).flatMap { level, part in
            let request = Anticollision.Request(level)
            return [
                RFFrame(.typeA106, request.bytes, bitCount: request.bitCount),
                RFFrame(.typeA106, Select.Request(level, part).bytes),
            ]
        }
        let call = RFFrame(.typeA106, ShortFrame.reqa.bytes, bitCount: TypeAFraming.shortFrameBits)
        let commands = [
            ReadPages.Request(page: 4).bytes, WritePage.Request(page: 5, data: PageData(1, 2, 3, 4)).bytes,
            ReadPages.Request(page: 4).bytes,
        ]
        return [call] + selection + commands.map { RFFrame(.typeA106, $0) }
    }

    /// Polling, one block of 1009, a write to that block, both blocks of 1009.
    private static func felica() throws -> [RFFrame] {
        let (idm, service) = (CardS.definition.idm, NodeCode(0x1009))
        let polling = Polling.Request(systemCode: .transit)
        let one = ReadWithoutEncryption.Request(
            idm: idm, services: [service], blocks: [BlockListElement(blockNumber: 0)])
        let write = WriteWithoutEncryption.Request(
            idm: idm, services: [service], blocks: [BlockListElement(blockNumber: 0)],
            data: [BlockData(Array(repeating: 0x77, count: 16))])
        var two = one
        two.blocks.append(BlockListElement(blockNumber: 1))
        return [polling.bytes, one.bytes, write.bytes, two.bytes].map { RFFrame(.felica212, $0) }
    }
}

/// Events of a trace in the notation of vectors.
enum TraceLine {
    static func text(_ event: TraceEvent, since begin: Duration) -> String {
        "\((event.time - begin).wholeNanoseconds) \(text(event.kind))"
    }

    private static func text(_ kind: TraceEvent.Kind) -> String {
        switch kind {
        case .field(let isOn): "field \(isOn ? "on" : "off")"
        case .card(let name, let isPresent): "\(isPresent ? "+" : "-") \(name)"
        case .slot(let name, let atr): "\(name): \(atr.map { Hex.text($0, separator: " ") } ?? "no card")"
        case .command(let frame): "> \(text(frame))"
        case .answer(let frame, let card, let state, _): "< \(text(frame)) | \(card), \(state)"
        case .opened(let frame, _): "= \(text(frame))"
        case .collision(let frame, let bit, let cards):
            "< \(text(frame)) collides at \(bit) | \(cards.joined(separator: ", "))"
        case .silence(let states): "silence | " + states.map { "\($0.card), \($0.state)" }.joined(separator: "; ")
        case .fault(let fault): "! \(fault)"
        case .note(let text): "# \(text)"
        case .call(let call): "? \(Hex.text(call.command, separator: " ")): \(call.outcome)"
        }
    }

    private static func text(_ frame: RFFrame) -> String {
        let bits = frame.bitCount % 8 == 0 ? "" : " (\(frame.bitCount) bits)"
        let integrity = frame.integrity == .good ? "" : " \(frame.integrity)"
        return Hex.text(frame.bytes, separator: " ") + bits + integrity
    }
}
