import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `The ACR122U` {
    @Test func `reports FeliCa with an ATR specific to ACS`() throws {
        var felica = ReaderBench(ACR122U(), [try TraceCards.felica()])
        #expect(felica.atr() == "3B8F8001804F0CA00000030603F011000000008A")
        var tag = ReaderBench(ACR122U(), [try TraceCards.tag()])
        #expect(tag.atr() == "3B8F8001804F0CA0000003060300030000000068")
    }

    @Test(arguments: [
        ("FFCA000000", "04A1B2C3D4E5F69000"),
        // ACS's API document requires four bytes regardless of the UID length.
        ("FFCA000004", "04A1B2C39000"),
        ("FFCA000040", "04A1B2C3D4E5F69000"),
        ("FFCA010000", "6A81"),
        ("FFB0000410", "0310D1010C55046578616D706C652E6F9000"),
        ("FFB0000404", "0310D1019000"),
        ("FFB0000411", "6300"),
        ("FFB0018700", "6300"),
        ("FFB000FF10", "6300"),
        ("FFD6000A0401020304", "9000"),
        ("FFD6000A0801020304 05060708", "6300"),
        ("FFD600020401020304 ", "9000"),
        ("FF00400004 00000000", "9000"),
        ("FF00400F04 00000000", "9003"),
        ("FF00405004 14000101", "9000"),
        ("FF00400F03 000000", "6300"),
        ("FF00500000", "90FF"),
        ("FF00518F00", "908F"),
        ("FF00410100", "9000"),
        ("FF0052FF00", "9000"),
        ("FF00480000", "41435231323255323135"),
        ("FF00990000", "6A81"),
        ("FFC0000005", "6A81"),
        ("FF82000006FFFFFFFFFFFF", "9000"),
        ("FF82000206FFFFFFFFFFFF", "6300"),
        ("FF860000050100046000", "6300"),
        ("FF00000003D40A00", "637F"),
        ("FF00000002D499", "637F"),
        ("FF00000002AABB", "637F"),
        ("FF000000", "637F"),
        ("FF00000004D4400230", "D541279000"),
        ("FF00000005D440013004", "D541000310D1010C55046578616D706C652E6F9000"),
        // A NAK is reported as a time-out, an ACK as a wrong CRC: nfc-pcsc, issue 59; libfreefare, issue 112.
        ("FF00000005D4400130FF", "D541019000"),
        ("FF00000004D44230FF", "D543019000"),
        ("FF00000007D4421B00000000", "D543019000"),
        ("FF00000007D440011B000000", "D541019000"),
        ("FF00000002D404", "D5050000010100000080" + "9000"),
        ("FF00000004D4421A00", "D543019000"),
        ("FF00000016D4421A00", "D543019000"),
        ("FF00000007D4423A0405", "D543000310D1010C5504659000"),
        ("FF00000005D4423A0405FF", "D543000310D1010C5504659000"),
        ("FF00000006D44003", "D541279000"),
        ("FF00000006", "637F"),
        // An empty answer: pyscard, issues 18 and 85.
        ("00A4040007D276000085010100", ""),
        ("A0A40000027F10", ""),
        ("0A0402", ""),
    ])
    func `answers for an NTAG215`(command: String, answer: String) throws {
        var bench = ReaderBench(ACR122U(), [try TraceCards.tag()])
        #expect(try bench.send(command) == answer)
    }

    @Test(arguments: [
        ("FFCA000000", "02FE1122334455669000"),
        ("FFB0000010", "6300"),
        ("0A0402FE112233445566", "0B0502FE112233445566009000"),
        ("0A0403FE112233445566", "6300"),
        ("0B0402FE112233445566", ""),
        ("A0A40000027F10", ""),
        ("FF0000000DD440010A0402FE112233445566", "D541000B0502FE112233445566009000"),
        ("FF0000000DD440010A0403FE112233445566", "D541019000"),
        ("FF00000003D44001", "D541139000"),
        ("FF0000000DD440020A0402FE112233445566", "D541279000"),
    ])
    func `answers for a FeliCa card`(command: String, answer: String) throws {
        var bench = ReaderBench(ACR122U(), [try TraceCards.felica()])
        #expect(try bench.send(command) == answer)
    }

    @Test func `sets its lights individually`() throws {
        var bench = ReaderBench(ACR122U(), [try TraceCards.tag()])
        #expect(try bench.send("FF00400F0400000000") == "9003")
        #expect(try bench.send("FF0040040400000000") == "9002")
        #expect(try bench.send("FF0040000400000000") == "9002")
        #expect(try bench.send("FF00400C0400000000") == "9000")
    }

    @Test func `accepts escape commands without a card in the field`() throws {
        var bench = ReaderBench(ACR122U(), [])
        #expect(try bench.send("FF00480000") == "no card")
        for code in [ControlCode.vendorExchange, .escape] {
            #expect(try bench.escape("FF00480000", code) == "41435231323255323135")
            #expect(try bench.escape("FF00000004D44A0100", code) == "D54B009000")
            #expect(try bench.escape("FFCA000000", code) == "6300")
        }
        #expect(try bench.escape("", .features) == "120442330012130442000001")
        #expect(try bench.escape("", .properties) == "0B022F070C020022")
        #expect(try bench.escape("", ControlCode(function: 7)) == "unsupported")
    }

    @Test func `does not wait forever where its chip would`() throws {
        var bench = ReaderBench(ACR122U(), [])
        #expect(try bench.escape("FF00000006D43205FFFFFF") == "D5339000")
        #expect(try bench.escape("FF00000004D44A0100") == "6301")
        #expect(try bench.escape("FF00000005D460FF0110") == "6301")
        #expect(try bench.escape("FF00000004D48C0000") == "6301")
        #expect(try bench.escape("FF00000002D402") == "D503320106079000")
    }

    @Test func `selects a tag again only after one of its own commands was refused`() throws {
        var bench = ReaderBench(ACR122U(), [try TraceCards.tag()])
        #expect(try bench.send("FFB000FF10") == "6300")
        #expect(try bench.send("FFB0000404") == "0310D1019000")
        #expect(try bench.send("FF00000005D4400130FF") == "D541019000")
        #expect(try bench.send("FF00000005D440013004") == "D541019000")
        #expect(try bench.send("FFB0000404") == "6300")
        #expect(try bench.send("FFB0000404") == "0310D1019000")
        #expect(try bench.send("FF00000005D440013004") == "D541000310D1010C55046578616D706C652E6F9000")
    }

    @Test func `looks for the cards that its operating parameter enables`() throws {
        var bench = ReaderBench(ACR122U(), [try TraceCards.tag(), try TraceCards.felica()])
        #expect(bench.atr()?.contains("06030003") == true)
        #expect(try bench.send("FF0051FE00") == "90FE")
        _ = bench.reset()
        #expect(bench.atr()?.contains("0603F011") == true)
        #expect(try bench.send("FF0051F600") == "90F6")
        _ = bench.reset()
        #expect(bench.atr()?.contains("0603F012") == true)
        #expect(try bench.send("FF00510000") == "9000")
        #expect(bench.reset() == .empty)
    }
}
