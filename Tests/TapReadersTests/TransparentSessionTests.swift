import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `A transparent session of a reader` {
    private static let success = "C003009000"

    private static func bench(_ cards: [String]) throws -> ReaderBench {
        let cards = try cards.map { $0 == "tag" ? try TraceCards.tag() : try TraceCards.felica() }
        return ReaderBench(StorageCardReader(), cards)
    }

    private static func open(_ bench: inout ReaderBench, _ switching: String) throws {
        #expect(try bench.send("FFC2000002 8100 00") == success + "9000")
        #expect(try bench.send("FFC2000204 8F02\(switching) 00").hasPrefix(success))
    }

    @Test func `carries FeliCa packets`() throws {
        var bench = try Self.bench(["felica"])
        try Self.open(&bench, "0300")
        #expect(
            try bench.send("FFC2000108 9506 060012FC0100 00")
                == Self.success + "920100960200009714140112FE1122334455660120220427674EFF12FC9000")
        #expect(try bench.send("FFC2000108 9506 06000004 0100 00") == "C0030164019000")
        // If the CRC is left to the host, a packet with a wrong CRC gets no answer.
        #expect(try bench.send("FFC200010E 90020003 9508 0600FFFF0100 0000 00") == "C0030264019000")
        let packet = CRC16FeliCa.appending(to: try Hex.bytes("0600FFFF0000"))
        let answer = CRC16FeliCa.appending(to: try Hex.bytes("120102FE1122334455660120220427674EFF"))
        #expect(
            try bench.send("FFC200010A 9508 \(Hex.text(packet)) 00")
                == Self.success + "920100960200009714" + Hex.text(answer) + "9000")
    }

    @Test func `carries type A commands and acknowledgements`() throws {
        var bench = try Self.bench(["tag"])
        #expect(try bench.send("FFC2000002 8100 00") == Self.success + "9000")
        #expect(try bench.send("FFC2000204 8F020003 00") == Self.success + "8F01009000")
        #expect(
            try bench.send("FFC2000104 95023004 00")
                == Self.success + "9201009602000097100310D1010C55046578616D706C652E6F9000")
        #expect(try bench.send("FFC2000108 9506A20A01020304 00") == Self.success + "9201049602010097010A9000")
        let write = try Hex.bytes("A20A01020304") + CRCA.wireBytes(of: CRCA.checksum(of: try Hex.bytes("A20A01020304")))
        #expect(
            try bench.send("FFC200010E 90020003 9508\(Hex.text(write)) 00")
                == Self.success + "9201049602000097010A9000")
        #expect(try bench.send("FFC2000204 8F020000 00").hasPrefix(Self.success + "5F51143B8F8001"))
    }

    @Test func `lets the host select a tag by itself`() throws {
        var bench = try Self.bench(["tag"])
        try Self.open(&bench, "0002")
        #expect(
            try bench.send("FFC200010A 90020003 910107 950126 00") == Self.success + "9201009602000097024400" + "9000")
        #expect(
            try bench.send("FFC2000107 910100 95029320 00") == Self.success + "9201009602000097058804A1B29F9000")
        #expect(try bench.send("FFC2000103 910108 00") == "C003016A809000")
    }

    @Test func `returns the answer to a transmit object in a receive object`() throws {
        var bench = try Self.bench(["tag"])
        try Self.open(&bench, "0003")
        #expect(try bench.send("FFC2000102 9400 00") == "C0030164019000")
        #expect(
            try bench.send("FFC2000106 93023004 9400 00")
                == Self.success + "9201009602000097100310D1010C55046578616D706C652E6F9000")
        #expect(try bench.send("FFC2000102 9400 00") == "C0030164019000")
    }

    @Test func `reports which object failed and why`() throws {
        var bench = try Self.bench(["felica"])
        #expect(try bench.send("FFC2000104 95023004 00") == "C003016F009000")
        #expect(try bench.send("FFC2000002 8300 00") == "C003016F009000")
        #expect(try bench.send("FFC2000004 81008000 00") == "C003009000 8003020200 9000".filter { $0 != " " })
        #expect(try bench.send("FFC2000003 810100 00") == "C0030167009000")
        #expect(try bench.send("FFC2000004 81008203 00") == "C0030267009000")
        #expect(try bench.send("FFC2000002 9500 00") == "C003016A819000")
        #expect(try bench.send("FFC2000102 9500 00") == "C0030167009000")
        #expect(try bench.send("FFC2000104 9002 0000 00") == Self.success + "9000")
        #expect(try bench.send("FFC2000103 900100 00") == "C0030167009000")
        #expect(try bench.send("FFC2000204 8F020400 00") == "C003016A809000")
        #expect(try bench.send("FFC2000204 8F020100 00") == "C0030164019000")
        #expect(try bench.send("FFC2000204 8F020003 00") == "C0030164019000")
        #expect(try bench.send("FFC2000302 8100 00") == "6A81")
        #expect(try bench.send("FFC200000281") == "6700")
        #expect(try bench.send("FFC20000") == Self.success + "9000")
    }

    @Test func `has parameters and a timer`() throws {
        var bench = try Self.bench(["felica"])
        #expect(try bench.send("FFC2000002 8100 00") == Self.success + "9000")
        #expect(try bench.send("FFC2000007 FF6D0401000500 00") == Self.success + "FF6D06010108050100" + "9000")
        #expect(try bench.send("FFC2000006 FF6E03050102 00") == Self.success + "9000")
        #expect(try bench.send("FFC2000005 FF6D020500 00") == Self.success + "FF6D03050102" + "9000")
        #expect(try bench.send("FFC2000005 FF6D020900 00") == "C003016A819000")
        let before = bench.world.now
        #expect(try bench.send("FFC2000007 5F460440420F00 00") == Self.success + "9000")
        #expect(bench.world.now - before == .seconds(1))
        #expect(try bench.send("FFC2000007 5F4604FFFFFFFF 00") == Self.success + "9000")
        #expect(bench.world.now - before == .seconds(11))
    }

    @Test func `waits for a card only until its timer expires`() throws {
        var bench = try Self.bench(["felica"])
        try Self.open(&bench, "0300")
        #expect(try bench.send("FFC200010F 5F460401000000 9506 0600FFFF0000 00") == "C0030264019000")
        #expect(try bench.send("FFC200010F 5F460450C30000 9506 0600FFFF0000 00").hasPrefix(Self.success))
    }

    @Test func `owns the field until it ends`() throws {
        var bench = try Self.bench(["tag"])
        try Self.open(&bench, "0003")
        #expect(try bench.send("FFC2000002 8300 00") == Self.success + "9000")
        #expect(!bench.world.isFieldOn)
        #expect(try bench.send("FFC2000104 95023004 00") == "C0030164019000")
        bench.world.remove("tag")
        #expect(bench.look() == .empty)
        bench.world.tap("tag")
        #expect(bench.look() == .empty)
        #expect(!bench.world.isFieldOn)
        #expect(try bench.escape("FFC2000002 8200 00") == Self.success + "9000")
        #expect(bench.look() != .empty)
        #expect(try bench.send("FFB0000404") == "0310D1019000")
    }
}
