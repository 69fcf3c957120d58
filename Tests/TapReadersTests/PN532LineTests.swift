import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `The serial line of a PN532` {
    private var line = SerialLine()
    private static let ack: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
    private static let nack: [UInt8] = [0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00]
    private static let found = "D54B01010044000704A23B5C6D7E80"

    private mutating func tap() {
        line.world.add(NTAGCard(SampleTags.t0()), named: "tag")
        line.world.tap("tag")
    }

    /// The bytes of libnfc 1.8.0, which first wakes up the chip, and the answers it expects.
    @Test mutating func `gives exactly the answers that clients expect`() throws {
        let wakeUp = try Hex.bytes("5555000000000000000000000000000000")
        #expect(
            line.send(wakeUp + (try Hex.bytes("0000FF03FDD4140117 00".filter { $0 != " " }))).starts(with: Self.ack))
        #expect(
            Hex.text(line.send(try Hex.bytes("0000FF02FED4022A00")))
                == "0000FF00FF00" + "0000FF06FAD50332010607E800")
        #expect(
            try line.send(packet: "D400006C69626E6663") == ["ack", "D501006C69626E6663"], "the text comes back")
    }

    @Test mutating func `reports an unknown command, and does not answer invalid frames`() throws {
        #expect(try line.send(packet: "D4FF") == ["ack", "7F"])
        #expect(try line.send(packet: "D4") == ["ack", "7F"])
        #expect(try line.send(packet: "D50332010607").isEmpty)
        #expect(line.send(try Hex.bytes("0000FF02FED4022B00")).isEmpty, "a wrong checksum")
        #expect(line.send(Self.ack).isEmpty)
    }

    @Test mutating func `repeats the last answer as often as requested`() throws {
        #expect(line.send(Self.nack).isEmpty)
        #expect(try line.send(packet: "D402") == ["ack", "D50332010607"])
        for _ in 0..<2 { #expect(PN532Frame.texts(line.send(Self.nack)) == ["D50332010607"]) }
    }

    @Test mutating func `reads a tag through its chip, with long answers in extended frames`() throws {
        tap()
        #expect(try line.send(packet: "D44A0100") == ["ack", Self.found])
        #expect(try line.send(packet: "D440013000").last?.hasPrefix("D5410004A23B") == true)
        #expect(try line.send(packet: "D440013A043F").last?.count == 2 * (3 + 240))
        let long = line.send(PN532Frame.information(try Hex.bytes("D440013A0442")).bytes)
        #expect(Hex.text(Array(long[6..<14])) == "0000FFFFFF00FF01")
    }

    @Test mutating func `keeps an endless search open until a card arrives`() throws {
        line.world.add(NTAGCard(SampleTags.t0()), named: "tag")
        #expect(try line.send(packet: "D44A0100") == ["ack"])
        #expect(line.core.isOpen && line.limit == nil)
        #expect(line.rescan().isEmpty)
        #expect(line.giveUp().isEmpty)
        line.world.tap("tag")
        #expect(line.rescan() == [Self.found])
        #expect(!line.core.isOpen)
        #expect(line.rescan().isEmpty)
    }

    @Test mutating func `ends a search when its time is over`() throws {
        line.world.add(NTAGCard(SampleTags.t0()), named: "tag")
        #expect(try line.send(packet: "D4600302101112") == ["ack"])
        #expect(line.limit == .milliseconds(3 * 2 * 3 * 150))
        #expect(line.giveUp() == ["D56100"])
        #expect(try line.send(packet: "D460FF021011") == ["ack"])
        #expect(line.limit == nil)
        #expect(line.giveUp().isEmpty)
        line.world.tap("tag")
        #expect(line.rescan() == ["D56101100C010044000704A23B5C6D7E80"])
    }

    @Test(arguments: [true, false])
    mutating func `cancels a search on an ACK or another command`(isAck: Bool) throws {
        line.world.add(NTAGCard(SampleTags.t0()), named: "tag")
        #expect(try line.send(packet: "D44A0100") == ["ack"])
        if isAck {
            #expect(line.send(Self.ack).isEmpty)
        } else {
            #expect(try line.send(packet: "D402") == ["ack", "D50332010607"])
        }
        line.world.tap("tag")
        #expect(!line.core.isOpen)
        #expect(line.rescan().isEmpty)
        #expect(line.giveUp().isEmpty)
    }

    @Test mutating func `never answers as a target, but accepts the next command`() throws {
        #expect(try line.send(packet: "D48C00") == ["ack"])
        #expect(try line.send(packet: "D402") == ["ack", "D50332010607"])
    }

    @Test mutating func `survives any input`() throws {
        tap()
        var random = TestRandom()
        for _ in 0..<5_000 {
            let packet = [random.oneIn(8) ? random.bytes(1)[0] : 0xD4] + random.bytes(random.number(below: 12))
            var bytes = PN532Frame.information(packet).bytes
            if random.oneIn(4) { bytes[random.number(below: bytes.count)] ^= 0xFF }
            if random.oneIn(4) { bytes = random.bytes(random.number(below: 20)) }
            _ = line.send(bytes)
            if random.oneIn(4) { _ = line.rescan() }
            if random.oneIn(4) { _ = line.giveUp() }
        }
        _ = line.send([UInt8](repeating: 0, count: 2 * PN532Frame.maximumPacket))
        #expect(try line.send(packet: "D402") == ["ack", "D50332010607"], "seed \(TestSeed.value)")
    }
}
