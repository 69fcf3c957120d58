import TapDescribe
import TapWire
import TestSupport
import Testing

/// A text, the line of its most likely reading, and a word from the reason.
struct ReadingCase: Sendable, CustomTestStringConvertible {
    let text: String
    let line: String
    let reason: String

    init(_ text: String, _ line: String, _ reason: String) {
        self.text = text
        self.line = line
        self.reason = reason
    }

    var testDescription: String { text }
}

@Suite struct `Readings of hexadecimal text` {
    @Test(arguments: [
        ReadingCase("06 00 FFFF 00 00", "Polling FFFF", "length"),
        ReadingCase("00 FFFF 00 00", "Polling FFFF", "LEN is missing"),
        ReadingCase("06 0101010101010101 01 0F09 01 8000", "Read 090F block 0", "LEN is missing"),
        ReadingCase("00 00 00 00 00 00 B2 4D 06 00 FF FF 00 00 09 21", "Polling FFFF", "sync"),
        ReadingCase("06 00 FF FF 00 00 09 21", "Polling FFFF", "right CRC"),
        ReadingCase("06 00 FF FF 00 00 09 22", "Polling FFFF  (its CRC is wrong)", "wrong CRC"),
        ReadingCase("0x06, 0x00, 0xFF, 0xFF, 0x00, 0x00", "Polling FFFF", "length"),
        ReadingCase("06:00:ff:ff:00:00", "Polling FFFF", "length"),
        ReadingCase(
            "120101010101010101010120220427674EFF", "IDm 0101 0101 0101 0101   PMm 0120…   IC 20", "odd code"),
        ReadingCase("0C 07 0101010101010101 FF A2", "FF A2  illegal number of blocks", "odd code"),
        ReadingCase("30 04", "READ page 04", "opcode"),
        ReadingCase("30 00 02 A8", "READ page 00", "right CRC"),
        ReadingCase("30 00 02 A9", "READ page 00  (its CRC is wrong)", "wrong CRC"),
        ReadingCase("60", "GET_VERSION", "opcode"),
        ReadingCase("60 F8 32", "GET_VERSION", "right CRC"),
        ReadingCase("26:7", "REQA", "seven bits"), ReadingCase("26", "REQA", "26:7"),
        ReadingCase("A:4", "ACK", "four bits"), ReadingCase("A", "ACK", "four bits"),
        ReadingCase("93 20", "ANTICOLLISION cascade level 1", "SEL"),
        ReadingCase("93 70 88 04 A2 3B 15 4C D4", "SELECT cascade level 1", "right CRC"),
        ReadingCase("04 DA 17", "SAK 04, the UID continues", "right CRC"),
        ReadingCase("44 00", "ATQA 0044", "length"),
        ReadingCase("00 04 04 02 01 00 11 03", "NTAG215", "length"),
        ReadingCase("1B FF FF FF FF", "PWD_AUTH", "opcode"),
        ReadingCase("04A23B15 5C6D7E80 CF480000 E1103E00", "4 pages", "length"),
    ])
    func `the most likely reading comes first, with its reason`(_ expected: ReadingCase) throws {
        let first = try #require(try FrameReading.all(of: expected.text).first)
        #expect(first.description.line == expected.line)
        #expect(first.reasons.contains { $0.contains(expected.reason) }, "\(first.reasons)")
    }

    @Test(arguments: [
        ("FF CA 00 00 00", "Get Data, a command APDU", "PC/SC"), ("FF CA", "Get Data, a command APDU", "PC/SC"),
        ("FF B0 00 04 10", "Read Binary, a command APDU", "PC/SC"),
        ("FF B0 00 00 06 01 0F 09 01 80 00", "Read Binary, a command APDU", "PC/SC"),
        ("FF D6 00 04 04 01 02 03", "Update Binary, a command APDU", "PC/SC"),
        ("FF 00 00 00 04 D4 4A 01 00", "Direct Transmit, a command APDU", "PC/SC"),
        ("FF 00 48 00 00", "Get Firmware Version, a command APDU", "PC/SC"),
        ("FF C2 00 01 0A 95 08 06 00 FF FF 00 00 00 00", "Transparent Exchange, a command APDU", "PC/SC"),
        ("FF A4 00 01 02 0F 09", "Select File, a command APDU", "PC/SC"),
        ("00 A4 04 00 07 A0 00 00 02 47 10 01", "SELECT, a command APDU", "PC/SC"),
        ("3B 8F 80 01 80 4F 0C A0 00 00 03 06 03 00 03 00 00 00 00 68", "ATR", "PC/SC"),
        ("3B8F8001804F0CA00000030611003B0000000042", "ATR", "PC/SC"),
        ("9000", "status word", "PC/SC"), ("6A82", "status word", "PC/SC"), ("6C10", "status word", "PC/SC"),
        ("01010101 01010101 9000", "response APDU", "PC/SC"), ("0x80100069", "PC/SC return code", "PC/SC"),
        ("D4 4A 01 00", "InListPassiveTarget command of a PN532", "PN532"),
        ("00 00 FF 04 FC D4 4A 01 00 E1 00", "InListPassiveTarget command of a PN532", "PN532"),
        ("D6 00 01 01 0F 01", "InSetRF command of a Port-100", "Port-100"),
        ("00 00 FF FF FF 03 00 FD D7 07 00 22 00", "SwitchRF answer of a Port-100", "Port-100"),
        (
            "10 0C 08 00 AE 00 00 00 00 00 01 00 00 28 00 FB",
            "attribute information block of a FeliCa card, service 000B", "FeliCa block"
        ),
        ("30 04", "READ command", "NFC Type A"), ("06 00 FFFF 00 00", "Polling command", "FeliCa"),
        ("04A23B15 5C6D7E80 CF480000 E1103E00", "READ answer", "NFC Type A"),
    ])
    func `frames between reader and host are recognized`(
        _ text: String, _ title: String, _ kind: String
    ) throws {
        let first = try #require(try FrameReading.all(of: text).first)
        #expect(first.description.title == title)
        #expect(first.kind.rawValue == kind)
        #expect(first.isCertain)
    }

    @Test(arguments: [
        // A transit card record as people publish it, without its packet.
        (
            "16 01 00 02 2D 47 12 34 01 02 B8 0B 00 01 23 00", "history record of a FeliCa card, service 090F",
            "READ answer"
        ),
        ("01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10", "READ answer", "block of a FeliCa card"),
        ("00 A4 04 00 00", "Polling command", "SELECT, a command APDU"), ("44 00", "ATQA", "PWD_AUTH answer"),
        ("6A42", "status word", "ATQA"),
        ("3B8F8001804F0CA00000030611003B0000000043", "ATR", "FAST_READ answer"),
    ])
    func `all possible readings are listed if the bytes are ambiguous`(
        _ text: String, _ first: String, _ other: String
    ) throws {
        let readings = try FrameReading.all(of: text)
        #expect(readings.first?.description.title == first)
        #expect(readings.dropFirst().contains { $0.description.title == other })
        #expect(text.hasPrefix("3B") || !readings.contains(where: \.isCertain))
    }

    @Test func `parts of an APDU and of an ATR have names`() throws {
        let apdu = try #require(try FrameReading.all(of: "FF B0 00 00 06 01 0F 09 01 80 00").first).description
        #expect(apdu.fields.map(\.name) == ["CLA", "INS", "P1", "P2", "Lc", "data"])
        #expect(apdu.fields.last?.details.map(\.meaning) == ["090F block 0"])
        let atr = try #require(try FrameReading.all(of: "3B8F8001804F0CA00000030611003B0000000042").first).description
        #expect(atr.fields.map(\.name) == ["TS", "T0", "TD1", "TD2", "historical bytes", "TCK"])
        #expect(atr.line == "ATR of FeliCa")
        #expect(
            try FrameReading.all(of: "FF D6 00 04 04 01 02 03").first?.description.remark
                == "Lc is 4, but 3 bytes follow"
        )
    }

    @Test(arguments: ["", "  ", "3", "30 0", "GG", "30:99"])
    func `text that is not a frame is rejected with a message, or is a nibble`(_ text: String) {
        if text == "3" {
            #expect(throws: Never.self) { try FrameReading.all(of: text) }
        } else {
            #expect(throws: FrameText.Problem.self) { try FrameReading.all(of: text) }
        }
    }

    @Test(arguments: [
        ("30 00", "04A23B15 5C6D7E80 CF480000 E1103E00", "4 pages"),
        ("30 00 02 A8", "04 A2 3B 15 5C 6D 7E 80 CF 48 00 00 E1 10 3E 00 7F 6D", "4 pages"),
        ("1B FF FF FF FF", "30 04", "PACK 3004"), ("93 70 88 04 A2 3B 15", "04", "SAK 04, the UID continues"),
        ("39 02", "30 3F 00", "counter 16176"), ("0A 04 0101010101010101", "0B 05 0101010101010101 00", "Mode0"),
        ("0A 04 0101010101010101", "06 00 FFFF 00 00", "Polling FFFF"),
    ])
    func `an answer to the previous frame comes first`(_ command: String, _ answer: String, _ line: String) throws {
        let before = try #require(try FrameReading.all(of: command).first)
        #expect(try FrameReading.all(of: answer, answering: before).first?.description.line == line)
    }

    /// The parts inside the fields of the most likely reading.
    private func parts(_ text: String, to command: String? = nil) throws -> [String] {
        let before = try command.map { try FrameReading.all(of: $0).first } ?? nil
        let first = try #require(try FrameReading.all(of: text, answering: before).first)
        return first.description.fields.flatMap(\.details).map { "\($0.name): \($0.meaning)" }
    }

    private static let header = "07 0101010101010101 00 00"

    @Test(arguments: [
        // Two entries of a transit history, of Edy, of nanaco, and one of WAON in two blocks.
        (
            "2D \(header) 02 16010002357201E601CC300C00012A00 C7460000357178000DC2020D00012900",
            ["terminal: automatic gate", "balance: 3120 yen", "terminal: shop till", "balance: 3330 yen"]
        ),
        (
            "1D \(header) 01 200002074AE70608000002B00000034A",
            ["type: payment", "amount: 688 yen", "balance: 842 yen"]
        ),
        (
            "2D \(header) 02 6F0000138800001388034814A6020600 00000000000000000000000000000000",
            ["type: top-up", "amount: 5000 yen", "balance: 5000 yen"]
        ),
        (
            "2D \(header) 02 00000000000000000000000000020400 0004AA06530627001580000000000000",
            ["type: payment", "sequence number: 516", "balance: 12600 yen"]
        ),
    ])
    func `an answer to Read shows the records that its blocks resemble`(_ answer: String, _ wanted: [String]) throws {
        let parts = try parts(answer)
        for part in wanted { #expect(parts.contains(part), "\(parts)") }
        let first = try #require(try FrameReading.all(of: answer).first)
        #expect(first.reasons.contains { $0.contains("and its blocks look like those of service") })
        #expect(!first.description.fields.contains { $0.meaning.contains("090F") }, "which blocks is not known")
    }

    @Test func `blocks become records if the preceding command names the service`() throws {
        let answer = "1D \(Self.header) 01 4A030000000000000000000000000207"
        #expect(try parts(answer).isEmpty)
        let parts = try parts(answer, to: "10 06 0101010101010101 01 1713 01 8000")
        #expect(parts.contains("purse value: 842 yen"), "\(parts)")
        let broken = "2D \(Self.header) 02 16010002357201E601CC300C00012A00 200002074AE70608000002B00000034A"
        #expect(try self.parts(broken).isEmpty, "records of two kinds belong to no service")
    }

    private static let uri = "D1011155046578616D706C652E636F6D2F31323334"

    @Test(arguments: [
        (uri, "NDEF URI: https://example.com/1234"), ("0315\(uri)FE", "NDEF URI: https://example.com/1234"),
        ("D1010B5402656E48656C6C6F2121FF", "NDEF text, en: Hello!!\u{FFFD}"),
        ("91010855026578616D706C65 5101055402656E4869", "NDEF URI: https://www.example, NDEF text, en: Hi"),
    ])
    func `an NDEF message is recognized with and without its TLV`(_ text: String, _ line: String) throws {
        let first = try #require(try FrameReading.all(of: text).first { $0.kind == .ndef })
        let isText = line.contains("\u{FFFD}")
        #expect(isText || first.description.line == line)
        #expect(!isText || first.description.line.hasPrefix("NDEF record, malformed"), "\(first.description.line)")
    }

    @Test func `pages and blocks that contain a complete message show its records`() throws {
        let pages = "0315\(Self.uri)FE"
        #expect(try parts(pages, to: "3A 04 09").contains("NDEF URI: https://example.com/1234"))
        #expect(try parts(String(pages.prefix(32)), to: "30 04").isEmpty, "half a message is not a message")
        let block = Self.uri + String(repeating: "0", count: 22)
        let answer = "2D \(Self.header) 02 \(block)"
        let parts = try parts(answer, to: "12 06 0101010101010101 01 0B00 02 8001 8002")
        #expect(parts == ["NDEF URI: https://example.com/1234"])
    }

    @Test(arguments: [
        ("D6 04 6E 00 06 00 FF FF 01 00", "InCommRF command of a Port-100: Polling FFFF asking for the system code"),
        ("D6 04 36 01 30 04", "InCommRF command of a Port-100: READ page 04"),
        ("D7 05 80 00 00 00", "InCommRF answer of a Port-100: no answer in time"),
        ("D7 05 04 00 00 00", "InCommRF answer of a Port-100: wrong CRC"),
        ("D6 00 02 03 0F 03", "InSetRF command of a Port-100: type A at 106 kbit/s"),
    ])
    func `a Port-100 packet shows the frame it carries`(hex: String, line: String) throws {
        #expect(try FrameReading.all(of: hex).first { $0.kind == .port100 }?.description.line == line)
    }

    @Test func `a PN532 packet shows the frame it carries`() throws {
        let thru = try FrameReading.all(of: "D4 42 06 00 FFFF 00 00").first
        #expect(thru?.description.line == "InCommunicateThru command of a PN532: Polling FFFF")
        let exchange = try FrameReading.all(of: "D4 40 01 30 04").first
        #expect(exchange?.description.line == "InDataExchange command of a PN532: READ page 04")
        let sony = "FF50000100 0023 9002001C5F46043D1500009101009582001111020101010101010101038B000F098F10 000000"
        let session = try #require(try FrameReading.all(of: sony).first).description
        #expect(session.remark == nil && session.fields.map(\.name).suffix(3) == ["Lc", "data", "Le"])
        #expect(
            session.fields.flatMap(\.details).last.map { "\($0.name): \($0.meaning)" }
                == "bytes to send, then receive: Request Service 008B 090F 108F")
        let apdu = try FrameReading.all(of: "FF 00 00 00 08 D4 42 06 00 FFFF 00 00").first
        #expect(apdu?.description.fields.last?.meaning == thru?.description.line)
    }

    @Test func `all bytes have a reading that covers them`() throws {
        var random = TestRandom()
        for _ in 0..<5_000 {
            var bytes = random.bytes(random.number(1...40))
            if random.oneIn(3) {
                bytes = random.pick([[0xFF], [0x3B], [0xD4], [0x00, 0x00, 0xFF], [0x00, 0xA4]]) + bytes
            }
            let readings = try FrameReading.all(of: Hex.text(bytes))
            #expect(!readings.isEmpty)
            for reading in readings { DescriptionLaws.expectWhole(reading.description, of: reading.frame) }
        }
    }
}
