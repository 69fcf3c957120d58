import TapCards
import TapWire
import TestSupport
import Testing

@Suite struct `FeliCa commands about nodes` {
    private static func nodes(_ codes: [UInt16]) -> [NodeCode] { codes.map(NodeCode.init) }

    private static func card(_ edit: (inout FeliCaCardDefinition) -> Void = { _ in }) throws -> FeliCaCard {
        var definition = CardM.definition
        edit(&definition)
        return try FeliCaCard(definition)
    }

    @Test func `Request Service reports DES key versions, and FFFF for nodes with only AES keys`() throws {
        var card = try Self.card()
        let request = RequestService.Request(
            idm: CardM.idm, nodes: Self.nodes([0x0049, 0x004B, 0xFFFF, 0x0040, 0x0001]))
        #expect(try card.answer(RequestService.self, request)?.values == [3, 0xFFFF, 0x0100, 0, 0xFFFF])
    }

    @Test func `a strict chip does not answer codes with an undefined attribute`() throws {
        var card = try Self.card { $0.profile.requestServiceUnknownAttribute = .silence }
        let known = RequestService.Request(idm: CardM.idm, nodes: Self.nodes([0x1009, 0xFFFF]))
        let unknown = RequestService.Request(idm: CardM.idm, nodes: Self.nodes([0x0049, 0x1018]))
        #expect(try card.answer(RequestService.self, known)?.values == [0xFFFF, 0x0100])
        #expect(try card.answer(RequestService.self, unknown) == nil)
    }

    @Test func `Request Service v2 reports AES key versions, then DES key versions`() throws {
        var card = try Self.card()
        let request = RequestServiceV2.Request(idm: CardM.idm, nodes: Self.nodes([0x0049, 0x004B, 0x1009]))
        let body = try #require(try card.answer(RequestServiceV2.self, request)?.body)
        #expect(body == .init(identifier: .aesAndDES56, first: [4, 4, 0xFFFF], second: [3, 0xFFFF, 0xFFFF]))
    }

    private static let ciphers: [(FeliCaKeys, FeliCaProfile.EncryptionListOrder, RequestServiceV2.KeyVersions)] = [
        (FeliCaKeys(desVersion: 7), .des, .init(identifier: .des56, first: [7])),
        (FeliCaKeys(desVersion: 7), .both, .init(identifier: .des56, first: [0xFFFF], second: [7])),
        (
            FeliCaKeys(desVersion: 7, desKey: Array(repeating: 1, count: 16)), .des,
            .init(identifier: .des112, first: [7])
        ),
        (FeliCaKeys(desVersion: nil, aesVersion: 8), .des, .init(identifier: .aes128, first: [8])),
        (FeliCaKeys(desVersion: 7, aesVersion: 8), .both, .init(identifier: .aesAndDES56, first: [8], second: [7])),
        (
            FeliCaKeys(desVersion: 7, desKey: Array(repeating: 1, count: 16), aesVersion: 8), .des,
            .init(identifier: .aesAndDES112, first: [8], second: [7])
        ),
    ]

    @Test(arguments: ciphers)
    func `the kind of keys determines the lists`(
        _ keys: FeliCaKeys, _ order: FeliCaProfile.EncryptionListOrder, _ versions: RequestServiceV2.KeyVersions
    ) throws {
        var card = try Self.card { definition in
            definition.profile.encryptionListOrder = order
            definition.systems = [
                FeliCaSystemDefinition(code: CardM.system, keys: keys, areas: [.root(keys: keys)], services: [])
            ]
        }
        let request = RequestServiceV2.Request(idm: CardM.idm, nodes: [.root])
        #expect(try card.answer(RequestServiceV2.self, request)?.body == versions)
    }

    @Test(arguments: [0, 33])
    func `v2 and Ex commands report too many nodes, older commands do not answer`(_ count: Int) throws {
        var card = try Self.card()
        let nodes = Array(repeating: NodeCode(0x0049), count: count)
        let refused = StatusFlags(.serviceCount)
        #expect(try card.answer(RequestServiceV2.self, .init(idm: CardM.idm, nodes: nodes))?.status == refused)
        #expect(try card.answer(RequestBlockInformationEx.self, .init(idm: CardM.idm, nodes: nodes))?.status == refused)
        #expect(try card.answer(RequestService.self, .init(idm: CardM.idm, nodes: nodes)) == nil)
        #expect(try card.answer(RequestBlockInformation.self, .init(idm: CardM.idm, nodes: nodes)) == nil)
    }

    @Test(
        arguments: [
            (FeliCaProfile.BlockInfoArea.descendants, [4, 4, 2, 2, 2, 0, 0]), (.free, [0, 4, 2, 2, 2, 0, 0]),
        ] as [(FeliCaProfile.BlockInfoArea, [UInt16])])
    func `Request Block Information adds up services or reports free blocks`(
        _ area: FeliCaProfile.BlockInfoArea, _ values: [UInt16]
    ) throws {
        var card = try Self.card { $0.profile.blockInfoArea = area }
        let nodes = Self.nodes([0x0000, 0x0040, 0x0041, 0x0049, 0x004B, 0x1009, 0xFFFF])
        let answer = try card.answer(RequestBlockInformation.self, .init(idm: CardM.idm, nodes: nodes))
        #expect(answer?.values == values)
    }

    @Test func `Request Block Information Ex reports assigned and free blocks`() throws {
        var card = try Self.card()
        let nodes = Self.nodes([0x0000, 0x0040, 0x0041, 0x0049])
        let body = try #require(
            try card.answer(RequestBlockInformationEx.self, .init(idm: CardM.idm, nodes: nodes))?.body)
        let expected: [(UInt16, UInt16)] = [(10, 0), (10, 4), (4, 2), (2, 0)]
        #expect(body.nodes == expected.map { .init(assigned: $0.0, free: $0.1) })
        let absent = Self.nodes([0x0049, 0x1009])
        #expect(
            try card.answer(RequestBlockInformationEx.self, .init(idm: CardM.idm, nodes: absent))?.status
                == StatusFlags(2, .targetMissing))
    }

    @Test func `Request Code List lists everything below an area`() throws {
        var card = try Self.card()
        let body = try #require(
            try card.answer(RequestCodeList.self, .init(idm: CardM.idm, area: .root, packetIndex: 1))?.body)
        #expect(body.continueFlag == 0)
        #expect(body.areas.map(\.code) == Self.nodes([0x0040, 0x0041]))
        #expect(body.services == Self.nodes([0x0049, 0x004B, 0x0091, 0x0093, 0x00D7]))
        let inner = try #require(
            try card.answer(RequestCodeList.self, .init(idm: CardM.idm, area: NodeCode(0x0041), packetIndex: 1))?.body)
        #expect(inner.areas.isEmpty)
        #expect(inner.services == Self.nodes([0x0049, 0x004B]))
    }

    @Test(
        arguments: [
            (0x0000, 0, StatusFlag2.targetMissing), (0x0000, 2, .targetMissing), (0x0100, 1, .targetMissing),
            (0x0049, 1, .wrongAttribute),
        ] as [(UInt16, UInt16, StatusFlag2)])
    func `Request Code List rejects nodes that have no list`(
        _ area: UInt16, _ index: UInt16, _ reason: StatusFlag2
    ) throws {
        var card = try Self.card()
        let request = RequestCodeList.Request(idm: CardM.idm, area: NodeCode(area), packetIndex: index)
        #expect(try card.answer(RequestCodeList.self, request)?.status == StatusFlags(reason))
    }

    @Test func `a long code list is complete and split into packets`() throws {
        let areas = (1...70).map {
            FeliCaAreaDefinition(NodeCode(UInt16($0) << 6), end: NodeCode(UInt16($0) << 6 | 0x3F))
        }
        let services = (1...70).flatMap { number in
            [0x08, 0x09, 0x0B].map { FeliCaServiceDefinition(NodeCode(UInt16(number) << 6 | $0), blocks: [.zero]) }
        }
        var card = try Self.card {
            $0.systems[0].areas = [.root()] + areas; $0.systems[0].services = services
        }
        var listed: [NodeCode] = []
        var index: UInt16 = 0
        var flag: UInt8 = 1
        while flag == 1 {
            index += 1
            let request = RequestCodeList.Request(idm: CardM.idm, area: .root, packetIndex: index)
            let response = try #require(try card.answer(RequestCodeList.self, request))
            let body = try #require(response.body)
            #expect(response.bytes.count <= FeliCaPacket.maximumLength)
            listed += body.areas.map(\.code) + body.services
            flag = body.continueFlag
        }
        #expect(listed == areas.map(\.code) + services.map(\.code))
        #expect(index == 3)
    }

    @Test func `Get Area Information reports its two bytes`() throws {
        var card = try Self.card()
        let response = try card.answer(GetAreaInformation.self, .init(idm: CardM.idm, area: NodeCode(0x0040)))
        #expect(response?.body == .init(area: NodeCode(0x0040), data: 0x1234))
    }

    @Test(
        arguments: [
            (0x0000, StatusFlag2.areaZero), (0x00C0, .areaNumberBits), (0x0049, .notAnArea), (0x0100, .notAnArea),
        ] as [(UInt16, StatusFlag2)])
    func `Get Area Information rejects other codes with the matching reason`(_ code: UInt16, _ reason: StatusFlag2)
        throws
    {
        var card = try Self.card()
        let response = try card.answer(GetAreaInformation.self, .init(idm: CardM.idm, area: NodeCode(code)))
        #expect(response?.status == StatusFlags(reason))
    }

    @Test func `Get Node Property reports purse limits and MAC communication`() throws {
        var card = try Self.card()
        let purses = GetNodeProperty.Request(idm: CardM.idm, type: .purseLimits, nodes: Self.nodes([0x0091, 0x00D7]))
        #expect(
            try card.answer(GetNodeProperty.self, purses)?.body?.nodes
                == [.purseLimits(PurseLimits(lower: -100, upper: 1_000)), .purseLimits(.disabled)])
        let macs = GetNodeProperty.Request(
            idm: CardM.idm, type: .macCommunication, nodes: Self.nodes([0x0049, 0x004B]))
        #expect(
            try card.answer(GetNodeProperty.self, macs)?.body?.nodes == [.macCommunication(0), .macCommunication(1)])
    }

    @Test(
        arguments: [
            ([0x0091, 0x0049], StatusFlags(2, .wrongNodeProperty)), ([0x1017], StatusFlags(1, .targetMissing)),
            ([], StatusFlags(.serviceCount)), (Array(repeating: 0x0091, count: 17), StatusFlags(.serviceCount)),
        ] as [([UInt16], StatusFlags)])
    func `Get Node Property rejects nodes without the property`(_ codes: [UInt16], _ status: StatusFlags) throws {
        var card = try Self.card()
        let request = GetNodeProperty.Request(idm: CardM.idm, type: .purseLimits, nodes: Self.nodes(codes))
        #expect(try card.answer(GetNodeProperty.self, request)?.status == status)
    }

    @Test func `Get Node Property of an unknown type gets no answer`() throws {
        var card = try Self.card()
        let request = GetNodeProperty.Request(idm: CardM.idm, type: .init(2), nodes: Self.nodes([0x0091]))
        #expect(try card.answer(GetNodeProperty.self, request) == nil)
    }
}

@Suite struct `FeliCa commands about the card` {
    @Test func `reports contain the values of the definition`() throws {
        var card = try FeliCaCard(CardM.definition)
        let definition = CardM.definition
        #expect(
            try card.answer(RequestProductInformation.self, .init(idm: CardM.idm))?.body
                == definition.productInformation)
        #expect(try card.answer(GetSystemStatus.self, .init(idm: CardM.idm))?.body == definition.systemStatus)
        #expect(
            try card.answer(RequestSpecificationVersion.self, .init(idm: CardM.idm))?.body
                == definition.specificationVersion)
    }

    @Test func `a phone reports its container`() throws {
        var card = try FeliCaCard(CardM.definition)
        #expect(try card.answer(hex: "04700000") == "0A716D696E656D6F6269")
        #expect(try card.answer(hex: "042E0000") == "032F01")
        #expect(try card.answer(hex: "042E0100") == "032F20")
        #expect(try card.answer(hex: "042E0200") == "-")
        let issued = try card.answer(GetContainerIssueInformation.self, .init(idm: CardM.idm))?.information.bytes
        #expect(issued?[5..<12].elementsEqual("SH-100D".utf8) == true)
    }

    @Test(arguments: ["04700000", "042E0000", "0C220102030405060708 0000"])
    func `a card without a container does not answer commands about it`(_ packet: String) throws {
        var definition = CardM.definition
        definition.container = nil
        var card = try FeliCaCard(definition)
        #expect(try card.answer(hex: packet) == "-")
    }

    @Test(
        arguments: [(0, 0, true), (1, 0, true), (2, 0, false), (0, 1, false), (0, 2, false)] as [(UInt8, UInt8, Bool)])
    func `Set Parameter accepts only the parameters that leave packets unchanged`(
        _ encryption: UInt8, _ packet: UInt8, _ isTaken: Bool
    ) throws {
        var card = try FeliCaCard(CardM.definition)
        let request = SetParameter.Request(idm: CardM.idm, encryptionType: encryption, packetType: packet)
        #expect(try card.answer(SetParameter.self, request)?.status == (isTaken ? .success : nil))
        var reserved = request.bytes
        reserved[10] = 1
        #expect(try card.answer(hex: Hex.text(reserved)) == "-")
    }

    @Test func `Echo returns up to the chip's limit`() throws {
        var definition = CardM.definition
        definition.profile.echoMax = 10
        var card = try FeliCaCard(definition)
        #expect(try card.answer(Echo.self, Echo.Request(data: [])) == Echo.Request(data: []))
        let most = Echo.Request(data: Array(0..<10))
        #expect(try card.answer(Echo.self, most) == most)
        #expect(try card.answer(Echo.self, Echo.Request(data: Array(0..<11))) == nil)
    }
}
