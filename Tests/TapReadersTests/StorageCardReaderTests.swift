import TapCards
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `The storage-card reader` {
    @Test func `reports an NTAG with the ATR of an Ultralight, and FeliCa with its own ATR`() throws {
        var tag = ReaderBench(StorageCardReader(), [BenchCards.tag()])
        #expect(tag.atr() == "3B8F8001804F0CA0000003060300030000000068")
        var felica = ReaderBench(StorageCardReader(), [try BenchCards.cardS()])
        #expect(felica.atr() == "3B8F8001804F0CA00000030611003B0000000042")
        var empty = ReaderBench(StorageCardReader(), [])
        #expect(empty.atr() == nil)
        #expect(try empty.send("FFCA000000") == "no card")
    }

    @Test(arguments: [
        ("FFCA000000", "04A23B5C6D7E809000"),
        ("FFCA0000", "04A23B5C6D7E809000"),
        ("FFCA000007", "04A23B5C6D7E809000"),
        ("FFCA000004", "6C07"),
        ("FFCA000010", "04A23B5C6D7E806282"),
        ("FFCA010000", "6A81"),
        ("FFCA000100", "6A81"),
        ("FFB0000304", "E1103E009000"),
        ("FFB0000308", "E1103E000314D1019000"),
        ("FFB0000400", "0314D1011055046578616D706C652E639000"),
        ("FFB0000410", "0314D1011055046578616D706C652E639000"),
        ("FFB00004", "6700"),
        ("FFB0000405", "6C10"),
        ("FFB0000414", "0314D1011055046578616D706C652E636282"),
        ("FFB0010000", "6A82"),
        ("FFB0008700", "6300"),
        ("FFD6001004DEADBEEF", "9000"),
        ("FFD6001008DEADBEEFCAFEF00D", "9000"),
        ("FFD6001003DEADBE", "6700"),
        ("FFD600FF08DEADBEEFCAFEF00D", "6A82"),
        ("FFD6000004DEADBEEF", "6300"),
        ("FF82000006FFFFFFFFFFFF", "6A81"),
        ("FF860000050100046000", "6A81"),
        ("FF8800046000", "6700"),
        ("FF88000402 6000", "6A81"),
        ("FFC201000281 00", "6A81"),
        ("FF40000000", "6D00"),
        ("00A4040007D276000085010100", "6E00"),
        ("80CA9F7F00", "6E00"),
        ("FFCA00", "6700"),
        ("FFD6001004DEAD", "6700"),
        ("", "6700"),
    ])
    func `answers for an NTAG215`(command: String, answer: String) throws {
        var bench = ReaderBench(StorageCardReader(), [BenchCards.tag()])
        #expect(try bench.send(command) == answer)
    }

    @Test(arguments: [
        ("FFCA000000", "01010A10203040509000"),
        ("FFCA000004", "6C08"),
        ("FFCA010000", "6A81"),
        ("FFB0000006 01 0F09 01 8000 00", "16010002323401070108E80300002A009000"),
        ("FFB00000", "6700"),
        ("FFB0000010", "6700"),
        ("FFB0000106 01 0F09 01 8000 00", "6B00"),
        ("FFB0000006 01 0F09 01 80FF 00", "6300"),
        ("FFB0000006 01 0000 01 8000 00", "6300"),
        ("FFB0000005 01 0F09 01 80 00", "6700"),
        ("FFD6000016 01 0910 01 8001 000102030405060708090A0B0C0D0E0F", "9000"),
        ("FFD6000016 01 0910 02 8001 000102030405060708090A0B0C0D0E0F", "6700"),
        ("FFD6000006 01 0910 01 8001", "6700"),
        ("FFD6000016 01 0F09 01 8001 000102030405060708090A0B0C0D0E0F", "6300"),
        ("00A40400", "6E00"),
    ])
    func `answers for FeliCa card S`(command: String, answer: String) throws {
        var bench = ReaderBench(StorageCardReader(), [try BenchCards.cardS()])
        #expect(try bench.send(command) == answer)
    }
}
