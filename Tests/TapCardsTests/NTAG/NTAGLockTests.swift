import TapCards
import TapWire
import TestSupport
import Testing

/// The pages that a dynamic lock bit locks: product, byte and bit, first and last page.
struct LockGroup: Sendable, CustomTestStringConvertible {
    let product: NTAGProduct
    let bit: Int
    let pages: ClosedRange<Int>

    var testDescription: String { "\(product.rawValue) \(bit / 8).\(bit % 8): pages \(pages)" }

    /// The tables of the data sheet, bit by bit.
    static let all =
        group(
            .ntag213,
            [
                16...17, 18...19, 20...21, 22...23, 24...25, 26...27, 28...29, 30...31, 32...33, 34...35, 36...37,
                38...39,
            ]) + group(.ntag215, [16...31, 32...47, 48...63, 64...79, 80...95, 96...111, 112...127, 128...129])
        + group(
            .ntag216,
            [
                16...31, 32...47, 48...63, 64...79, 80...95, 96...111, 112...127, 128...143, 144...159, 160...175,
                176...191, 192...207, 208...223, 224...225,
            ])

    private static func group(_ product: NTAGProduct, _ pages: [ClosedRange<Int>]) -> [LockGroup] {
        pages.enumerated().map { LockGroup(product: product, bit: $0.offset, pages: $0.element) }
    }
}

@Suite struct `NTAG21x locks` {
    @Test(arguments: LockGroup.all)
    func `protect the pages of a dynamic lock bit`(group: LockGroup) {
        var session = NTAGSession(SampleTags.t0(group.product))
        session.select()
        let layout = group.product.layout
        let bits = group.bit < 8 ? PageData(1 << group.bit, 0, 0, 0) : PageData(0, 1 << (group.bit - 8), 0, 0)
        #expect(session.send(Self.write(bits, to: layout.dynamicLockPage)) == "0A:4")
        let locked = (0..<layout.pageCount).filter(session.card.isLocked)
        #expect(locked == Array(group.pages))
        for page in [
            group.pages.lowerBound - 1, group.pages.lowerBound, group.pages.upperBound, group.pages.upperBound + 1,
        ] {
            session.select()
            let isOpen = !group.pages.contains(page)
            #expect(session.send(Self.write(.zero, to: page)) == (isOpen ? "0A:4" : "00:4"), "page \(page)")
        }
    }

    @Test(arguments: NTAGProduct.allCases)
    func `freeze two groups for each block-lock bit`(product: NTAGProduct) {
        let layout = product.layout
        for bit in 0..<8 {
            var session = NTAGSession(SampleTags.t0(product))
            session.select()
            session.send(Self.write(PageData(0, 0, 1 << bit, 0), to: layout.dynamicLockPage))
            session.send(Self.write(PageData(0xFF, 0xFF, 0, 0), to: layout.dynamicLockPage))
            let frozen: UInt16 = bit < layout.blockLockBitCount ? 3 << (2 * bit) : 0
            #expect(session.card.dynamicLocks == DynamicLockBits(groups: ~frozen, blockLocks: 1 << bit))
        }
    }

    @Test func `protect pages 3 to 15 with the static lock bits`() {
        for page in 3...15 {
            var session = NTAGSession(SampleTags.t0())
            session.select()
            let word = UInt16(1) << UInt16(page)
            session.send(Self.write(PageData(0, 0, UInt8(word & 0xFF), UInt8(word >> 8)), to: 2))
            #expect((0..<135).filter(session.card.isLocked) == [page])
            #expect(session.card.staticLocks == StaticLockBits(rawValue: word))
        }
    }

    @Test func `of NTAG21x have as many bits as the data sheet lists`() {
        let counts = NTAGProduct.allCases.map { product in
            16 + product.layout.dynamicLockBitCount + product.layout.blockLockBitCount
        }
        #expect(counts == [34, 28, 37])
    }

    @Test func `can never be unlocked`() {
        var random = TestRandom()
        for _ in 0..<200 {
            let product = random.pick(NTAGProduct.allCases)
            var session = NTAGSession(SampleTags.t0(product))
            for _ in 0..<10 {
                let before = session.card
                session.select()
                let page = random.pick([2, 3, product.layout.dynamicLockPage])
                let data = PageData(random.bytes(4))
                let answer = session.send(Self.write(data, to: page))
                let (old, new) = (before[page: page], session.card[page: page])
                #expect(old.simd | new.simd == new.simd, "seed \(TestSeed.value)")
                #expect(old.simd | data.simd | new.simd == old.simd | data.simd, "seed \(TestSeed.value)")
                let isRefused = page == 3 && before.isLocked(3)
                #expect(answer == (isRefused ? "00:4" : "0A:4"), "seed \(TestSeed.value)")
                if isRefused { #expect(session.card.hasSameMemory(as: before), "seed \(TestSeed.value)") }
            }
        }
    }

    private static func write(_ data: PageData, to page: Int) -> String {
        Hex.text(WritePage.Request(page: UInt8(page), data: data).bytes)
    }
}
