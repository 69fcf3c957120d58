import TapWire
import TestSupport
import Testing

/// The rules for values with a fixed layout: writing gives the bytes that were read, and parsing rejects fewer or more bytes.
enum LayoutProperties {
    /// Checks a value and its bytes.
    static func check<Value: WireValue>(_ value: Value) {
        let bytes = value.bytes
        #expect((try? Value(parsing: bytes)) == value, "\(value) as \(Hex.text(bytes)), seed \(TestSeed.value)")
        for length in bytes.indices {
            let error = #expect(throws: WireError.self) { try Value(parsing: Array(bytes.prefix(length))) }
            #expect(error?.code == .truncated, "\(Value.self) of \(length) bytes, seed \(TestSeed.value)")
            #expect(error?.offset == length)
        }
        let error = #expect(throws: WireError.self) { try Value(parsing: bytes + [0]) }
        #expect(error?.code == .trailingBytes, "\(Value.self), seed \(TestSeed.value)")
        #expect(error?.offset == bytes.count)
    }

    /// Checks that a frame with another command code is not parsed as the command.
    static func checkCode<Value: WireValue>(_ value: Value) {
        var bytes = value.bytes
        bytes[0] ^= 0xFF
        let error = #expect(throws: WireError.self) { try Value(parsing: bytes) }
        #expect(error?.code == .wrongCode, "\(Value.self), seed \(TestSeed.value)")
        #expect(error?.offset == 0)
    }
}

@Suite struct `Values of ISO 14443-3` {
    @Test func `round-trip`() {
        var random = TestRandom()
        for _ in 0..<200 {
            let part = CascadePart(rawValue: random.next())
            LayoutProperties.check(part)
            LayoutProperties.check(ShortFrame(random.byte()))
            LayoutProperties.check(ATQA(UInt16(truncatingIfNeeded: random.next())))
            LayoutProperties.check(SAK(random.byte()))
            for level in CascadeLevel.allCases {
                LayoutProperties.check(Select.Request(level, part))
                LayoutProperties.checkCode(Select.Request(level, part))
                let known = random.number(below: CascadePart.bitCount)
                LayoutProperties.check(Anticollision.Request(level, knownBits: part.rawValue, knownBitCount: known))
            }
        }
        LayoutProperties.check(HLTA.Request())
        LayoutProperties.checkCode(HLTA.Request())
    }

    @Test func `reject numbers that do not fit into their bits`() {
        #expect(throws: WireError.self) { try ShortFrame(parsing: [0x80]) }
        #expect(throws: WireError.self) { try HLTA.Request(parsing: [0x50, 0x01]) }
        #expect(throws: WireError.self) { try Select.Request(parsing: [0x93, 0x20, 0, 0, 0, 0, 0]) }
    }

    @Test func `have names`() {
        #expect("\(ShortFrame.reqa) \(ShortFrame.wupa) \(ShortFrame(0x40))" == "REQA WUPA short frame 40")
        #expect("\(ATQA.ntag21x) \(SAK.uidNotComplete)" == "0044 04")
        #expect(CascadeLevel.allCases.map { CascadeLevel(sel: $0.sel) } == CascadeLevel.allCases)
        #expect(CascadeLevel(sel: 0x94) == nil)
    }
}
