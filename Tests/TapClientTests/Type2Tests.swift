import TapCards
import TapClient
import TapField
import TapWire
import TestSupport
import Testing

@Suite struct `A reader with an NTAG21x` {
    @Test(arguments: NTAGProduct.allCases)
    func `dumps the whole memory with one FAST_READ`(product: NTAGProduct) async throws {
        let definition = SampleTags.t0(product)
        var reader = reader(NTAGCard(definition))
        guard case .type2(let dump) = try await reader.dump() else {
            Issue.record("expected a Type 2 tag")
            return
        }
        #expect(dump.tag.product == product)
        #expect(dump.pages.count == product.layout.pageCount)
        let hidden = [product.layout.passwordPage, product.layout.packPage]
        for (page, data) in dump.pages.enumerated() {
            #expect(data == (hidden.contains(page) ? .zero : definition[page: page]))
        }
        #expect(dump.signature == definition.signature)
        #expect(dump.counter == nil)
        #expect(reader.commands(0x3A).count == 1)
    }

    @Test func `reads no more pages at once than the link supports`() async throws {
        for limit in [16, 18, 20, 32, 253, 256] {
            var reader = reader(NTAGCard(SampleTags.t4()), limits: LinkLimits(maximumAnswerLength: max(limit, 32)))
            guard case .type2(let dump) = try await reader.dump() else { continue }
            #expect(dump.pages.compactMap { $0 }.count == 135)
            #expect(dump.counter == 0x3F31)
        }
    }

    @Test func `falls back to READ if FAST_READ is rejected or ignored, and does not try it again`() async throws {
        for limit in [NTAGQuirks.FastReadLimit.pages62, .pages64] {
            var definition = SampleTags.t0()
            definition.quirks.fastReadMaxPages = limit
            var reader = reader(NTAGCard(definition))
            try await reader.activateType2()
            #expect(try await reader.readPages(0..<135).pages.count == 135)
            #expect(try await reader.readPages(0..<135).pages.count == 135)
            #expect(reader.commands(0x3A).count == 1)
        }
    }

    @Test func `stops at the first protected page and does not treat the wrap-around to page 00 as data`() async throws
    {
        for first in [0x04, 0x05, 0x0D, 0x0E, 0x0F, 0x50] {
            var definition = SampleTags.t1()
            definition.configuration.auth0 = UInt8(first)
            var reader = reader(NTAGCard(definition))
            try await reader.activateType2()
            let run = try await reader.readPages(0..<135)
            #expect(run.pages == (0..<first).map { definition[page: $0] })
            #expect(run.refusal == .invalidArgument)
            try await reader.authenticate(SampleTags.password)
            #expect(try await reader.readPages(4..<131).pages == (4..<131).map { definition[page: $0] })
        }
    }

    @Test func `selects and authenticates again after a NAK`() async throws {
        var reader = reader(NTAGCard(SampleTags.t1()))
        try await reader.activateType2()
        #expect(try await reader.authenticate(SampleTags.password) == SampleTags.pack)
        #expect(
            await failure(&reader) { (reader) throws(ClientError) in try await reader.readCounter() }
                == .nak(.invalidArgument))
        #expect(reader.tag?.stateName == "IDLE")
        #expect(try await reader.readPages(4..<8).pages.count == 4)
        #expect(reader.commands(0x1B).count == 2)
        #expect(await failure(&reader) { (reader) throws(ClientError) in try await reader.writePage(0, .zero) } != nil)
        #expect(try await reader.readPages(4..<8).pages.count == 4)
    }

    @Test func `counts each wrong password once and reports when the tag is locked`() async throws {
        var reader = reader(NTAGCard(SampleTags.t3()))
        try await reader.activateType2()
        for attempt in 1...4 {
            do {
                try await reader.authenticate(PageData(9, 9, 9, 9))
                Issue.record("expected an error for the wrong password")
            } catch {
                #expect(error.code == .authenticationFailed(pack: nil))
                #expect(error.description.contains("NAK 4") == (attempt >= 3))
            }
            #expect(reader.commands(0x1B).count == attempt)
        }
        #expect(try await reader.readPages(0..<4).pages.count == 4)
        #expect(reader.commands(0x1B).count == 4)
    }

    @Test func `rejects a different card during a session`() async throws {
        var reader = reader(NTAGCard(SampleTags.t1()))
        try await reader.activateType2()
        _ = await failure(&reader) { (reader) throws(ClientError) in try await reader.readCounter() }
        reader.link.world.remove("card")
        var other = SampleTags.t1()
        try other.setUID(try #require(UID([4, 1, 2, 3, 4, 5, 6])))
        reader.link.world.add(NTAGCard(other), named: "other")
        reader.link.world.tap("other")
        #expect(
            await failure(&reader) { (reader) throws(ClientError) in try await reader.readPages(0..<4) } == .otherCard)
    }

    @Test(arguments: NTAGProduct.allCases, [true, false])
    func `sets a password in the safe order, changes it, and removes it`(
        product: NTAGProduct, reading: Bool
    ) async throws {
        var reader = reader(NTAGCard(SampleTags.t0(product)))
        var tag = try await reader.identifyType2()
        try await reader.protect(tag, password: SampleTags.password, pack: SampleTags.pack, reading: reading)
        let layout = product.layout
        #expect(
            reader.commands(0xA2).map { Int($0[1]) }
                == [layout.packPage, layout.passwordPage, layout.cfg1Page, layout.cfg0Page])
        #expect(
            try await reader.readProtection(of: product)
                == (reading ? .readingAndWriting(from: 4) : .writing(from: 4)))
        let other = PageData(1, 2, 3, 4)
        try await reader.protect(tag, password: other, pack: 0x1122, from: layout.passwordPage, reading: reading)
        tag = try await reader.identifyType2()
        let refused = await failure(&reader) { (reader) throws(ClientError) in
            try await reader.removeProtection(of: tag)
        }
        #expect(refused != nil)
        try await reader.authenticate(other, expecting: 0x1122)
        try await reader.removeProtection(of: tag)
        #expect(try await reader.readProtection(of: product) == NTAGProtection.none)
        #expect(reader.tag?.definition.password == PageData(0xFF, 0xFF, 0xFF, 0xFF))
        #expect(try await reader.readNDEF().message == ClientCards.uri)
    }

    @Test func `does not protect a tag with permanently locked settings, or from a page after the password`()
        async throws
    {
        var definition = SampleTags.t0()
        definition.configuration.access.cfglck = true
        var locked = reader(NTAGCard(definition))
        let tag = try await locked.identifyType2()
        var code = await failure(&locked) { (reader) throws(ClientError) in
            try await reader.protect(tag, password: .zero, pack: 0)
        }
        #expect(code == .readOnly)
        code = await failure(&locked) { (reader) throws(ClientError) in
            try await reader.protect(tag, password: .zero, pack: 0, from: 0x86)
        }
        #expect(code == .unsupported)
        #expect(locked.commands(0xA2).isEmpty)
    }
}
