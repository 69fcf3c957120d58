import TapWire
import TestSupport
import Testing

@Suite struct `TLV properties` {
    private func range(_ random: inout TestRandom, inside end: Int) -> Range<Int> {
        let first = random.number(0...end)
        return first..<first + random.number(0...12)
    }

    private func block(_ random: inout TestRandom) throws -> TLVBlock {
        switch random.number(0...5) {
        case 0: return .null
        case 1: return try TLVBlock(.lockControl, random.bytes(3))
        case 2:
            let (position, count, exponent) = (random.number(0...255), random.number(1...12), random.number(0...5))
            return try TLVBlock(.memoryControl, [UInt8(position), UInt8(count), UInt8(exponent)])
        case 3: return try TLVBlock(.ndefMessage, random.bytes(random.number(0...60)), isLong: random.oneIn(4))
        case 4: return try TLVBlock(.ndefMessage, random.bytes(random.number(0...300)))
        default: return try TLVBlock(TLVType(UInt8(random.number(4...0xFD))), random.bytes(random.number(0...20)))
        }
    }

    @Test func `blocks written around reserved bytes are read back, and the reserved bytes stay the same`() throws {
        var random = TestRandom("tlv layouts")
        var laid = 0
        for _ in 0..<2_000 {
            let end = 16 + 8 * random.number(1...100)
            var area = Type2DataArea(16..<end)
            for _ in 0..<random.number(0...4) { area.reserve(range(&random, inside: end)) }
            var blocks: [TLVBlock] = []
            for _ in 0..<random.number(0...6) { blocks.append(try block(&random)) }
            let before = random.bytes(end + 20)
            var memory = before
            guard let placed = try? area.write(blocks, into: &memory) else {
                #expect(memory == before, "seed \(TestSeed.value)")
                continue
            }
            laid += 1
            var walker = TLVWalker(memory: memory, area: area)
            for expected in placed {
                #expect(try walker.next() == expected, "seed \(TestSeed.value)")
            }
            let kept = memory.indices.filter { address in
                !area.addresses.contains(address) || area.reserved.contains { $0.contains(address) }
            }
            #expect(kept.allSatisfy { memory[$0] == before[$0] }, "seed \(TestSeed.value)")
        }
        #expect(laid > 500, "seed \(TestSeed.value)")
    }

    @Test func `the largest message fits, and one more byte does not`() throws {
        var random = TestRandom("tlv room")
        for _ in 0..<300 {
            let end = 16 + random.number(0...600)
            var area = Type2DataArea(16..<end)
            for _ in 0..<random.number(0...3) { area.reserve(range(&random, inside: end)) }
            let before = [try block(&random)]
            let largest = area.largestMessage(after: before)
            var memory = [UInt8](repeating: 0, count: end)
            for count in [largest, (largest ?? -1) + 1].compactMap(\.self) {
                let message = try TLVBlock(.ndefMessage, [UInt8](repeating: 0xAA, count: count))
                let fits = (try? area.write(before + [message], into: &memory)) != nil
                #expect(fits == (count == largest), "seed \(TestSeed.value)")
            }
        }
    }

    @Test func `counting data bytes gives as many as walking over them`() {
        var random = TestRandom("tlv count")
        for _ in 0..<500 {
            var area = Type2DataArea(16..<16 + random.number(0...200))
            for _ in 0..<random.number(0...6) { area.reserve(range(&random, inside: 220)) }
            let start = random.number(0...230)
            var walked = 0
            var next = area.dataAddress(atOrAfter: start)
            while let address = next {
                walked += 1
                next = area.dataAddress(atOrAfter: address + 1)
            }
            #expect(area.byteCount(from: start) == walked, "seed \(TestSeed.value)")
        }
    }

    @Test func `no bytes trap the walker, and the blocks it reads print the same bytes`() {
        var random = TestRandom("tlv bytes")
        for _ in 0..<20_000 {
            let bytes = [UInt8(random.number(0...4))] + random.bytes(random.number(0...30))
            WireLaws.expectFaithful(TLVBlock.self, bytes)
            var memory = random.bytes(16) + bytes
            memory[16 + random.number(0...bytes.count - 1)] = UInt8(random.number(0...3))
            let area = Type2DataArea(16..<random.number(16...60))
            let blocks = (try? area.blocks(in: memory)) ?? []
            let ends = blocks.map(\.end)
            if zip(ends, ends.dropFirst()).contains(where: { $0 >= $1 }) {
                Issue.record("seed \(TestSeed.value): blocks do not follow one another in \(Hex.text(memory))")
            }
        }
    }
}
