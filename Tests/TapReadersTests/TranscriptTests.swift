import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `Recorded sessions of clients` {
    @Test(arguments: TranscriptSection.all("acr122u.txt"))
    func `go the same over the ACR122U`(section: TranscriptSection) throws {
        let card = section.card == "TAG" ? try TraceCards.tag() : try TraceCards.felica()
        var bench = ReaderBench(ACR122U(), [card])
        for (command, answer) in section.exchanges {
            #expect(try bench.send(command) == answer, "\(section.name): \(command)")
        }
    }

    @Test(arguments: TranscriptSection.all("pn532.txt"))
    func `go the same over a PN532`(section: TranscriptSection) throws {
        let card = section.card == "TAG" ? try TraceCards.tag() : try TraceCards.felica()
        var world = World(seed: 1)
        world.add(card.engine, named: card.name)
        world.tap(card.name)
        var chip = PN532()
        for (command, answer) in section.exchanges {
            let got = chip.answer(try PN532Packet.Command(parsing: try Hex.bytes(command)), in: &world)
            #expect(got.map { Hex.text($0.bytes) } == answer, "\(section.name): \(command)")
        }
    }
}
