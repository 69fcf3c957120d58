import TapCards
import TapField
import TapPhone
import TapWire
import TestSupport
import Testing

@Suite struct `NDEF on a phone` {
    private static func tag(
        _ definition: NTAGDefinition = SampleTags.t0(), _ change: (inout NTAGDefinition) -> Void = { _ in },
        policy: PhonePolicy = .default
    ) throws -> PhoneBench {
        var definition = definition
        change(&definition)
        return try PhoneBench.connected(NTAGCard(definition), policy: policy)
    }

    @Test func `can be read from a tag and from a FeliCa card`() throws {
        var bench = try Self.tag()
        #expect(try bench.queryNDEF() == PhoneNDEFReport(status: .readWrite, capacity: 492))
        #expect(try bench.readNDEF() == PhoneCards.uri)
        #expect(try bench.miFare("60") == "0004040201001103")
        let message = try PhoneCards.message(payload: 200)
        var card = try PhoneBench.connected(try PhoneCards.type3(message))
        #expect(try card.queryNDEF() == PhoneNDEFReport(status: .readWrite, capacity: 640))
        #expect(try card.readNDEF() == Hex.text(message))
    }

    @Test(arguments: [(PhonePolicy.Capacity.longestMessage, 492), (.dataArea, 496)])
    func `has the capacity of the policy`(capacity: PhonePolicy.Capacity, bytes: Int) throws {
        var bench = try Self.tag(policy: PhonePolicy(capacity: capacity))
        #expect(try bench.queryNDEF().capacity == bytes)
    }

    @Test(arguments: [NTAGProduct.ntag213, .ntag215, .ntag216])
    func `can be written to a tag, from an empty message to the last byte`(product: NTAGProduct) throws {
        let uid = try #require(UID([0x04, 1, 2, 3, 4, 5, 6]))
        var bench = try PhoneBench.connected(NTAGCard(try NTAGDefinition(product, uid: uid)))
        let longest = product == .ntag213 ? 137 : product == .ntag215 ? 492 : 868
        for payload in [0, 1, 20, 100, longest - (longest > 255 ? 6 : 3)] {
            let message = try PhoneCards.message(payload: payload)
            try bench.writeNDEF(message)
            #expect(try bench.readNDEF() == Hex.text(message))
        }
        #expect(bench.code { try $0.writeNDEF(try PhoneCards.message(payload: longest - 2)) } == 402)
        try bench.writeNDEF([])
        #expect(bench.code { try $0.readNDEF() } == 403)
    }

    @Test func `can be written to a FeliCa card`() throws {
        var bench = try PhoneBench.connected(try PhoneCards.type3([]))
        #expect(bench.code { try $0.readNDEF() } == 403)
        for payload in [0, 15, 16, 100, 634] {
            let message = try PhoneCards.message(payload: payload)
            try bench.writeNDEF(message)
            #expect(try bench.readNDEF() == Hex.text(message))
        }
        #expect(bench.code { try $0.writeNDEF(try PhoneCards.message(payload: 635)) } == 402)
        try bench.lock()
        #expect(try bench.queryNDEF().status == .readOnly)
        #expect(bench.code { try $0.writeNDEF([0xD0, 0, 0]) } == 400)
        #expect(bench.code { try $0.lock() } == 400)
    }

    @Test func `fails after a raw PWD_AUTH, and the tag is lost`() throws {
        var bench = try Self.tag(SampleTags.t1())
        #expect(try bench.miFare("1B12345678") == "ABCD")
        #expect(try bench.miFare("3004").hasPrefix("0314"))
        #expect(try bench.queryNDEF().status == .readWrite)
        let error = bench.error { try $0.readNDEF() }
        #expect(error?.code == .tagResponseError)
        #expect(error?.reason?.contains("ends a raw PWD_AUTH") == true)
        #expect(bench.code { try $0.miFare("3004") } == 100)
    }

    @Test(arguments: [SampleTags.t1(), SampleTags.t2()])
    func `cannot be written if pages need a password, with error 401`(definition: NTAGDefinition) throws {
        var bench = try Self.tag(definition)
        #expect(try bench.miFare("1B12345678") == "ABCD")
        #expect(try bench.queryNDEF().status == .readWrite)
        let error = bench.error { try $0.writeNDEF(try PhoneCards.message(payload: 100)) }
        #expect(error?.code == .tagUpdateFailure)
        #expect(error?.text == "Stack Error")
        #expect(error?.underlying == .init(domain: "nfcd", code: 21, text: "Connection Closed"))
        #expect(bench.code { try $0.miFare("60") } == 100)
    }

    @Test(arguments: [(0x04, nil, 102), (0x03, 104, 104), (0x00, 104, 104)] as [(UInt8, Int?, Int)])
    func `of a protected tag depends on its capability container`(auth0: UInt8, query: Int?, read: Int) throws {
        var bench = try Self.tag(SampleTags.t1()) { $0.configuration.auth0 = auth0 }
        let error = bench.error { try $0.queryNDEF() }
        #expect(error?.code.rawValue == query)
        #expect(error == nil || error?.text == "Stack Error")
        bench = try Self.tag(SampleTags.t1()) { $0.configuration.auth0 = auth0 }
        #expect(bench.code { try $0.readNDEF() } == 102)
        bench = try Self.tag(SampleTags.t1(), policy: PhonePolicy(protectedRead: .tagConnectionLost))
        #expect(bench.code { try $0.readNDEF() } == 100)
    }

    /// Queries, reads, writes and locks tags with special content.
    private static let presets: [(NTAGPreset, PhoneNDEFStatus, Int?, Int?, Int?)] = [
        (.genuineBlank, .readWrite, 403, nil, nil), (.emptyCapabilityContainer, .notSupported, 102, 400, 400),
        (.foreignCapabilityContainer, .notSupported, 102, 400, 400), (.overlongTLV, .readWrite, 102, 401, nil),
        (.unknownTLV, .readWrite, 403, nil, nil), (.missingTerminator, .readWrite, nil, nil, nil),
        (.amiiboStyle, .notSupported, 102, 400, 400), (.writeProtected, .readWrite, nil, 401, 401),
    ]

    @Test(arguments: presets)
    func `depends on the stored data`(
        preset: NTAGPreset, status: PhoneNDEFStatus, read: Int?, write: Int?, lock: Int?
    ) throws {
        let calls: [(Int?, (inout PhoneBench) throws -> Void)] = [
            (read, { _ = try $0.readNDEF() }), (write, { try $0.writeNDEF([0xD0, 0, 0]) }), (lock, { try $0.lock() }),
        ]
        for (expected, call) in calls {
            var bench = try Self.tag(preset.applied(to: SampleTags.t0()))
            #expect(try bench.queryNDEF().status == status)
            #expect(bench.code(call) == expected)
        }
        guard status == .notSupported else { return }
        var bench = try Self.tag(preset.applied(to: SampleTags.t0()))
        #expect(bench.error { try $0.readNDEF() }?.text == "Tag Not NDEF formatted")
    }

    @Test func `can be locked permanently`() throws {
        var bench = try Self.tag()
        try bench.lock()
        #expect(try bench.queryNDEF() == PhoneNDEFReport(status: .readOnly, capacity: 492))
        #expect(try bench.readNDEF() == PhoneCards.uri)
        #expect(bench.code { try $0.writeNDEF([0xD0, 0, 0]) } == 400)
        for page in [0x04, 0x0F, 0x10, 0x81] {
            bench.look()
            try bench.connect()
            #expect(bench.code { try $0.miFare("A2" + Hex.digits(page, width: 2) + "00000000") } == 100)
        }
    }

    @Test func `detects lock bits only when it writes`() throws {
        var bench = try Self.tag(SampleTags.t0()) { $0.staticLocks = StaticLockBits(rawValue: 0xFFF0) }
        #expect(try bench.queryNDEF().status == .readWrite)
        #expect(bench.code { try $0.writeNDEF([0xD0, 0, 0]) } == 401)
    }

    @Test func `of a FeliCa card needs the declared system 12FC, and keeps the current system`() throws {
        var definition = CardS.definition
        definition.systems += try PhoneCards.type3([0xD0, 0, 0]).template.definition.systems
        let card = try FeliCaCard(definition)
        var bench = try PhoneBench.connected(card, codes: ["0003"])
        #expect(try bench.queryNDEF() == PhoneNDEFReport(status: .notSupported, capacity: 0))
        bench = try PhoneBench.connected(card, codes: ["0003", "12FC"])
        #expect(try bench.queryNDEF().status == .readWrite)
        #expect(try bench.readNDEF() == "D00000")
        #expect(bench.systemCode == "0003")
        #expect(try bench.read(["0F09"], ["8000"]).status == .success)
    }

    /// An attribute block, and its expected status and error.
    struct AttributeCase: Sendable {
        let change: @Sendable (inout AttributeInformationBlock) -> Void
        let status: PhoneNDEFStatus
        let code: Int?
    }

    private static let attributes = [
        AttributeCase(change: { $0.checksum ^= 1 }, status: .notSupported, code: 102),
        AttributeCase(change: { $0.version = MappingVersion(0x20) }, status: .notSupported, code: 102),
        AttributeCase(change: { $0.writeFlag = .inProgress }, status: .readWrite, code: 102),
        AttributeCase(change: { $0.messageLength = 9_999 }, status: .readWrite, code: 102),
        AttributeCase(change: { $0.messageLength = 0 }, status: .readWrite, code: 403),
        AttributeCase(change: { $0.messageLength = 2 }, status: .readWrite, code: 102),
        AttributeCase(change: { $0.accessFlag = .readOnly }, status: .readOnly, code: nil),
    ]

    @Test(arguments: attributes.indices)
    func `depends on the attribute block of a FeliCa card`(number: Int) throws {
        let one = Self.attributes[number]
        var bench = try PhoneBench.connected(
            try PhoneCards.type3([0xD0, 0, 0]) { block in
                let checksum = block.checksum
                one.change(&block)
                if block.checksum == checksum { block.updateChecksum() }
            })
        #expect(try bench.queryNDEF().status == one.status)
        #expect(bench.code { try $0.readNDEF() } == one.code)
    }

    @Test func `cannot be written if the card has no service for it`() throws {
        var bench = try PhoneBench.connected(try PhoneCards.type3([0xD0, 0, 0], isWritable: false))
        #expect(try bench.queryNDEF().status == .readWrite)
        #expect(bench.code { try $0.writeNDEF([0xD0, 0, 0]) } == 401)
        #expect(bench.code { try $0.lock() } == 401)
    }
}
