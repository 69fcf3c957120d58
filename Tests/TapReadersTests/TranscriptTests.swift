import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `Recorded sessions of clients` {
    @Test(arguments: TranscriptSection.all("acr122u.txt"))
    func `can be replayed through the ACR122U`(section: TranscriptSection) throws {
        let card = try TraceCards.card(of: section)
        var bench = ReaderBench(ACR122U(), [card])
        for (command, answer) in section.exchanges {
            #expect(try bench.send(command) == answer, "\(section.name): \(command)")
        }
    }

    @Test(arguments: TranscriptSection.all("pn532.txt"))
    func `can be replayed through a PN532`(section: TranscriptSection) throws {
        let card = try TraceCards.card(of: section)
        var world = World(seed: 1)
        world.add(card.engine, named: card.name)
        world.tap(card.name)
        var chip = PN532()
        for (command, answer) in section.exchanges {
            let got = chip.answer(try PN532Packet.Command(parsing: try Hex.bytes(command)), in: &world)
            #expect(got.map { Hex.text($0.bytes) } == answer, "\(section.name): \(command)")
        }
    }

    /// Sends the frames of all commands at once; each is answered before the next is read.
    @Test(arguments: TranscriptSection.all("pn532.txt"))
    func `can be replayed over a PN532 line however their bytes are split`(section: TranscriptSection) throws {
        let host = try section.exchanges.flatMap { try PN532Frame.information(Hex.bytes($0.command)).bytes }
        let chip = try section.exchanges.reduce(into: [UInt8]()) { bytes, exchange in
            PN532Frame.acknowledgement.append(to: &bytes)
            PN532Frame.information(try Hex.bytes(exchange.answer)).append(to: &bytes)
        }
        var random = TestRandom(section.name)
        for longest in [1] + (0..<20).map({ _ in random.number(2...64) }) {
            var line = SerialLine()
            let card = try TraceCards.card(of: section)
            line.world.add(card.engine, named: card.name)
            line.world.tap(card.name)
            var rest = host[...]
            var answers: [UInt8] = []
            while !rest.isEmpty {
                let piece = rest.prefix(random.number(1...longest))
                rest = rest.dropFirst(piece.count)
                answers += line.send(Array(piece))
            }
            #expect(answers == chip, "pieces up to \(longest), seed \(TestSeed.value)")
        }
    }
}
