import TapCards
@testable import TapTransports
import TapField
import TapWire
import TestSupport
import Testing

/// A core connected to a world, as its transport connects them.
private struct Joined {
    var core = NfcpyCore()
    var world = World(seed: 1)

    /// Sends a datagram and returns the answers.
    mutating func send(_ datagram: String) -> [String] {
        core.receive(Array(datagram.utf8))
        var sent: [String] = []
        while let action = core.next() {
            switch action {
            case .exchange(let frame): core.finish(world.exchangeWithOneCard(frame, waiting: nil))
            case .switchField(let on): world.switchField(on: on)
            case .send(let bytes): sent.append(String(decoding: bytes, as: UTF8.self))
            }
        }
        return sent
    }
}

@Suite struct `The UDP protocol of nfcpy` {
    private func joined(_ engines: (any CardEngine)...) -> Joined {
        var joined = Joined()
        for (index, engine) in engines.enumerated() {
            joined.world.add(engine, named: "card\(index)")
            joined.world.tap("card\(index)")
        }
        return joined
    }

    /// Datagrams of nfcpy 1.0.4 sensing and probing an NTAG215, as captured.
    @Test func `selects and reads a tag, datagram by datagram`() throws {
        var transport = joined(NTAGCard(SampleTags.t0()))
        let script = [
            ("106A 26", "106A 4400"), ("106A 9320", "106A 8804a23b15"), ("106A 93708804a23b15", "106A 04"),
            ("106A 9520", "106A 5c6d7e80cf"), ("106A 95705c6d7e80cf", "106A 00"), ("106A 1a00", "106A 00"),
        ]
        for (datagram, answer) in script { #expect(transport.send(datagram) == [answer], "after \(datagram)") }
        #expect(transport.send("RFOFF").isEmpty)
        #expect(!transport.world.isFieldOn)
        let again = [
            ("106A 26", "106A 4400"), ("106A 93708804a23b15", "106A 04"), ("106A 95705c6d7e80cf", "106A 00"),
            ("106A 60", "106A 0004040201001103"), ("106A a20a01020304", "106A 0a"),
        ]
        for (datagram, answer) in again { #expect(transport.send(datagram) == [answer], "after \(datagram)") }
    }

    @Test(arguments: ["212F", "424F"])
    func `polls a FeliCa card at both bit rates`(brty: String) throws {
        var transport = joined(try CardS.card())
        #expect(transport.send("\(brty) 0600ffff0100") == ["\(brty) 140101010a1020304050100b4b428485d0ff0003"])
        #expect(transport.send("\(brty) 060012fc0100").isEmpty)
    }

    @Test(arguments: [
        "106A 26", "106A 52", "212A 26", "424A 26", "106B 050010", "212B 050010", "212F 0600ffff0100",
        "424F 0600ffff0000",
    ])
    func `ends a sense that finds no card`(datagram: String) throws {
        var transport = joined()
        #expect(transport.send(datagram) == ["RFOFF"])
        transport.world.add(try CardS.card(), named: "late")
        transport.world.tap("late")
        #expect(transport.send(datagram) == ["RFOFF"] || datagram.contains("F 06"))
        #expect(
            transport.send("212F 0600ffff0100").first?.hasPrefix("212F 14") == true, "a card brought later is found")
    }

    @Test func `does not answer commands that get no answer, so that the driver times out`() throws {
        var transport = joined(NTAGCard(SampleTags.t0()), try CardS.card())
        #expect(transport.send("106A 9320").isEmpty)
        #expect(transport.send("106A 3000").isEmpty)
        #expect(transport.send("212F 0600ffff0100").count == 1)
        #expect(transport.send("212F 060012fc0100").isEmpty, "a poll for another system of the same card")
        #expect(transport.send("212F 0a0402fe112233445566").isEmpty)
        #expect(transport.send("RFOFF").isEmpty)
        #expect(transport.send("212F 060012fc0100") == ["RFOFF"])
    }

    @Test func `finds only the first of several cards`() throws {
        let second = try NTAGDefinition(.ntag213, uid: try #require(UID([0x04, 1, 2, 3, 4, 5, 6])))
        var transport = joined(NTAGCard(SampleTags.t0()), NTAGCard(second), try CardS.card())
        #expect(transport.send("106A 26") == ["106A 4400"])
        #expect(transport.send("106A 9320") == ["106A 8804a23b15"])
        #expect(transport.send("212F 0600ffff0100").count == 1)
    }

    @Test(arguments: ["", " ", "106A", "106A 3", "106A zz", "106A 30 00", "rfoff", "106B 0500", "212A 00", "\u{e9} 30"])
    func `ignores invalid datagrams and technologies without a card`(datagram: String) {
        var transport = joined(NTAGCard(SampleTags.t0()))
        #expect(transport.send(datagram).isEmpty)
    }

    @Test func `survives random datagrams`() throws {
        var random = TestRandom()
        var transport = joined(NTAGCard(SampleTags.t0()), try CardS.card())
        for _ in 0..<20_000 {
            var datagram = random.bytes(random.number(below: 40)).map { $0 & 0x7F }
            if !random.oneIn(4) {
                let frame = Hex.text(random.bytes(random.number(below: 20)))
                datagram = Array("\(random.pick(["106A", "212F", "424F", "106B"])) \(frame)".utf8)
            }
            _ = transport.send(String(decoding: datagram, as: UTF8.self))
        }
        #expect(transport.send("212F 0600ffff0000").count == 1, "seed \(TestSeed.value)")
    }
}
