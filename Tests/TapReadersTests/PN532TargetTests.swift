import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `Targets of a PN532` {
    private var world = World(seed: 1)
    private var chip = PN532(passiveRetries: 0)

    private mutating func put(_ engine: any CardEngine, _ name: String) {
        world.add(engine, named: name)
        world.tap(name)
    }

    private mutating func send(_ command: String) throws -> String? {
        let command = try PN532Packet.Command(parsing: try Hex.bytes(command))
        return chip.answer(command, in: &world).map { Hex.text($0.bytes) }
    }

    @Test mutating func `can be two tags, only one of which is selected at a time`() throws {
        put(try TraceCards.tag().engine, "first")
        put(BenchCards.tag().engine, "second")
        #expect(
            try send("D44A0200")
                == "D54B02 0100440007 04A1B2C3D4E5F6 0200440007 04A23B5C6D7E80".filter { $0 != " " })
        #expect(world.cards.map(\.engine.stateName) == ["HALT", "ACTIVE"])
        #expect(try send("D440023000")?.hasPrefix("D5410004A23B") == true)
        #expect(try send("D440013000")?.hasPrefix("D5410004A1B2") == true)
        #expect(world.cards.map(\.engine.stateName) == ["ACTIVE*", "HALT"])
        #expect(try send("D45402") == "D55500")
        #expect(world.cards.map(\.engine.stateName) == ["HALT", "ACTIVE*"])
        #expect(try send("D45201") == "D55300")
        #expect(try send("D440013000") == "D54127")
        #expect(try send("D440023000")?.hasPrefix("D5410004A23B") == true)
        world.remove("second")
        #expect(try send("D440023000") == "D54101")
        #expect(try send("D45402") == "D55500", "a selected target is still considered selected")
    }

    @Test mutating func `are a single tag if the host asks for two`() throws {
        put(try TraceCards.tag().engine, "only")
        #expect(try send("D44A0200") == "D54B01010044000704A1B2C3D4E5F6")
        #expect(try send("D440013004") == "D541000310D1010C55046578616D706C652E6F")
    }

    @Test mutating func `can be written with COMP_WRITE regardless of how the data begins`() throws {
        put(BenchCards.tag().engine, "only")
        #expect(try send("D44A0100") == "D54B01010044000704A23B5C6D7E80")
        for (index, data) in ["93200102", "95670304", "976F0506"].enumerated() {
            let page = Hex.text([UInt8(0x0A + index)])
            #expect(try send("D44001A0\(page)\(data)000000000000000000000000") == "D54100")
            #expect(try send("D4400130\(page)")?.hasPrefix("D54100\(data)") == true)
        }
        #expect(try send("D440019320") == "D54101", "the tag rejects an unknown command")
    }

    /// The client NtagPwd treats 00 and 02 as success; 02 would make a wrong password look right.
    @Test(arguments: ["D440011B00000000", "D4421B00000000", "D4400130FF", "D44230FF"])
    mutating func `report a NAK to their host as a time-out`(command: String) throws {
        put(BenchCards.tag().engine, "only")
        #expect(try send("D44A0100") == "D54B01010044000704A23B5C6D7E80")
        #expect(try send(command)?.dropFirst(4) == "01")
        #expect(try send("D44A0100") == "D54B01010044000704A23B5C6D7E80")
        #expect(try send("D442A20A01020304")?.dropFirst(4) == "02", "an ACK")
        #expect(try send("D44001A20A01020304")?.dropFirst(4) == "00", "an ACK that the chip knows")
    }

    @Test mutating func `are found by their UID among other tags`() throws {
        put(try TraceCards.tag().engine, "first")
        put(BenchCards.tag().engine, "second")
        #expect(try send("D44A01008804A23B5C6D7E80") == "D54B01010044000704A23B5C6D7E80")
        #expect(try send("D44A010088040000000000 00") == "D54B00")
        #expect(try send("D44A01008804A23B") == "7F")
    }

    @Test mutating func `are two FeliCa cards in their own time slots`() throws {
        put(try TraceCards.felica().engine, "first")
        put(try BenchCards.cardS().engine, "second")
        var found: Set<String> = []
        for _ in 0..<20 {
            let answer = try #require(try send("D44A020100FFFF000F"))
            guard answer.hasPrefix("D54B02") else { continue }
            found.formUnion([String(answer.dropFirst(12).prefix(16)), String(answer.dropFirst(50).prefix(16))])
            #expect(try send("D440010A0402FE112233445566") == "D541000B0502FE11223344556600")
            #expect(try send("D440020A0401010A1020304050") == "D541000B0501010A102030405000")
        }
        #expect(found == ["02FE112233445566", "01010A1020304050"])
    }

    @Test mutating func `are awaited endlessly if the host requests it`() throws {
        #expect(try send("D44A0100") == "D54B00")
        #expect(try send("D43205FFFFFF") == "D533")
        #expect(try send("D44A0100") == nil)
        #expect(try send("D460FF0110") == nil)
        #expect(try send("D460010110") == "D56100")
        put(try TraceCards.tag().engine, "late")
        #expect(try send("D44A0100") == "D54B01010044000704A1B2C3D4E5F6")
    }

    /// A real chip would find the tag on its next attempt.
    @Test(arguments: ["D44A0100", "D460FF0110"])
    mutating func `are found by an endless search despite an injected fault`(search: String) throws {
        let silence = Fault(try #require(FaultCatalogue.named("rf.silence")))
        world = World(seed: 1, plan: FaultPlan([.init(silence, when: EventTrigger(.exchange, nth: 1))]))
        put(try TraceCards.tag().engine, "tag")
        #expect(try send("D43205FFFFFF") == "D533")
        #expect(try send(search)?.hasSuffix("04A1B2C3D4E5F6") == true)
        #expect(world.plan.unmet.isEmpty)
    }
}
