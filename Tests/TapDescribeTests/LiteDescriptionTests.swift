import TapDescribe
import TapWire
import Testing

@Suite struct `Descriptions of FeliCa Lite blocks` {
    private static func details(_ hex: String, _ number: UInt16) throws -> [String: String] {
        let meaning = BlockMeaning.of(BlockData(try Hex.bytes(hex)), in: NodeCode(0x000B), number: number, after: nil)
        let found = try #require(meaning)
        return Dictionary(uniqueKeysWithValues: found.details.map { ($0.name, $0.meaning) })
    }

    @Test func `show what MC allows`() throws {
        let mc = try Self.details("FE7F0001070101000000060001000000", 0x88)
        #expect(mc["writable"] == "1 to 13, REG")
        #expect(mc["MC_ALL"] == "00, system blocks are permanently locked")
        #expect(mc["answers 12FC"] == "yes")
        #expect(mc["read after authentication"] == "0")
        #expect(mc["written after authentication"] == "none")
        #expect(mc["written with MAC_A"] == "1 to 2")
        #expect(mc["STATE written with MAC_A"] == "yes")
    }

    @Test func `show WCNT, MAC_A and STATE as numbers and words`() throws {
        #expect(try Self.details("00FEFF00000000000000000000000000", 0x90) == ["writes": "16776704"])
        #expect(
            try Self.details("873AEE7B29923A6D04FEFF0000000000", 0x91)
                == ["MAC_A": "873AEE7B29923A6D", "write counter": "16776708"])
        #expect(
            try Self.details("01000000000000000000000000000000", 0x92)
                == ["external authentication": "done", "Polling": "answered"])
    }

    @Test(arguments: ["RC", "MAC", "ID", "D_ID", "SER_C", "SYS_C", "CKV", "CK", "MC", "WCNT", "MAC_A", "STATE"])
    func `explain every system block by name`(_ name: String) {
        let explanation = Explanation.matches(name).first
        #expect(explanation?.kind == .block && explanation?.title == name)
    }
}
