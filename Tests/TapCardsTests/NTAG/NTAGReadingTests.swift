import TapCards
import TapWire
import TestSupport
import Testing

@Suite struct `Reading an NTAG21x` {
    @Test func `wraps around before the first protected page`() {
        for auth0 in 0...46 {
            var definition = SampleTags.t0(.ntag213)
            definition.configuration.auth0 = UInt8(auth0)
            definition.configuration.access.prot = true
            let limit = min(auth0, 45)
            var session = NTAGSession(definition)
            for page in 0..<46 {
                session.cycle()
                session.select()
                var expected: [UInt8] = []
                var next = page
                for _ in 0..<4 where page < limit {
                    expected += Self.shown(definition, next).bytes
                    next = next + 1 == limit ? 0 : next + 1
                }
                let answer = session.send(Hex.text(ReadPages.Request(page: UInt8(page)).bytes))
                #expect(answer == (page < limit ? Hex.text(expected, separator: " ") : "00:4"), "\(auth0), \(page)")
            }
        }
    }

    @Test(arguments: NTAGProduct.allCases)
    func `returns all pages at once and hides PWD and PACK`(product: NTAGProduct) {
        var definition = SampleTags.t0(product)
        definition.pack = 0x1234
        definition[page: product.layout.packPage][3] = 0x56
        let last = UInt8(product.layout.pageCount - 1)
        var session = NTAGSession(definition)
        session.select()
        for isAuthenticated in [false, true] {
            if isAuthenticated { session.authenticate() }
            let answer = session.send(Hex.text(FastRead.Request(first: 0, last: last).bytes))
            let expected = (0..<product.layout.pageCount).flatMap { Self.shown(definition, $0).bytes }
            #expect(answer == Hex.text(expected, separator: " "))
        }
    }

    @Test func `rejects a range that is reversed or ends too late`() {
        var random = TestRandom()
        for _ in 0..<2_000 {
            var definition = SampleTags.t1()
            definition.configuration.auth0 = random.byte()
            var session = NTAGSession(definition)
            session.select()
            let (first, last) = (random.number(below: 150), random.number(below: 150))
            let answer = session.send(Hex.text(FastRead.Request(first: UInt8(first), last: UInt8(last)).bytes))
            let isLegal = first <= last && last < min(135, Int(definition.configuration.auth0))
            let expected = isLegal ? (first...last).flatMap { Self.shown(definition, $0).bytes } : []
            #expect(answer == (isLegal ? Hex.text(expected, separator: " ") : "00:4"), "seed \(TestSeed.value)")
        }
    }

    /// The visible content of a page without a mirror.
    private static func shown(_ definition: NTAGDefinition, _ page: Int) -> PageData {
        page < definition.product.layout.passwordPage ? definition[page: page] : .zero
    }
}

@Suite struct `The mirror of an NTAG21x` {
    @Test(arguments: NTAGProduct.allCases)
    func `shows the part that fits, wherever it starts`(product: NTAGProduct) {
        let pages = Array(0...5) + Array(product.layout.lastUserPage - 6...product.layout.lastUserPage + 1) + [0xFF]
        for page in pages {
            for byte in 0..<4 {
                for kind in NTAGConfiguration.MirrorKind.allCases {
                    for access: UInt8 in [0x00, 0x10, 0x18] {
                        Self.check(product, kind, page: page, byte: byte, access: access)
                    }
                }
            }
        }
    }

    /// Compares the whole memory with the text written over it.
    private static func check(
        _ product: NTAGProduct, _ kind: NTAGConfiguration.MirrorKind, page: Int, byte: Int, access: UInt8
    ) {
        var definition = SampleTags.t0(product)
        definition.counter = 0x00BC0F
        definition.configuration.mirrorKind = kind
        definition.configuration.mirrorPage = UInt8(page)
        definition.configuration.mirrorByte = UInt8(byte)
        definition.configuration.access = NTAGAccess(rawValue: access)
        var session = NTAGSession(definition)
        session.select()
        let last = UInt8(product.layout.pageCount - 1)
        let answer = session.send(Hex.text(FastRead.Request(first: 0, last: last).bytes))

        var shown = definition
        shown.password = .zero
        var expected = shown.memory
        let uid = Array("04A23B5C6D7E80".utf8)
        let counter = access == 0x10 ? Array("00BC10".utf8) : []
        let (start, end) = (4 * page + byte, 4 * (product.layout.lastUserPage + 1))
        func put(_ text: [UInt8], at address: Int) {
            if page >= 4, address + text.count <= end {
                expected.replaceSubrange(address..<address + text.count, with: text)
            }
        }
        switch kind {
        case .none: break
        case .uid: put(uid, at: start)
        case .counter: put(counter, at: start)
        case .uidAndCounter:
            put(uid, at: start)
            if !counter.isEmpty { put(Array("04A23B5C6D7E80x".utf8) + counter, at: start) }
        }
        #expect(answer == Hex.text(expected, separator: " "), "\(kind) from \(page).\(byte), ACCESS \(access)")
    }

    @Test func `does not prevent writes to the pages below it`() {
        var session = NTAGSession(SampleTags.t5(cfg0: PageData(0x44, 0, 0x0C, 0xFF), access: 0))
        session.select()
        #expect(session.send("A2 0C 11 22 33 44") == "0A:4")
        #expect(session.send("3A 0C 0C") == "30 34 41 32")
        #expect(session.card[page: 0x0C] == PageData(0x11, 0x22, 0x33, 0x44))
    }
}
