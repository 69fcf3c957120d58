import TapWire
import Testing

@Suite struct `TLV blocks` {
    private static let header = [UInt8](repeating: 0, count: Type2DataArea.firstAddress)

    private static func area(_ data: [UInt8]) -> Type2DataArea {
        Type2DataArea(16..<16 + data.count)
    }

    @Test(arguments: WireVector.file("tlv.txt"))
    func `are found where the vectors specify`(vector: WireVector) throws {
        let placed = try Self.area(vector.bytes).blocks(in: Self.header + vector.bytes)
        let says = placed.map { found in
            var words = "\(found.block.type) \(found.address) \(found.end)"
            if !found.block.value.isEmpty { words += " \(Hex.text(found.block.value))" }
            return found.block.isLong ? words + " long" : words
        }
        #expect(says.joined(separator: "; ") == vector.says)
    }

    @Test(arguments: WireVector.file("tlv.txt"))
    func `are written where they were found`(vector: WireVector) throws {
        let area = Self.area(vector.bytes)
        let placed = try area.blocks(in: Self.header + vector.bytes)
        var memory = Self.header + [UInt8](repeating: 0x5A, count: vector.bytes.count)
        #expect(try area.write(placed.map(\.block), into: &memory) == placed)
        let end = placed.last?.end ?? 16
        #expect(Hex.text(memory[16..<end]) == Hex.text(vector.bytes[..<(end - 16)]))
    }

    @Test(arguments: WireVector.file("tlv-broken.txt"))
    func `that are invalid report the location of the error`(vector: WireVector) throws {
        let error = #expect(throws: WireError.self) {
            try Self.area(vector.bytes).blocks(in: Self.header + vector.bytes)
        }
        #expect(error.map { "\($0.code) \($0.offset) \($0.field)" } == vector.says)
    }

    @Test func `are found up to the first invalid block`() throws {
        let data = try Hex.bytes("03 01 AA FD FF FF FF")
        var walker = TLVWalker(memory: Self.header + data, area: Self.area(data))
        #expect(try walker.next()?.block == TLVBlock(.ndefMessage, [0xAA]))
        #expect(throws: WireError.self) { try walker.next() }
        #expect(try walker.next() == nil)
    }

    @Test func `in memory that is only partly read are reported as truncated`() throws {
        let area = Type2DataArea(CapabilityContainer(dataAreaSize: 144))
        var memory = Self.header + (try Hex.bytes("03 10 D1 01"))
        let error = #expect(throws: WireError.self) { try area.ndefMessageBlock(in: memory) }
        #expect(error?.code == .truncated)
        #expect(error?.offset == memory.count)
        memory += [UInt8](repeating: 0, count: 14)
        #expect(try area.ndefMessageBlock(in: memory)?.block.value.count == 16)
    }

    @Test func `include the first NDEF message, if there is one`() throws {
        let two = try Hex.bytes("FD 00 03 01 AA 03 01 BB FE")
        let found = try Self.area(two).ndefMessageBlock(in: Self.header + two)
        #expect(found?.block.value == [0xAA])
        #expect(found?.lengthAddress == 19)
        let none = try Hex.bytes("FD 00 FE 03 01 AA")
        #expect(try Self.area(none).ndefMessageBlock(in: Self.header + none) == nil)
    }

    @Test func `use the length form that their value needs`() throws {
        #expect(try TLVBlock(.ndefMessage, [UInt8](repeating: 0, count: 254)).bytes.prefix(2) == [0x03, 0xFE])
        #expect(
            try TLVBlock(.ndefMessage, [UInt8](repeating: 0, count: 255)).bytes.prefix(4) == [0x03, 0xFF, 0x00, 0xFF])
        #expect(throws: WireError.self) { try TLVBlock(.ndefMessage, [UInt8](repeating: 0, count: 0xFFFF)) }
        #expect(throws: WireError.self) { try TLVBlock(.terminator, [0]) }
        #expect(try TLVBlock(.null, []) == .null)
    }

    @Test func `can be parsed on their own`() throws {
        let message = NDEFMessage([try NDEFRecord(.text(NDEFText(String(repeating: "A", count: 300), language: "en")))])
        let block = try TLVBlock(message)
        #expect(Hex.text(block.bytes.prefix(16)) == "03FF0136C1010000012F5402656E4141")
        try WireLaws.expectRoundTrip(block)
        try WireLaws.expectRoundTrip(TLVBlock.terminator)
        #expect(throws: WireError(.truncated, at: 0, in: "TLV type")) { try TLVBlock(parsing: [UInt8]()) }
        let error = #expect(throws: WireError.self) { try TLVBlock(parsing: [0x03, 0x00, 0xFE]) }
        #expect(error?.code == .trailingBytes)
        #expect(error?.offset == 2)
    }
}

@Suite struct `Room for NDEF messages` {
    @Test func `is as large as documented for the tags`() throws {
        let lockControl = try TLVBlock(.lockControl, Hex.bytes("A00C34"))
        let areas = [144, 496, 872].map { Type2DataArea(CapabilityContainer(dataAreaSize: $0)) }
        #expect(areas[0].largestMessage(after: [lockControl]) == 137)
        #expect(areas[1].largestMessage() == 492)
        #expect(areas[2].largestMessage() == 868)
    }

    @Test(arguments: [(2, 0), (3, 1), (256, 254), (257, 254), (258, 254), (259, 255), (70_000, 0xFFFE)])
    func `grows with the area, except for the longer length field`(size: Int, largest: Int) {
        #expect(Type2DataArea(16..<16 + size).largestMessage() == largest)
    }

    @Test func `does not exist if nothing fits`() throws {
        #expect(Type2DataArea(16..<17).largestMessage() == nil)
        #expect(Type2DataArea(16..<24).largestMessage(after: [try TLVBlock(.proprietary, [0, 0, 0, 0, 0])]) == nil)
        #expect(Type2DataArea(16..<17).largestMessage(after: [.null, .terminator]) == nil)
    }

    @Test func `remains around bytes that a block reserves`() throws {
        // 24 lock bits at byte 128.
        let lock = try TLVBlock(.lockControl, [0xF8, 0x18, 0x63])
        let area = Type2DataArea(CapabilityContainer(dataAreaSize: 496), reserved: [])
        let blocks = [lock, try TLVBlock(.ndefMessage, [UInt8](repeating: 0xAA, count: 484))]
        #expect(area.largestMessage(after: [lock]) == 484)
        var memory = [UInt8](repeating: 0x5A, count: 540)
        try area.write(blocks + [.terminator], into: &memory)
        #expect(Array(memory[127..<132]) == [0xAA, 0x5A, 0x5A, 0x5A, 0xAA])
        #expect(memory[511] == 0xAA)
        #expect(memory[512...].allSatisfy { $0 == 0x5A })
        #expect(try area.ndefMessageBlock(in: memory)?.block == blocks[1])
    }

    @Test func `that is too small leaves the memory unchanged`() throws {
        let block = try TLVBlock(.ndefMessage, [UInt8](repeating: 0xAA, count: 7))
        var memory = [UInt8](repeating: 0, count: 24)
        let tooLong = #expect(throws: WireError.self) { try Type2DataArea(16..<24).write([block], into: &memory) }
        #expect(tooLong?.code == .truncated)
        #expect(tooLong?.offset == 24)
        let tooShort = #expect(throws: WireError.self) { try Type2DataArea(16..<32).write([block], into: &memory) }
        #expect(tooShort?.field == "tag memory")
        #expect(memory.allSatisfy { $0 == 0 })
    }
}
