import TapCards
import TapClient
import TapCrypto
import TapField
import TapWire
import TestSupport
import Testing

@Suite struct `A reader with keys` {
    static let writable = BlockData(Array(repeating: 0x77, count: 16))

    static func key(_ first: UInt8) -> [UInt8] { (0..<8).map { first + $0 } }

    static let desKeys = FeliCaCredentials(
        .des, systemKey: [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88],
        areas: [.init(NodeCode(0), key: key(0xA0)), .init(NodeCode(0x0040), key: key(0xB0))],
        services: [
            .init(NodeCode(0x1009), key: nil), .init(NodeCode(0x0048), key: key(0xC0)),
            .init(NodeCode(0x0088), key: key(0xD0)),
        ])
    static let aesKey = [UInt8](0x40...0x4F)
    static let aesKeys = FeliCaCredentials(
        .aes, services: [.init(NodeCode(0x1088), key: aesKey), .init(NodeCode(0x1009), key: nil)])

    /// Card S with an AES service 1088 that has 20 blocks.
    static func reader(
        _ plan: FaultPlan = FaultPlan(), _ change: (inout FeliCaCardDefinition) -> Void = { _ in }
    ) throws -> CardReader<VirtualLink> {
        var definition = CardS.definition
        definition.challenge = nil
        definition.profile.supportedCommands = .aes
        definition.profile.maxReadBlocks = 15
        definition.profile.maxWriteBlocks = 13
        definition.systems[0].services.append(
            FeliCaServiceDefinition(
                NodeCode(0x1088), keys: FeliCaKeys(desVersion: nil, aesVersion: 1, aesKey: aesKey),
                blocks: (0..<20).map { BlockData([UInt8($0)]) }))
        change(&definition)
        var world = World(seed: 7, plan: plan, trace: Trace())
        world.add(try FeliCaCard(definition), named: "card")
        world.tap("card")
        return CardReader(VirtualLink(world))
    }

    @Test func `reads and writes with DES keys`() async throws {
        var reader = try Self.reader()
        try await reader.activate(system: .transit)
        let issue = try await reader.authenticate(Self.desKeys, challenge: Array(1...8))
        #expect(issue.id == 0x2122_2324_2526_2728)
        #expect(issue.parameter == 0x3132_3334_3536_3738)
        #expect(try await reader.readSecurely(service: NodeCode(0x0048)).count == 2)
        try await reader.writeSecurely([
            BlockWrite(BlockAddress(NodeCode(0x0048), 1), Self.writable),
            BlockWrite(BlockAddress(NodeCode(0x1009), 3), Self.writable),
        ])
        #expect(try await reader.readSecurely([BlockAddress(NodeCode(0x0048), 1)]) == [Self.writable])
        #expect(reader.isInSession)
        let error = await #expect(throws: ClientError.self) {
            try await reader.readSecurely([BlockAddress(NodeCode(0x0048), 2)])
        }
        #expect(error?.code == .refused(StatusFlags(0x01, 0xA8)))
        #expect(reader.isInSession)
    }

    @Test func `reads and writes more blocks than fit into a packet with an AES key`() async throws {
        var reader = try Self.reader()
        try await reader.activate(system: .transit)
        _ = try await reader.authenticate(Self.aesKeys, challenge: Array(1...16))
        let addresses = (0..<20).map { BlockAddress(NodeCode(0x1088), $0) }
        #expect(try await reader.readSecurely(addresses).map { $0[0] } == Array(0..<20))
        try await reader.writeSecurely(addresses.map { BlockWrite($0, Self.writable) })
        #expect(try await reader.readSecurely(service: NodeCode(0x1088)).allSatisfy { $0 == Self.writable })
    }

    @Test(arguments: [Self.desKeys, Self.aesKeys])
    func `traces the contents of encrypted packets`(_ credentials: FeliCaCredentials) async throws {
        var reader = try Self.reader()
        let idm = try await reader.activate(system: .transit).idm
        _ = try await reader.authenticate(credentials, challenge: (0..<credentials.challengeLength).map { UInt8($0) })
        let address = BlockAddress(credentials.services[0].code, 1)
        let old = try await reader.readSecurely([address])
        try await reader.writeSecurely([BlockWrite(address, Self.writable)])
        let services = credentials.services.map(\.code)
        let blocks = [BlockListElement(blockNumber: 1)]
        let read = ReadWithoutEncryption.Request(idm: idm, services: services, blocks: blocks).bytes
        let write = WriteWithoutEncryption.Request(
            idm: idm, services: services, blocks: blocks, data: [Self.writable]
        ).bytes
        let code: [UInt8] = [0x1A, credentials.cipher == .des ? 0x13 : 0x43]
        let expected: [([UInt8], answering: [UInt8]?)] = [
            (code + idm.rawValue.bigEndianBytes + Array(0x21...0x28) + Array(0x31...0x38), nil), (read, nil),
            (ReadWithoutEncryption.Response(idm: idm, blocks: old).bytes, read), (write, nil),
            (WriteWithoutEncryption.Response(idm: idm, status: .success).bytes, write),
        ]
        let told = reader.link.world.trace.events.compactMap { event -> ([UInt8], answering: [UInt8]?)? in
            guard case .opened(let frame, let command) = event.kind else { return nil }
            return (frame.bytes, command?.bytes)
        }
        #expect(told.map(\.0) == expected.map(\.0))
        #expect(told.map(\.answering) == expected.map(\.answering))
    }

    @Test func `detects a wrong key by challenge 1B`() async throws {
        var reader = try Self.reader { $0.systems[0].services[0].keys.desKey = Self.key(0x50) }
        try await reader.activate(system: .transit)
        let error = await #expect(throws: ClientError.self) {
            try await reader.authenticate(Self.desKeys, challenge: Array(1...8))
        }
        #expect(error?.code == .authenticationFailed(pack: nil))
        #expect(!reader.isInSession)
    }

    @Test func `does not send keys that do not fit the cipher`() async throws {
        var reader = try Self.reader()
        try await reader.activate(system: .transit)
        for (credentials, count) in [
            (Self.desKeys, 16), (Self.aesKeys, 8),
            (FeliCaCredentials(.des, systemKey: [1], areas: [], services: []), 8),
            (FeliCaCredentials(.aes, services: [.init(NodeCode(0x1009), key: nil)]), 16),
        ] {
            let error = await #expect(throws: ClientError.self) {
                try await reader.authenticate(credentials, challenge: Array(repeating: 0, count: count))
            }
            #expect(error?.code == .unsupported)
        }
    }

    /// The result of a read with either cipher after a fault in a session.
    @Test(
        arguments: [
            ("felica.wrong_mac", .wrongMAC), ("felica.replayed_answer", .wrongMAC),
            ("felica.transaction_number", .wrongTransaction), ("felica.session_dropped", .silence),
            ("felica.zero_blocks", .wrongMAC), ("felica.block_count", .wrongMAC),
        ] as [(String, ClientError.Code)])
    func `detects faults in a session`(_ name: String, _ code: ClientError.Code) async throws {
        for credentials in [Self.desKeys, Self.aesKeys] {
            let kind = try #require(FaultCatalogue.named(name))
            let read = credentials.cipher == .des ? "felica.secure_read" : "felica.secure_read_v2"
            let when = EventTrigger.command(try #require(CommandName(read)), nth: 2)
            var reader = try Self.reader(FaultPlan([FaultPlan.Entry(TapField.Fault(kind), when: when)]))
            try await reader.activate(system: .transit)
            let count = credentials.challengeLength
            _ = try await reader.authenticate(credentials, challenge: (0..<count).map { UInt8($0) })
            let address = BlockAddress(credentials.services[0].code, 1)
            _ = try await reader.readSecurely([address])
            let error = await #expect(throws: ClientError.self) { try await reader.readSecurely([address]) }
            #expect(error?.code == code || name == "felica.replayed_answer" && error?.code == .wrongTransaction)
            #expect(!reader.isInSession)
        }
    }

    @Test(arguments: [Self.desKeys, Self.aesKeys])
    func `sees a fault with a valid MAC only in the data`(_ credentials: FeliCaCredentials) async throws {
        let kind = try #require(FaultCatalogue.named("felica.zero_blocks"))
        let read = credentials.cipher == .des ? "felica.secure_read" : "felica.secure_read_v2"
        let when = EventTrigger.command(try #require(CommandName(read)))
        var reader = try Self.reader(FaultPlan([FaultPlan.Entry(TapField.Fault(kind, fix: [.mac]), when: when)]))
        try await reader.activate(system: .transit)
        let count = credentials.challengeLength
        _ = try await reader.authenticate(credentials, challenge: (0..<count).map { UInt8($0) })
        let address = BlockAddress(credentials.services[0].code, 1)
        #expect(try await reader.readSecurely([address]) == [.zero])
        #expect(try await reader.readSecurely([address]) != [.zero])
    }

    @Test(arguments: [Self.desKeys, Self.aesKeys])
    func `detects changed keys by challenge 1B`(_ credentials: FeliCaCredentials) async throws {
        let kind = try #require(FaultCatalogue.named("felica.key_version"))
        let name = credentials.cipher == .des ? "felica.authentication1" : "felica.authentication1_v2"
        let when = EventTrigger.command(try #require(CommandName(name)))
        var reader = try Self.reader(FaultPlan([FaultPlan.Entry(TapField.Fault(kind), when: when)]))
        try await reader.activate(system: .transit)
        let challenge = (0..<credentials.challengeLength).map { UInt8($0) }
        let error = await #expect(throws: ClientError.self) {
            try await reader.authenticate(credentials, challenge: challenge)
        }
        #expect(error?.code == .authenticationFailed(pack: nil))
        guard credentials.cipher == .aes else {
            #expect(try await reader.requestService([NodeCode(0x0048), NodeCode(0x1009)]) == [4, 1])
            return
        }
        let card = try #require(reader.link.world.card(named: "card")?.engine as? FeliCaCard)
        let service = try #require(card.definition.systems[0].services.first { $0.code == NodeCode(0x1088) })
        #expect(service.keys.aesVersion == 2)
        #expect(service.keys.aesKey == Self.aesKey.map { ~$0 })
    }

    @Test func `sends nothing without a session or for services outside of it`() async throws {
        var reader = try Self.reader()
        try await reader.activate(system: .transit)
        let address = BlockAddress(NodeCode(0x004A), 0)
        var error = await #expect(throws: ClientError.self) { try await reader.readSecurely([address]) }
        #expect(error?.code == .authenticationNeeded)
        _ = try await reader.authenticate(Self.desKeys, challenge: Array(1...8))
        error = await #expect(throws: ClientError.self) { try await reader.readSecurely([address]) }
        #expect(error?.code == .authenticationNeeded)
    }
}
