import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

/// A USB reader connected to a world, controlled through transfers.
private struct USBBench {
    var reader: any USBReader
    var world = World(seed: 1, trace: Trace())

    init(_ model: ReaderModel, _ cards: TraceCard...) throws {
        reader = try #require(model.makeUSBReader())
        for card in cards {
            world.add(card.engine, named: card.name)
            world.tap(card.name)
        }
    }

    /// The returned transfers, each after its endpoint, and the reader's other actions.
    mutating func send(_ hex: String, at endpoint: UInt8) throws -> [String] {
        reader.receive(try Hex.bytes(hex), at: endpoint)
        return answers()
    }

    mutating func answers() -> [String] {
        var texts: [String] = []
        while let action = reader.next() {
            switch action {
            case .send(let bytes, let endpoint): texts.append("\(Hex.digits(endpoint, width: 2)) \(Hex.text(bytes))")
            case .drop(let endpoint): texts.append("\(Hex.digits(endpoint, width: 2)) drop")
            case .work: reader.work(in: &world)
            case .rest: texts.append("rest")
            case .wait: texts.append("wait")
            }
        }
        return texts
    }
}

private typealias TraceCard = (name: String, engine: any CardEngine)

@Suite struct `USB readers` {
    @Test(arguments: TranscriptSection.all("port100.txt"))
    func `an RC-S380 answers nfcpy like a real one`(section: TranscriptSection) throws {
        var bench = try USBBench(.rcs380, TraceCards.card(of: section))
        for (command, answer) in section.exchanges {
            let frame = Port100Frame.packet(try Hex.bytes(command)).bytes
            let got = try bench.send(Hex.text(frame), at: 0x02)
            let wanted = Hex.text(Port100Frame.packet(try Hex.bytes(answer)).bytes)
            #expect(got == ["81 0000FF00FF00", "81 \(wanted)"], "\(section.name): \(command)")
        }
    }

    @Test func `an RC-S380 reports a missing card, and forgets commands that its host cancels`() throws {
        var bench = try USBBench(.rcs380)
        func frame(_ packet: String) throws -> String { Hex.text(Port100Frame.packet(try Hex.bytes(packet)).bytes) }
        _ = try bench.send(try frame("D60001010F01"), at: 0x02)
        let silent = try frame("D70580000000")
        #expect(
            try bench.send(try frame("D6046E000600FFFF0100"), at: 0x02) == ["81 0000FF00FF00", "rest", "81 \(silent)"])
        #expect(
            try bench.send(try frame("D6046E000A0C02FE112233445566"), at: 0x02) == ["81 0000FF00FF00", "81 \(silent)"])
        #expect(try bench.send("0000FF00FF00", at: 0x02) == ["81 drop"])
        #expect(try bench.send("", at: 0x02) == [])
        #expect(try bench.send("0000FFFFFF0200FED6200B00", at: 0x02) == [])
    }

    /// libpafe as distributed by webpasori waits 3.0 ms in InCommRF, and reads cards.
    @Test(
        arguments: [
            0x100B_4B42_8485_D0FF, 0x0120_2204_2767_4EFF, 0x0531_4345_4682_B7FF, 0x0301_4B02_4F49_93FF,
        ] as [UInt64])
    func `an RC-S380 with a timeout of 3 ms reads a block of transit cards`(pmm: UInt64) throws {
        let idm = IDm(0x0112_0102_0304_0506)
        let service = FeliCaServiceDefinition(NodeCode(0x090F), blocks: [BlockData(Array(1...16))])
        let card = FeliCaCardDefinition(
            idm: idm, pmm: PMm(pmm), systems: [.init(code: .transit, areas: [.root()], services: [service])])
        var bench = try USBBench(.rcs380, ("card", FeliCaCard(card)))
        func frame(_ packet: String) throws -> String { Hex.text(Port100Frame.packet(try Hex.bytes(packet)).bytes) }
        _ = try bench.send(try frame("D60001010F01"), at: 0x02)
        _ = try bench.send(try frame("D6046E000600FFFF0000"), at: 0x02)
        let read = "D6041E001006\(idm)010F09018000"
        let answer = try frame("D70500000000081D07\(idm)000001\(Hex.text(Array(1...16)))")
        #expect(try bench.send(try frame(read), at: 0x02).last == "81 \(answer)")
    }

    @Test func `an RC-S300 answers a web page over its own interface`() throws {
        var bench = try USBBench(.rcs300, TraceCards.felica())
        let done = "C0030090009000"
        let commands = [
            ("6B08000000 00 01 000000 FF50000002820000", "8307000000 00 01 000000 \(done)"),
            ("6B08000000 00 02 000000 FF50000002810000", "8307000000 00 02 000000 \(done)"),
            ("6B08000000 00 03 000000 FF50000002830000", "8307000000 00 03 000000 \(done)"),
            ("6B08000000 00 04 000000 FF50000002840000", "8307000000 00 04 000000 \(done)"),
            ("6B0A000000 00 05 000000 FF500002048F02030000", "8307000000 00 05 000000 \(done)"),
        ]
        for (command, answer) in commands {
            let got = try bench.send(command, at: 0x02).map { $0.statusMasked }
            #expect(got == ["82 \(answer.filter { $0 != " " })".statusMasked])
        }
        let polled = try bench.send(
            "6B1B000000 00 06 000000 FF50000100 0011 5F4604A0860100 9582 0006 0600FFFF0100 000000", at: 0x02)
        #expect(polled.count == 1)
        let answer = "9714" + "140102FE112233445566" + "0120220427674EFF" + "0003"
        #expect(polled[0].hasSuffix("C003009000" + "920100" + "96020000" + answer + "9000"))
        // 46 bytes, which web pages check.
        #expect(polled[0].count == 3 + 2 * 46)
    }

    @Test func `a CCID reader reports cards, powers them and accepts APDUs`() throws {
        var bench = try USBBench(.acr122u, TraceCards.tag())
        let status = "65 00000000 00 07 000000"
        #expect(try bench.send(status, at: 0x02) == ["82 81000000000007010000"])
        let power = try bench.send("62 00000000 00 08 000000", at: 0x02)
        #expect(power.first?.hasPrefix("82 80140000000008000000") == true)
        #expect(try bench.send(status, at: 0x02) == ["82 81000000000007000000"])
        #expect(
            try bench.send("6F 05000000 00 09 000000 FFCA000000", at: 0x02) == [
                "82 8009000000000900000004A1B2C3D4E5F69000"
            ])
        #expect(try bench.send("63 00000000 00 0A 000000", at: 0x02) == ["82 8100000000000A010000"])
        // Another slot, and another command.
        #expect(try bench.send("65 00000000 01 0B 000000", at: 0x02) == ["82 8100000000010B420500"])
        #expect(try bench.send("69 00000000 00 0C 000000", at: 0x02) == ["82 8100000000000C410000"])
        bench.world.remove("tag")
        bench.reader.rescan()
        #expect(bench.answers() == ["81 5002"])
        bench.world.tap("tag")
        bench.reader.rescan()
        #expect(bench.answers() == ["81 5003"])
        bench.reader.rescan()
        #expect(bench.answers() == [])
    }

    /// The log of an ACR122U in issue 146 of LudovicRousseau/PCSC: `50 02` without a card, when its driver opens it.
    @Test func `a CCID reader reports its slot first, even if a card is present from the start`() throws {
        var empty = try USBBench(.acr122u)
        empty.reader.rescan()
        #expect(empty.answers() == ["81 5002"])
        var bench = try USBBench(.acr122u, TraceCards.tag())
        bench.reader.rescan()
        #expect(bench.answers() == ["81 5003"])
        bench.reader.rescan()
        #expect(bench.answers() == [])
        // A command that detects the change first does not hide it from the host.
        bench.world.remove("tag")
        #expect(
            try bench.send("65 00000000 00 07 000000", at: 0x02) == ["82 81000000000007020000", "81 5002"])
        bench.reader.rescan()
        #expect(bench.answers() == [])
    }

    @Test func `a CCID reader reassembles messages and drops invalid ones`() throws {
        var bench = try USBBench(.acr122u)
        #expect(try bench.send("6F 05000000 00", at: 0x02) == [])
        #expect(try bench.send("09 000000 FF00", at: 0x02) == [])
        #expect(try bench.send("480000", at: 0x02) == ["82 800A0000000009020000\(Hex.text(Array("ACR122U215".utf8)))"])
        #expect(try bench.send("6F FFFFFFFF 00 09 000000", at: 0x02) == [])
        #expect(try bench.send("65 00000000 00 07 000000 FF", at: 0x02) == [])
        #expect(try bench.send("65 00000000 00 07 000000", at: 0x82) == [])
        #expect(try bench.send("65 00000000 00 07 000000", at: 0x02) == ["82 81000000000007020000"])
    }

    /// The four differences between the RC-S956 and the PN533, and their common behaviour.
    @Test(arguments: [
        (ReaderModel.rcs330, "D402", "D50333013007"), (.scl3711, "D402", "D50333020707"),
        (.rcs330, "D400000102", "D5010102"), (.scl3711, "D400000102", "D501000102"),
        (.rcs330, "D40663026303", "D5078080"), (.scl3711, "D40663026303", "D507008080"),
        (.rcs330, "D408630280630380", "D5090000"), (.scl3711, "D408630280630380", "D50900"),
        (.rcs330, "D41801", "D519"), (.scl3711, "D41801", "7F"),
    ])
    func `chips of the PN532 family answer each in their own way`(
        model: ReaderModel, command: String, answer: String
    ) throws {
        var bench = try USBBench(model, TraceCards.felica())
        func frame(_ packet: String) throws -> String { Hex.text(PN532Frame.information(try Hex.bytes(packet)).bytes) }
        let got = try bench.send(try frame(command), at: 0x04)
        #expect(got.first == "84 0000FF00FF00")
        #expect(got.last == "84 \(try frame(answer))")
    }

    /// Commands of public drivers of the RC-S620/S, and the answers they check.
    @Test func `an RC-S956 on a serial line answers drivers of the RC-S620S`() throws {
        var world = World(seed: 1)
        let card = try TraceCards.felica()
        world.add(card.engine, named: card.name)
        world.tap(card.name)
        var chip = ReaderModel.rcs330.makeChip()
        let exchanges = [
            ("D41801", "D519"), ("D43202000000", "D533"), ("D43205000000", "D533"), ("D43281B7", "D533"),
            ("D44A010100000300 00", "D54B010112 01 02FE112233445566 0120220427674EFF"),
            ("D4A0E803 0A 0C 02FE112233445566", "D5A100 0F 0D 02FE112233445566 02 0003 12FC"),
            ("D4A0E803 0A 0C 02FE112233445567", "D5A101"), ("D4A0E8", "7F"), ("D4320100", "D533"),
        ]
        for (command, answer) in exchanges {
            let packet = try PN532Packet.Command(parsing: try Hex.bytes(command))
            #expect(
                chip.answer(packet, in: &world).map { Hex.text($0.bytes) } == answer.filter { $0 != " " }, "\(command)")
        }
        var other = PN532()
        let packet = try PN532Packet.Command(parsing: try Hex.bytes("D4A0E8030A0C02FE112233445566"))
        #expect(other.answer(packet, in: &world) == .syntaxError)
    }

    @Test func `an endless search waits until a card arrives, and the host's ACK ends it`() throws {
        var bench = try USBBench(.rcs330)
        let search = Hex.text(PN532Frame.information(try Hex.bytes("D44A010100FFFF0100")).bytes)
        #expect(try bench.send(search, at: 0x04) == ["84 0000FF00FF00", "wait"])
        #expect(try bench.send("0000FF00FF00", at: 0x04) == ["84 drop"])
        #expect(try bench.send(search, at: 0x04) == ["84 0000FF00FF00", "wait"])
        let card = try TraceCards.felica()
        bench.world.add(card.engine, named: card.name)
        bench.world.tap(card.name)
        bench.reader.rescan()
        #expect(bench.answers().count == 1)
    }

    @Test(arguments: ReaderModel.allCases.filter(\.isOnUSB))
    func `random transfers do not trap any reader`(model: ReaderModel) throws {
        var random = TestRandom("transfers \(model)")
        var bench = try USBBench(model, TraceCards.felica(), TraceCards.tag())
        let endpoints = bench.reader.device.interfaces.flatMap(\.endpoints).map(\.address)
        for _ in 0..<3_000 {
            let packet = random.bytes(random.number(below: 24))
            let transfer: [UInt8] =
                switch random.number(below: 4) {
                case 0: random.bytes(random.number(below: 80))
                case 1: Port100Frame.packet([Port100Packet.toChip, UInt8(random.number(below: 0x2C))] + packet).bytes
                case 2: PN532Frame.information([PN532Packet.toChip, UInt8(random.number(below: 0x62))] + packet).bytes
                default:
                    [UInt8(random.number(0x60...0x73))] + UInt32(packet.count).littleEndianBytes + [0, 1, 0, 0, 0]
                        + packet
                }
            _ = try bench.send(Hex.text(transfer), at: random.pick(endpoints))
        }
    }

    @Test(arguments: ReaderModel.allCases.filter(\.isOnUSB))
    func `descriptors have the length they state`(model: ReaderModel) throws {
        let device = try #require(model.makeUSBReader()).device
        var rest = device.configurationDescriptor[...]
        #expect(Int(rest[2]) | Int(rest[3]) << 8 == rest.count)
        #expect(device.deviceDescriptor.count == 18)
        var interfaces = 0
        while let length = rest.first {
            if rest[rest.startIndex + 1] == 4 { interfaces += 1 }
            try #require(length > 0 && Int(length) <= rest.count)
            rest = rest.dropFirst(Int(length))
        }
        #expect(interfaces == device.interfaces.count)
        #expect(!device.serial.isEmpty)
    }
}

extension String {
    /// The answer without the card's status, which depends on whether the reader has looked.
    fileprivate var statusMasked: String {
        let digits = Array(self)
        return String(digits.prefix(17)) + "*" + String(digits.dropFirst(19))
    }
}
