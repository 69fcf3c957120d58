import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

/// A Proxmark3 connected to a world, as its transport connects them.
private struct Joined {
    var reader = Proxmark3()
    var world = World(seed: 1)
    private(set) var hasHungUp = false

    init(_ card: (name: String, engine: any CardEngine)? = nil) {
        guard let card else { return }
        world.add(card.engine, named: card.name)
        world.tap(card.name)
    }

    /// Sends bytes and returns the resulting frames.
    mutating func send(_ bytes: [UInt8]) -> [[UInt8]] {
        reader.receive(bytes[...])
        var frames: [[UInt8]] = []
        while !hasHungUp, let action = reader.next() {
            switch action {
            case .send(let bytes): frames.append(bytes)
            case .work: reader.work(in: &world)
            case .hangUp: hasHungUp = true
            case .wait: Issue.record("a Proxmark3 must not wait")
            }
        }
        return frames
    }

    mutating func ask(_ code: Proxmark3Command.Code, isNG: Bool = true, _ data: [UInt8] = []) -> [[UInt8]] {
        send(Proxmark3Command(code, isNG: isNG, data).frame)
    }

    /// The status of each response.
    mutating func statuses(_ code: Proxmark3Command.Code, isNG: Bool = true, _ data: [UInt8] = []) -> [Int8] {
        ask(code, isNG: isNG, data).map { Int8(bitPattern: $0[6]) }
    }

    /// Frames in the notation of vectors: without the end of the frame and the zeros before it.
    static func text(_ frames: [[UInt8]]) -> String {
        let texts = frames.map { frame in
            let end = frame.starts(with: Array("PM3b".utf8)) ? frame.count - 2 : frame.count
            let length = (frame[..<end].lastIndex { $0 != 0 } ?? -1) + 1
            return Hex.text(Array(frame[..<length]))
        }
        return texts.isEmpty ? "-" : texts.joined(separator: "/")
    }
}

@Suite struct `A Proxmark3` {
    @Test(arguments: TranscriptSection.all("proxmark3.txt"))
    func `gives its client the recorded answers`(section: TranscriptSection) throws {
        var joined = Joined(try TraceCards.card(of: section))
        for (command, answers) in section.exchanges {
            #expect(Joined.text(joined.send(try Hex.bytes(command))) == answers, "\(section.name): \(command)")
        }
        #expect(!joined.hasHungUp)
    }

    @Test(arguments: TranscriptSection.all("proxmark3.txt"))
    func `gives the same answers however the bytes are split`(section: TranscriptSection) throws {
        let host = try section.exchanges.flatMap { try Hex.bytes($0.command) }
        let answers = section.exchanges.map(\.answer).filter { $0 != "-" }.joined(separator: "/")
        var random = TestRandom(section.name)
        for longest in [1] + (0..<20).map({ _ in random.number(2...64) }) + [host.count] {
            var joined = Joined(try TraceCards.card(of: section))
            var rest = host[...]
            var frames: [[UInt8]] = []
            while !rest.isEmpty {
                let piece = rest.prefix(random.number(1...longest))
                rest = rest.dropFirst(piece.count)
                frames += joined.send(Array(piece))
            }
            #expect(Joined.text(frames) == answers, "pieces up to \(longest), seed \(TestSeed.value)")
        }
    }

    @Test func `reports that no card is present, and leaves the field off`() throws {
        var joined = Joined()
        #expect(joined.statuses(.felica, [0x83, 0, 0, 0, 0]) == [-4])
        #expect(!joined.world.isFieldOn)
        #expect(joined.statuses(.felica, [0x2A, 0, 0, 1, 0, 0x0C]) == [-7])
        #expect(joined.world.isFieldOn, "kept on")
        #expect(joined.statuses(.felica, [0x28, 0, 0, 1, 0, 0x0C]) == [-7])
        #expect(!joined.world.isFieldOn)
        let arguments = [UInt64(0x203), 0, 0].flatMap(\.littleEndianBytes)
        #expect(Joined.text(joined.ask(.typeA, isNG: false, arguments)) == "504D336227010000FF")
        #expect(!joined.world.isFieldOn)
        #expect(joined.statuses(.readPage, [UInt8](repeating: 0, count: 21)) == [-10])
        #expect(joined.statuses(.readPages, [UInt8](repeating: 0, count: 21)) == [-10])
        #expect(joined.statuses(.writePage, [UInt8](repeating: 0, count: 36)) == [-10])
    }

    @Test func `gives separate answers for the selection and the frame of one command`() throws {
        var joined = Joined(try TraceCards.felica())
        let frame = try Hex.bytes("0402FE112233445566")
        #expect(joined.statuses(.felica, [0x29, 0, 0, UInt8(frame.count), 0] + frame) == [0, 0])
        // Without a CRC no card answers.
        #expect(joined.statuses(.felica, [0x0A, 0, 0, UInt8(frame.count), 0] + frame) == [-7])
    }

    @Test func `passes on a damaged answer with a wrong CRC`() throws {
        let kind = try #require(FaultCatalogue.named("rf.bad_crc"))
        let trigger = EventTrigger.command(try #require(CommandName("felica.request_response")))
        var joined = Joined()
        joined.world = World(seed: 1, plan: FaultPlan([.init(Fault(kind), when: trigger)]))
        let card = try TraceCards.felica()
        joined.world.add(card.engine, named: card.name)
        joined.world.tap(card.name)
        let frame = try Hex.bytes("0402FE112233445566")
        let answer = joined.ask(.felica, [0x2A, 0, 0, UInt8(frame.count), 0] + frame).first ?? []
        #expect(Hex.text(answer[10...].prefix(13).map { $0 }) == "B24D0B0502FE11223344556600")
        #expect(Hex.text(answer[23...].prefix(2).map { $0 }) != "6E4E")
    }

    @Test func `sends the requested number of bits`() throws {
        var joined = Joined(try TraceCards.tag())
        // WUPA has seven bits.
        let arguments = [UInt64(0x8B), 7 << 16 | 1, 0].flatMap(\.littleEndianBytes)
        let answer = joined.ask(.typeA, isNG: false, arguments + [0x52])
        #expect(Joined.text(answer).hasSuffix("0200000000000000" + "00000000000000000000000000000000" + "44"))
    }

    @Test func `rejects commands that are too short, too long or unknown, and continues`() throws {
        var joined = Joined(try TraceCards.felica())
        #expect(joined.statuses(.felica, [0x83, 0, 0, 0]) == [-2])
        #expect(joined.statuses(.felica, [0x83, 0, 0, 9, 0, 1, 2]) == [-2])
        #expect(joined.statuses(.felica, isNG: false, [0x83, 0, 0, 0, 0]) == [-2])
        #expect(joined.statuses(.felica, [0x2A, 0, 0, 255, 0] + [UInt8](repeating: 0, count: 255)) == [-27])
        #expect(joined.statuses(.typeA, isNG: false, [UInt8](repeating: 0, count: 23)) == [-2])
        #expect(joined.statuses(.readPage, [0, 4]) == [-2])
        #expect(joined.statuses(.writePage, [UInt8](repeating: 0, count: 35)) == [-2])
        let places: [(UInt64, UInt64)] = [(.max, 1), (0, .max), (40_000, 1), (39_999, 2)]
        for (start, count) in places {
            let arguments = [start, count, 0].flatMap(\.littleEndianBytes)
            #expect(joined.statuses(.downloadBuffer, isNG: false, arguments) == [-2])
        }
        #expect(joined.statuses(Proxmark3Command.Code(0x0F00)) == [-1])
        #expect(joined.ask(.ping, [1, 2, 3]).first.map { Hex.text($0) } == "504D3362038000000901" + "0102036233")
    }

    @Test(arguments: [
        "00", "504D3362", "504D336101800F01616233", "504D33610182090100", "504D336100800901FFFF", "474554202F",
    ])
    func `disconnects on bytes that are not a frame`(text: String) throws {
        var joined = Joined()
        #expect(joined.send(try Hex.bytes(text)).isEmpty)
        #expect(joined.hasHungUp)
    }

    @Test func `survives random commands`() throws {
        var random = TestRandom()
        let codes: [Proxmark3Command.Code] = [
            .felica, .typeA, .readPage, .readPages, .writePage, .downloadBuffer, .ping, .dropField, .setDebugMode,
        ]
        for card in [try TraceCards.felica(), try TraceCards.tag()] {
            var joined = Joined(card)
            joined.world.limitExchanges(to: 20_000)
            for _ in 0..<500 {
                var data = random.bytes(random.number(below: 64))
                // Numbers are sometimes small, so that cards receive the frames.
                if random.oneIn(2) { for index in data.indices where index % 8 != 0 { data[index] &= 0x03 } }
                _ = joined.ask(random.pick(codes), isNG: random.oneIn(2), data)
            }
            #expect(!joined.hasHungUp)
            #expect(!joined.ask(.ping).isEmpty)
        }
    }
}
