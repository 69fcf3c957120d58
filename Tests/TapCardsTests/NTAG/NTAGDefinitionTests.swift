import TapCards
import TapWire
import TestSupport
import Testing

@Suite struct `A definition of an NTAG21x` {
    @Test(arguments: [
        (NTAGProduct.ntag213, "E1101200", "0103A00C 340300FE 00000000"),
        (.ntag215, "E1103E00", "0300FE00 00000000 00000000"), (.ntag216, "E1106D00", "0300FE00 00000000 00000000"),
    ])
    func `is a tag as delivered`(product: NTAGProduct, container: String, user: String) throws {
        // The UID of a genuine blank NTAG216 whose dump the Proxmark3 project publishes.
        let uid = try #require(UID(Hex.bytes("045869D29C3980")))
        let tag = try NTAGDefinition(product, uid: uid)
        let layout = product.layout
        #expect((0..<3).map { tag[page: $0].description } == ["045869BD", "D29C3980", "F7480000"])
        #expect(tag.capabilityContainer.description == container)
        #expect((4...6).map { tag[page: $0].description }.joined(separator: " ") == user)
        let end = (layout.dynamicLockPage..<layout.pageCount).map { tag[page: $0].description }
        #expect(end == ["000000BD", "040000FF", "00050000", "FFFFFFFF", "00000000"])
        #expect(tag.memory.count == layout.byteCount)
        #expect(tag.signature == .zero)
        #expect(tag.userMemory.count == layout.userByteCount)
    }

    @Test func `has the check bytes of public UIDs`() throws {
        let uid = try #require(UID(Hex.bytes("04475ED29C3980")))
        let tag = try NTAGDefinition(.ntag216, uid: uid)
        #expect(tag[page: 0][3] == 0x95)
        #expect(tag[page: 2][0] == 0xF7)
    }

    @Test func `has sizes for each product`() {
        let layouts = NTAGProduct.allCases.map(\.layout)
        #expect(layouts.map(\.pageCount) == [45, 135, 231])
        #expect(layouts.map(\.byteCount) == [180, 540, 924])
        #expect(layouts.map(\.userByteCount) == [144, 504, 888])
        #expect(layouts.map(\.dynamicLockPage) == [0x28, 0x82, 0xE2])
        #expect(layouts.map(\.packPage) == [0x2C, 0x86, 0xE6])
    }

    @Test func `needs a UID of seven bytes`() throws {
        let uid = try #require(UID([1, 2, 3, 4]))
        let error = #expect(throws: NTAGDefinitionError.self) { try NTAGDefinition(.ntag215, uid: uid) }
        #expect(error?.description == "the UID has 4 bytes; an NTAG has seven")
    }

    @Test func `accepts an image and uses delivery values for the rest`() throws {
        let whole = SampleTags.t1()
        #expect(try NTAGDefinition(.ntag215, image: whole.memory) == whole)
        let short = try NTAGDefinition(.ntag215, image: Array(whole.memory.prefix(520)))
        #expect(short.memory.prefix(520) == whole.memory.prefix(520))
        #expect(short.configuration == .delivered)
        #expect(short.uid == whole.uid)
        for count in [0, 8, 541, 542, 544] {
            let image = Array(repeating: UInt8(0), count: count)
            #expect(throws: NTAGDefinitionError.wrongImageLength(count, maximum: 540)) {
                try NTAGDefinition(.ntag215, image: image)
            }
        }
    }

    @Test func `stores every field at its location`() {
        var tag = SampleTags.t0()
        tag.configuration.mirrorKind = .uidAndCounter
        tag.configuration.mirrorByte = 3
        tag.configuration.mirrorPage = 0x0C
        tag.configuration.auth0 = 0x04
        tag.configuration.access.prot = true
        tag.configuration.access.cfglck = true
        tag.configuration.access.isCounterEnabled = true
        tag.configuration.access.isCounterProtected = true
        tag.configuration.access.authlim = 5
        tag.pack = 0xABCD
        tag.staticLocks = StaticLockBits(rawValue: 0xE00F)
        tag.dynamicLocks = DynamicLockBits(groups: 0x0201, blockLocks: 0x0F)
        #expect(tag.configuration.description == "F4000C04 DD050000")
        #expect(tag[page: 0x86].description == "ABCD0000")
        #expect(tag[page: 2].description == "CF480FE0")
        #expect(tag[page: 0x82].description == "01020FBD")
        #expect(tag.staticLocks == StaticLockBits(rawValue: 0xE00F))
        #expect(tag.dynamicLocks == DynamicLockBits(groups: 0x0201, blockLocks: 0x0F))
        #expect(tag.pack == 0xABCD)
        tag.configuration.access.prot = false
        tag.configuration.access.authlim = 0
        #expect(tag.configuration.access == NTAGAccess(rawValue: 0x58))
        tag[page: 999] = .zero
        #expect(tag[page: 999] == .zero)
        #expect(tag[page: -1] == .zero)
    }

    @Test func `keeps user memory within its bounds`() {
        var tag = SampleTags.t0()
        let before = tag.memory
        tag.userMemory = [1, 2, 3]
        #expect(tag.memory[16..<19] == [1, 2, 3])
        #expect(tag.memory[19...] == before[19...])
        tag.userMemory = Array(repeating: 7, count: 600)
        #expect(tag.userMemory == Array(repeating: 7, count: 504))
        #expect(tag[page: 0x82] == SampleTags.t0()[page: 0x82])
    }

    @Test func `updates its UID when a page is set`() throws {
        var tag = SampleTags.t0()
        tag[page: 1] = PageData(1, 2, 3, 4)
        #expect(tag.uid.description == "04A23B01020304")
        try tag.setUID(try #require(UID(Hex.bytes("1D000000000000"))))
        #expect(tag[page: 0].description == "1D000095")
    }

    @Test func `sends the stored check bytes, even if they are wrong`() {
        var tag = SampleTags.t0()
        tag[page: 0][3] = 0x99
        var session = NTAGSession(tag)
        session.send("26:7")
        #expect(session.send("93 20") == "88 04 A2 3B 99")
    }

    @Test(arguments: NTAGProduct.allCases)
    func `has explanations with sources`(product: NTAGProduct) {
        let lines = product.catalogue
        #expect(lines.count > 12)
        #expect(lines.allSatisfy { !$0.fact.source.isEmpty })
        #expect(lines.allSatisfy { ($0.fact.value == nil) == ($0.fact.confidence == .unknown) })
        #expect(Set(lines.map(\.title)).count == lines.count)
        let time = lines.first { $0.title == "programming time of a page" }
        #expect(time?.fact.value == "4 ms")
        #expect(time?.fact.confidence == .inferred)
    }
}
