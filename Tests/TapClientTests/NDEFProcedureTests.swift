import TapCards
import TapClient
import TapField
import TapWire
import TestSupport
import Testing

@Suite struct `An NDEF reader` {
    @Test func `reads the message of an NTAG215`() async throws {
        var reader = reader(NTAGCard(SampleTags.t0()))
        let tag = try await reader.readNDEF()
        #expect(tag.message == ClientCards.uri)
        #expect(tag.capacity == 492)
        #expect(tag.isWritable)
        guard case .type2(let card, let protection) = tag.card else {
            Issue.record("expected a Type 2 tag")
            return
        }
        #expect(card.product == .ntag215)
        #expect(protection == NTAGProtection.none)
    }

    @Test func `reads a protected message only with the password`() async throws {
        var reader = reader(NTAGCard(SampleTags.t1()))
        #expect(
            await failure(&reader) { (reader) throws(ClientError) in try await reader.readNDEF() }
                == .nak(.invalidArgument))
        let tag = try await reader.readNDEF(password: SampleTags.password, expecting: SampleTags.pack)
        #expect(tag.message == ClientCards.uri)
        if case .type2(_, let protection) = tag.card { #expect(protection == .readingAndWriting(from: 4)) }
        var code = await failure(&reader) { (reader) throws(ClientError) in
            try await reader.readNDEF(password: .zero)
        }
        #expect(code == .authenticationFailed(pack: nil))
        code = await failure(&reader) { (reader) throws(ClientError) in
            try await reader.readNDEF(password: SampleTags.password, expecting: 1)
        }
        #expect(code == .authenticationFailed(pack: SampleTags.pack))
    }

    @Test func `reads a message before the first protected page without the password`() async throws {
        for auth0: UInt8 in [0x0A, 0x0B, 0x10] {
            var definition = SampleTags.t1()
            definition.configuration.auth0 = auth0
            var reader = reader(NTAGCard(definition))
            #expect(try await reader.readNDEF().message == ClientCards.uri)
        }
    }

    @Test(arguments: NTAGProduct.allCases, [0, 3, 254, 255, 300, -1])
    func `writes messages of all lengths and reads them back`(product: NTAGProduct, count: Int) async throws {
        let uid = try #require(UID(NTAGDefinition.sampleUID))
        var reader = reader(NTAGCard(try NTAGDefinition(product, uid: uid)))
        let capacity = try await reader.readNDEF().capacity
        #expect(capacity == [.ntag213: 137, .ntag215: 492, .ntag216: 868][product])
        let message = try ClientCards.message(ofByteCount: count < 0 ? capacity : count)
        if message.bytes.count > capacity {
            let before = reader.tag?.definition
            let code = await failure(&reader) { (reader) throws(ClientError) in try await reader.writeNDEF(message) }
            #expect(code == .tooLarge)
            #expect(reader.tag?.definition == before)
        } else {
            try await reader.writeNDEF(message)
            #expect(try await reader.readNDEF().message == message)
            let writes = reader.commands(0xA2).count
            try await reader.writeNDEF(message)
            #expect(reader.commands(0xA2).count == writes)
        }
    }

    @Test func `keeps lock and memory control blocks, and writes around the areas they reserve`() async throws {
        var definition = try NTAGDefinition(.ntag215, uid: try #require(UID(NTAGDefinition.sampleUID)))
        // A memory control block that reserves bytes 64 to 79.
        definition.userMemory = [0x02, 0x03, 0xF4, 0x10, 0x02, 0x00, 0x03, 0x00, 0xFE]
        for page in 16..<20 { definition[page: page] = PageData(0xEE, 0xEE, 0xEE, 0xEE) }
        var reader = reader(NTAGCard(definition))
        let message = try ClientCards.message(ofByteCount: 200)
        try await reader.writeNDEF(message)
        #expect(try await reader.readNDEF().message == message)
        let tag = try #require(reader.tag?.definition)
        #expect((16..<20).allSatisfy { tag[page: $0] == PageData(0xEE, 0xEE, 0xEE, 0xEE) })
        #expect(tag.userMemory.prefix(5) == definition.userMemory.prefix(5))
    }

    @Test func `leaves an empty or complete message wherever a write is interrupted`() async throws {
        let old = try ClientCards.message(ofByteCount: 290)
        let new = try ClientCards.message(ofByteCount: 261)
        var written = reader(NTAGCard(try NTAGDefinition(.ntag215, uid: try #require(UID(NTAGDefinition.sampleUID)))))
        try await written.writeNDEF(old)
        let definition = try #require(written.tag?.definition)
        var whole = reader(NTAGCard(definition))
        try await whole.writeNDEF(new)
        for limit in 1..<whole.link.world.exchangeCount {
            let start = reader(NTAGCard(definition))
            var cut = CardReader(VirtualLink(start.link.world, exchangeLimit: limit))
            _ = await failure(&cut) { (reader) throws(ClientError) in try await reader.writeNDEF(new) }
            var after = CardReader(VirtualLink(cut.link.world, exchangeLimit: World.defaultExchangeLimit))
            let message = try await after.readNDEF().message
            #expect([NDEFMessage([]), old, new].contains(message), "cut off after \(limit) exchanges")
        }
    }

    @Test func `writes nothing if writing is forbidden or a page of the message needs the password`() async throws {
        var locked = SampleTags.t0()
        locked.capabilityContainer = PageData(0xE1, 0x10, 0x3E, 0x0F)
        for (definition, expected) in [(locked, ClientError.Code.readOnly), (SampleTags.t2(), .authenticationNeeded)] {
            var reader = reader(NTAGCard(definition))
            let message = try ClientCards.message(ofByteCount: 100)
            let code = await failure(&reader) { (reader) throws(ClientError) in try await reader.writeNDEF(message) }
            #expect(code == expected)
            #expect(reader.commands(0xA2).isEmpty)
        }
        var opened = reader(NTAGCard(SampleTags.t2()))
        let message = try ClientCards.message(ofByteCount: 100)
        try await opened.writeNDEF(message, password: SampleTags.password)
        #expect(try await opened.readNDEF().message == message)
    }

    @Test func `writes the first message to a tag whose memory is zero except for the capability container`()
        async throws
    {
        var definition = SampleTags.t0()
        definition.userMemory = Array(repeating: 0, count: NTAGProduct.ntag215.layout.userByteCount)
        var reader = reader(NTAGCard(definition))
        #expect(await failure(&reader) { (reader) throws(ClientError) in try await reader.readNDEF() } == .notNDEF)
        try await reader.writeNDEF(ClientCards.uri)
        #expect(try await reader.readNDEF().message == ClientCards.uri)
    }

    @Test func `writes nothing if a page of the message is locked`() async throws {
        var low = SampleTags.t0()
        low.staticLocks = StaticLockBits(rawValue: 1 << 9)
        var high = SampleTags.t0()
        high.dynamicLocks = DynamicLockBits(groups: 1 << 1, blockLocks: 0)
        for (definition, count) in [(low, 40), (high, 200)] {
            var reader = reader(NTAGCard(definition))
            let message = try ClientCards.message(ofByteCount: count)
            let code = await failure(&reader) { (reader) throws(ClientError) in try await reader.writeNDEF(message) }
            #expect(code == .readOnly)
            #expect(reader.commands(0xA2).isEmpty)
            try await reader.writeNDEF(ClientCards.message(ofByteCount: 10))
        }
    }

    @Test(arguments: [
        (NTAGPreset.foreignCapabilityContainer, ClientError.Code.notNDEF), (.emptyCapabilityContainer, .notNDEF),
        (.overlongTLV, .malformedData),
    ])
    func `reports the problem with a tag`(preset: NTAGPreset, expected: ClientError.Code) async throws {
        var reader = reader(NTAGCard(preset.applied(to: SampleTags.t0())))
        #expect(await failure(&reader) { (reader) throws(ClientError) in try await reader.readNDEF() } == expected)
    }

    @Test func `skips blocks of unknown types and does not need a terminator`() async throws {
        var unknown = reader(NTAGCard(NTAGPreset.unknownTLV.applied(to: SampleTags.t0())))
        #expect(try await unknown.readNDEF().message.records.isEmpty)
        var open = reader(NTAGCard(NTAGPreset.missingTerminator.applied(to: SampleTags.t0())))
        #expect(try await open.readNDEF().message.records.count == 1)
    }

    @Test func `reads a Type 3 tag only as fast as the tag allows`() async throws {
        let message = try ClientCards.message(ofByteCount: 300)
        var reader = reader(try ClientCards.type3(message))
        let tag = try await reader.readNDEF()
        #expect(tag.message == message)
        #expect(tag.capacity == 640)
        #expect(reader.commands(0x06).allSatisfy { $0.count <= 16 + 2 * 4 })
    }

    @Test func `detects Type 3 tags with a wrong checksum, an unfinished write or a message that is too long`()
        async throws
    {
        let cases: [(ClientError.Code, (inout AttributeInformationBlock) -> Void)] = [
            (.notNDEF, { $0.checksum += 1 }),
            (
                .notNDEF,
                { block in
                    block.version = MappingVersion(0x20); block.updateChecksum()
                }
            ),
            (
                .malformedData,
                { block in
                    block.writeFlag = .inProgress; block.updateChecksum()
                }
            ),
            (
                .malformedData,
                { block in
                    block.messageLength = 0xFF_FFFF; block.updateChecksum()
                }
            ),
        ]
        for (expected, change) in cases {
            var reader = reader(try ClientCards.type3(ClientCards.uri, change))
            #expect(await failure(&reader) { (reader) throws(ClientError) in try await reader.readNDEF() } == expected)
        }
    }
}
