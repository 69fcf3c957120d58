import TapWire
import TestSupport
import Testing

/// A text, the line of its likeliest reading, and a word of the reason.
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
        ReadingCase("04 DA 17", "SAK 04, the UID goes on", "right CRC"),
        ReadingCase("44 00", "ATQA 0044", "length"),
        ReadingCase("00 04 04 02 01 00 11 03", "NTAG215", "length"),
        ReadingCase("1B FF FF FF FF", "PWD_AUTH", "opcode"),
        ReadingCase("04A23B15 5C6D7E80 CF480000 E1103E00", "4 pages", "length"),
    ])
    func `the likeliest comes first, with its reason`(_ expected: ReadingCase) throws {
        let first = try #require(try FrameReading.all(of: expected.text).first)
        #expect(first.description.line == expected.line)
        #expect(first.reasons.contains { $0.contains(expected.reason) }, "\(first.reasons)")
    }

    @Test(arguments: ["", "  ", "3", "30 0", "GG", "30:99"])
    func `text that is no frame is refused with a sentence, or is a nibble`(_ text: String) {
        if text == "3" {
            #expect(throws: Never.self) { try FrameReading.all(of: text) }
        } else {
            #expect(throws: FrameText.Problem.self) { try FrameReading.all(of: text) }
        }
    }

    @Test(arguments: [
        ("30 00", "04A23B15 5C6D7E80 CF480000 E1103E00", "4 pages"),
        ("30 00 02 A8", "04 A2 3B 15 5C 6D 7E 80 CF 48 00 00 E1 10 3E 00 7F 6D", "4 pages"),
        ("1B FF FF FF FF", "30 04", "PACK 3004"), ("93 70 88 04 A2 3B 15", "04", "SAK 04, the UID goes on"),
        ("39 02", "30 3F 00", "counter 16176"), ("0A 04 0101010101010101", "0B 05 0101010101010101 00", "Mode0"),
        ("0A 04 0101010101010101", "06 00 FFFF 00 00", "Polling FFFF"),
    ])
    func `what answers the frame before it comes first`(_ command: String, _ answer: String, _ line: String) throws {
        let before = try #require(try FrameReading.all(of: command).first)
        #expect(try FrameReading.all(of: answer, answering: before).first?.description.line == line)
    }

    @Test func `any bytes have a reading that covers them`() throws {
        var random = TestRandom()
        for _ in 0..<5_000 {
            let bytes = random.bytes(random.number(1...40))
            let readings = try FrameReading.all(of: Hex.text(bytes))
            #expect(!readings.isEmpty)
            for reading in readings { DescriptionLaws.expectWhole(reading.description, of: reading.frame) }
        }
    }
}
