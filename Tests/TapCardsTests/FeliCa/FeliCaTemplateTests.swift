import TapCards
import TapWire
import TestSupport
import Testing

/// A definition of an impossible card.
struct WrongDefinition: Sendable, CustomTestStringConvertible {
    let code: FeliCaTemplateError.Code
    let edit: @Sendable (inout FeliCaCardDefinition) -> Void

    var testDescription: String { "\(code)" }

    init(_ code: FeliCaTemplateError.Code, _ edit: @escaping @Sendable (inout FeliCaCardDefinition) -> Void) {
        self.code = code
        self.edit = edit
    }
}

@Suite struct `FeliCa templates` {
    private static let wrong: [WrongDefinition] = [
        WrongDefinition(.noSystem) { $0.systems = [] },
        WrongDefinition(.tooManySystems) { definition in
            definition.systems = (0..<17).map {
                FeliCaSystemDefinition(code: SystemCode(UInt16($0)), areas: [.root()], services: [])
            }
        },
        WrongDefinition(.duplicateSystem) { $0.systems[1].code = .transit },
        WrongDefinition(.duplicateIDm) { $0.systems[1].idm = $0.idm },
        WrongDefinition(.duplicateNode) { $0.systems[0].services.append($0.systems[0].services[0]) },
        WrongDefinition(.duplicateNode) { $0.systems[0].areas.append(.root()) },
        WrongDefinition(.wrongAttribute) { $0.systems[0].areas[1].code = NodeCode(0x0048) },
        WrongDefinition(.wrongAttribute) { $0.systems[0].services[0].code = NodeCode(0x0040) },
        WrongDefinition(.wrongAttribute) { $0.systems[0].services[0].code = NodeCode(0x0058) },
        WrongDefinition(.wrongAttribute) { $0.systems[0].services[0].code = .system },
        WrongDefinition(.wrongRootArea) { $0.systems[0].areas[0].end = NodeCode(0x0FFF) },
        WrongDefinition(.areaEndBeforeStart) { $0.systems[0].areas[1].end = NodeCode(0x003F) },
        WrongDefinition(.areasOverlap) { $0.systems[0].areas[1].end = NodeCode(0x083F) },
        WrongDefinition(.serviceOutsideAreas) {
            $0.systems[0].areas.remove(at: 0); $0.systems[0].areas.remove(at: 0)
        },
        WrongDefinition(.areaTooSmall) { $0.systems[0].areas[1].assignedBlocks = 2 },
        WrongDefinition(.noBlocks) {
            $0.systems[0].services.append(FeliCaServiceDefinition(NodeCode(0x100D), blocks: []))
        },
        WrongDefinition(.noBlocks) { $0.systems[0].services[0].blocks = [] },
        WrongDefinition(.tooManyBlocks) {
            $0.systems[0].services[0].blocks = Array(repeating: .zero, count: FeliCaTemplate.maximumBlocks)
        },
        WrongDefinition(.wrongKeyLength) { $0.systems[0].keys.desKey = [1, 2, 3] },
        WrongDefinition(.wrongKeyLength) { $0.systems[0].services[0].keys.aesKey = Array(repeating: 0, count: 8) },
        WrongDefinition(.wrongPurseLimits) { $0.systems[0].services[0].purseLimits = PurseLimits() },
        WrongDefinition(.wrongPurseLimits) {
            $0.systems[1].services.append(
                FeliCaServiceDefinition(
                    NodeCode(0x1417), blocks: [.zero], purseLimits: PurseLimits(lower: 1, upper: 0)))
        },
        WrongDefinition(.reportTooLong) { $0.productInformation = .init(data: Array(repeating: 0, count: 243)) },
        WrongDefinition(.reportTooLong) { $0.systemStatus.data = Array(repeating: 0, count: 242) },
        WrongDefinition(.reportTooLong) {
            $0.container = FeliCaContainer(idm: $0.idm, properties: [[], Array(repeating: 0, count: 254)])
        },
        WrongDefinition(.wrongProfile) { $0.profile.maxReadBlocks = 16 },
        WrongDefinition(.wrongProfile) { $0.profile.maxWriteBlocks = 0 },
        WrongDefinition(.wrongProfile) { $0.profile.echoMax = 253 },
        WrongDefinition(.wrongProfile) { $0.profile.supportedCommands = [CommandCode(0x90)] },
        WrongDefinition(.wrongChallenge) { $0.challenge = [1, 2, 3] },
    ]

    @Test(arguments: wrong)
    func `an impossible definition is rejected with a reason`(_ wrong: WrongDefinition) throws {
        var definition = CardS.definition
        wrong.edit(&definition)
        let error = #expect(throws: FeliCaTemplateError.self) { try FeliCaTemplate(definition) }
        #expect(error?.code == wrong.code)
        #expect(error?.description.hasSuffix(".") == true)
    }

    @Test func `every error code is covered`() {
        // A build without ciphers is not possible here.
        #expect(Set(Self.wrong.map(\.code) + [.noCiphers]) == Set(FeliCaTemplateError.Code.allCases))
    }

    @Test func `services with the same number share the blocks of the first`() throws {
        var definition = CardS.definition
        let code = NodeCode(0x1009)
        let index = try #require(definition.systems[0].services.firstIndex { $0.code == NodeCode(0x100B) })
        definition.systems[0].services[index].blocks = [.zero]
        let card = try FeliCaCard(definition)
        #expect(card.blocks(of: NodeCode(0x100B), in: .transit) == card.blocks(of: code, in: .transit))
        #expect(card.blocks(of: code, in: .transit)?.count == 4)
    }

    @Test func `services with the same number but different kinds have their own blocks, as on nanaco`() throws {
        var definition = CardS.definition
        let blocks = [BlockData([1]), BlockData([2])]
        definition.systems[1].services += [
            FeliCaServiceDefinition(NodeCode(0x558B), blocks: [blocks[0]]),
            FeliCaServiceDefinition(NodeCode(0x5597), blocks: [blocks[1]]),
        ]
        definition.systems[1].areas = [.root()]
        let card = try FeliCaCard(definition)
        #expect(card.blocks(of: NodeCode(0x558B), in: .commonArea) == [blocks[0]])
        #expect(card.blocks(of: NodeCode(0x5597), in: .commonArea) == [blocks[1]])
    }

    @Test func `areas can start at the same number and nest`() throws {
        var definition = CardS.definition
        definition.systems[1] = FeliCaSystemDefinition(
            code: .commonArea,
            areas: [
                .root(), FeliCaAreaDefinition(NodeCode(0x3940), end: NodeCode(0x39FF)),
                FeliCaAreaDefinition(NodeCode(0x3941), end: NodeCode(0x39FF)),
            ], services: [FeliCaServiceDefinition(NodeCode(0x394B), blocks: [.zero])])
        var card = try FeliCaCard(definition)
        let idm = definition.idm.ofSystem(1)
        var nodes: [NodeCode] = []
        while let response = try card.answer(SearchServiceCode.self, .init(idm: idm, index: UInt16(nodes.count))),
            !response.isEnd
        {
            nodes.append(response.node)
        }
        #expect(nodes == [0x0000, 0x3940, 0x3941, 0x394B].map(NodeCode.init))
    }

    @Test func `keys and issue data are kept for later sessions`() throws {
        let system = try CardS.card().template.definition.systems[0]
        #expect(system.keys.desKey?.first == 0x11)
        #expect(system.issue.id == 0x2122_2324_2526_2728)
        #expect(system.services[0].keys.desKey?.count == 8)
    }

    @Test func `a system can have its own IDm`() throws {
        var definition = CardS.definition
        definition.systems[1].idm = IDm(0x0202_0202_0202_0202)
        var card = try FeliCaCard(definition)
        #expect(try card.answer(hex: "0A04 0202020202020202") == compact("0B05 0202020202020202 00"))
        #expect(try card.answer(hex: "0A04 11010A1020304050") == "-")
    }

    @Test func `an unknown system or service has no blocks`() throws {
        let card = try CardS.card()
        #expect(card.blocks(of: NodeCode(0x1009), in: .ndef) == nil)
        #expect(card.blocks(of: NodeCode(0x1000), in: .transit) == nil)
        #expect(card.blocks(of: NodeCode(0x1049), in: .transit) == nil)
    }
}
