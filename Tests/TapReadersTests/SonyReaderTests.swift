import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `Sony's readers` {
    private static func bench(_ kind: SonyReader.Kind = .rcs300) throws -> ReaderBench {
        ReaderBench(SonyReader(kind, name: "Sony"), [try TraceCards.felica()])
    }

    @Test(arguments: [SonyReader.Kind.rcs380, .rcs300])
    func `read blocks of the service selected before`(kind: SonyReader.Kind) throws {
        var bench = try Self.bench(kind)
        #expect(bench.atr() == "3B8F8001804F0CA00000030611003B0000000042")
        #expect(try bench.send("FFB0000000") == "6985")
        #expect(try bench.send("FFA40001020F09") == "9000")
        #expect(try bench.send("FFB0000000") == "2000000102030405060708090A0B0C0D9000")
        #expect(try bench.send("FFB0001310") == "2013000102030405060708090A0B0C0D9000")
        #expect(try bench.send("FFB0001308") == "6C10")
        #expect(try bench.send("FFB0001400") == "6300")
        #expect(
            try bench.send("FFB0800204 80008001 00")
                == "2000000102030405060708090A0B0C0D2001000102030405060708090A0B0C0D9000")
        #expect(try bench.send("FFB0800203 800080 00") == "6700")
        #expect(try bench.send("FFD6000010 000102030405060708090A0B0C0D0E0F") == "6300")
        #expect(try bench.send("FFA400010200") == "6700")
        #expect(try bench.send("FFA40000020F09") == "6B00")
        _ = bench.reset()
        #expect(try bench.send("FFB0000000") == "6985")
    }

    @Test func `write blocks of the service selected before`() throws {
        var bench = ReaderBench(SonyReader(.rcs380, name: "Sony"), [try BenchCards.cardS()])
        #expect(try bench.send("FFA40001020910") == "9000")
        #expect(try bench.send("FFD6000110 000102030405060708090A0B0C0D0E0F") == "9000")
        #expect(try bench.send("FFB0000100") == "000102030405060708090A0B0C0D0E0F9000")
        #expect(try bench.send("FFD6800112 8002 0F0E0D0C0B0A09080706050403020100 00") == "9000")
        #expect(try bench.send("FFB0000200") == "0F0E0D0C0B0A090807060504030201009000")
        #expect(try bench.send("FFD6000108 0001020304050607") == "6700")
    }

    @Test(arguments: [
        ("FFCA000000", "02FE1122334455669000"),
        ("FFCA000040", "02FE1122334455669000"),
        ("FFCA000004", "6C08"),
        ("FFCA010000", "0120220427674EFF9000"),
        ("FFCAF00000", "02FE1122334455669000"),
        ("FFCAF10000", "46656C6943619000"),
        ("FFCAF2", "6700"),
        ("FFCAF200", "029000"),
        ("FFCAF300", "119000"),
        ("FFCAF500", "6A81"),
        ("FF560000", "11019000"),
        ("FFFE00000500FFFF0100 00", "0102FE1122334455660120220427674EFF00039000"),
        ("FFFE0000090402FE112233445566 00", "0502FE112233445566009000"),
        ("FFFE01000A0A0402FE112233445566 00", "0B0502FE112233445566009000"),
        ("FFFE01000A0A0402FE112233445566", "0B0502FE112233445566009000"),
        ("FFFE01000A0A0403FE112233445566 00", "6401"),
        ("FFFE020001 00", "6B00"),
        ("FFFE010001 00", "6700"),
        ("FF82000006FFFFFFFFFFFF", "6A81"),
        ("FF990000", "6D00"),
        ("00A40400", "6E00"),
    ])
    func `answer for a FeliCa card`(command: String, answer: String) throws {
        var bench = try Self.bench()
        #expect(try bench.send(command) == answer)
    }

    @Test func `continue with the system that answered a Polling`() throws {
        var bench = try Self.bench(.rcs380)
        #expect(try bench.send("FFFE0000050012FC010000") == "0112FE1122334455660120220427674EFF12FC9000")
        #expect(try bench.send("FFCA000000") == "12FE1122334455669000")
        #expect(try bench.send("FFA40001020B00") == "9000")
        #expect(try bench.send("FFB0000000") == "100C08000D0000000000010000100042" + "9000")
    }

    @Test func `read pages of a tag`() throws {
        var bench = ReaderBench(SonyReader(.rcs300, name: "Sony"), [try TraceCards.tag()])
        #expect(try bench.send("FFB0000400") == "0310D1010C55046578616D706C652E6F9000")
        #expect(try bench.send("FFD6000A0401020304") == "9000")
        #expect(try bench.send("FFA40001020F09") == "6A81")
        #expect(try bench.send("FFFE010002 0400 00") == "6A81")
        #expect(try bench.send("FFCA010000") == "6A81")
        #expect(try bench.send("FFCAF20000") == "019000")
    }

    @Test func `support RC-S300 commands only on the RC-S300`() throws {
        var bench = try Self.bench(.rcs380)
        #expect(try bench.send("FFCAF00000") == "6A81")
        #expect(try bench.send("FF560000") == "6D00")
        #expect(try bench.send("FF50000002810000") == "6D00")
    }

    private static let poll = "FF5000010000115F4604A0860100958200060600FFFF0100000000"
    private static let polled =
        "C00300900092010096020000"
        + "9714140102FE1122334455660120220427674EFF00039000"

    @Test func `find a FeliCa card in a session without switching the protocol`() throws {
        var bench = try Self.bench()
        #expect(try bench.escape("FF50000002810000") == "C0030090009000")
        #expect(try bench.escape(Self.poll) == Self.polled)
        #expect(try bench.escape("FF500002048F02000200") == "C0030090009000")
        #expect(try bench.escape(Self.poll) == "C0030264019000", "the protocol is now type A")
        #expect(try bench.escape("FF50000002820000") == "C0030090009000")
        #expect(try bench.escape("FF50000002810000") == "C0030090009000")
        #expect(try bench.escape(Self.poll) == Self.polled, "the protocol ends with its session")
    }

    @Test func `keep a protocol that was switched before the session starts`() throws {
        var bench = ReaderBench(SonyReader(.rcs300, name: "Sony"), [try TraceCards.tag()])
        #expect(try bench.escape("FF500002048F02000300") == "C0030090008F01009000")
        #expect(try bench.escape("FF50000002810000") == "C0030090009000")
        #expect(
            try bench.escape("FF500001000006958200023004000000")
                == "C0030090009201009602000097100310D1010C55046578616D706C652E6F9000")
    }

    /// Commands of web pages and other open-source drivers of the RC-S300, sent by escape and without a card at first.
    @Test func `can be driven by escape commands`() throws {
        var bench = try Self.bench()
        bench.world.remove("felica")
        _ = bench.look()
        #expect(try bench.escape("FF50000002820000") == "C0030090009000")
        #expect(try bench.escape("FF50000002810000") == "C0030090009000")
        #expect(try bench.escape("FF50000002830000") == "C0030090009000")
        #expect(try bench.escape("FF50000002840000") == "C0030090009000")
        #expect(try bench.escape("FF500002048F02030000") == "C0030090009000")
        let polling = "FF500001000011 5F4604A0860100 95820006 0600FFFF0100 000000"
        #expect(try bench.escape(polling) == "C0030264019000")
        bench.world.tap("felica")
        #expect(
            try bench.escape(polling)
                == "C003009000 920100 96020000 9714140102FE1122334455660120220427674EFF00039000".filter { $0 != " " })
        #expect(try bench.escape("FF50000002820000") == "C0030090009000")
    }
}
