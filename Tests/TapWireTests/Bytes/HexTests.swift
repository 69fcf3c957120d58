import TapWire
import Testing

@Suite struct `Hexadecimal text` {
    private static let everyByte = Array(UInt8.min...UInt8.max)

    @Test func `spells every byte with two digits`() throws {
        let text = Hex.text(Self.everyByte)
        #expect(text.hasPrefix("000102") && text.hasSuffix("FDFEFF"))
        #expect(try Hex.bytes(text) == Self.everyByte)
        #expect(try Hex.bytes(text.lowercased()) == Self.everyByte)
        #expect(try Hex.bytes(Hex.text(Self.everyByte, separator: " \t")) == Self.everyByte)
        #expect(FrameText.text(Self.everyByte, bitCount: 8 * Self.everyByte.count) == text)
    }

    @Test func `accepts blanks anywhere between digits`() throws {
        #expect(try Hex.bytes(" 1 2\t3 4 ") == [0x12, 0x34])
        #expect(try Hex.bytes(" ") == [])
        #expect(try Hex.bytes("") == [])
    }

    @Test func `rejects all other characters`() {
        for byte in UInt8.min...0x7F where !"0123456789ABCDEFabcdef \t".utf8.contains(byte) {
            let character = Character(UnicodeScalar(byte))
            #expect(throws: Hex.Problem.notADigit(character, at: 3)) { try Hex.bytes("12 \(character)4") }
        }
        #expect(throws: Hex.Problem.notADigit("é", at: 1)) { try Hex.bytes("1é") }
    }

    @Test(arguments: [1, 3, 33])
    func `rejects an odd number of digits`(count: Int) {
        #expect(throws: Hex.Problem.oddDigits(count: count)) { try Hex.bytes(String(repeating: "8", count: count)) }
    }
}

@Suite struct `A frame as text` {
    @Test(
        arguments: [
            ("3004", [0x30, 0x04], 16), ("26:7", [0x26], 7), ("A:4", [0x0A], 4), ("93 2:12", [0x93, 0x02], 12),
            ("", [], 0),
            (":0", [], 0),
        ] as [(String, [UInt8], Int)])
    func `contains bytes and a number of bits`(text: String, bytes: [UInt8], bitCount: Int) throws {
        let frame = try FrameText.parse(text)
        #expect(frame.bytes == bytes)
        #expect(frame.bitCount == bitCount)
    }

    @Test(arguments: [
        ("3G:7", "`G` at position 2 is not a hexadecimal digit"),
        ("300", "3 hexadecimal digits are not whole bytes; add or remove one digit"),
        ("26:9", "`9` is not a number of bits that ends in the last of 1 bytes"),
        (String(repeating: "00", count: 1_025), "a frame has at most 1024 bytes, this one 1025"),
    ])
    func `reports a clear error when invalid`(text: String, problem: String) {
        #expect(throws: FrameText.Problem.self) { try FrameText.parse(text) }
        do {
            _ = try FrameText.parse(text)
        } catch {
            #expect(error.description == problem)
        }
    }

    @Test func `replaces the previous contents of the buffer`() throws {
        var bytes: [UInt8] = [1, 2, 3]
        #expect(try FrameText.parse(Array("3004".utf8)[...], into: &bytes) == 16)
        #expect(bytes == [0x30, 0x04])
    }
}
