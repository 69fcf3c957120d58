import ScenarioSupport
import TapCards
import TapDocument
import TapScenario
import TapWire
import TestSupport
import Testing

/// Checks that a template has the systems, areas and services of a real card in the same order.
@Suite struct `The directory of a template` {
    static let lists = DirectoryList.all
    static let templates = CardLanguage.templates.filter { !$0.generations.isEmpty }
    static let standard = templates.filter { $0.families == [.felica] }.map(\.name)

    @Test(arguments: lists.filter { standard.contains($0.template) })
    func `matches the list of a real card`(_ list: DirectoryList) throws {
        let (card, diagnostics) = CardDocument.card(list.node(ic: "RC-S962"))
        #expect(diagnostics.isEmpty, "\(diagnostics.text())")
        var engine = try #require(card?.makeEngine() as? FeliCaCard)
        #expect(try engine.systemCodes() == list.systems.map(\.code))
        for system in list.systems { #expect(try engine.nodes(of: system.code) == system.nodes) }
    }

    /// Checks the exact set of services by reading each one, because a FeliCa Lite does not list its nodes.
    @Test func `matches the services that a FeliCa Lite answers`() throws {
        let list = try #require(Self.lists.first { $0.template == "felica-lite" })
        let card = try #require(CardDocument.card(list.node(ic: nil)).card)
        var engine = try #require(card.makeEngine() as? FeliCaLiteCard)
        #expect(Set(engine.systemCodes) == Set(list.systems.map(\.code)) && list.systems.count == 2)
        for system in list.systems {
            engine.fieldRose()
            var context = CardContext(random: SeededGenerator(seed: 1))
            let polling = Polling.Request(systemCode: system.code, requestCode: .systemCode)
            let found = try Polling.Response(parsing: #require(engine.answer(polling.bytes, context: &context)).bytes)
            #expect(found.requestData.map { SystemCode($0) } == system.code)
            for code in (0...0x4F).map({ NodeCode($0) }) where code.attribute.isService {
                let read = ReadWithoutEncryption.Request(
                    idm: found.idm, services: [code], blocks: [BlockListElement(blockNumber: 0)])
                let answer = try #require(engine.answer(read.bytes, context: &context)).bytes
                let isThere = try ReadWithoutEncryption.Response(parsing: answer).status.isSuccess
                #expect(isThere == system.nodes.contains(FeliCaNode(code, end: nil)), "\(system.code) \(code)")
            }
        }
    }

    @Test(arguments: lists)
    func `round-trips without diagnostics on the IC of its generation`(_ list: DirectoryList) throws {
        let card = try #require(CardDocument.card(list.node(ic: nil)).card)
        let info = try #require(Self.templates.first { $0.name == list.template })
        let generation = try #require(info.generations.first { $0.number == list.generation })
        let ic = try #require(generation.ic.value.flatMap { ICCatalogue.named($0) })
        #expect(card.icName == ic.name && generation.ic.confidence != .unknown)
        let engine = try #require(card.makeEngine() as? any FeliCaEngine)
        #expect("\(engine.pmm)" == ic.lines.first { $0.title == "PMm" }?.fact.value)
        let (again, diagnostics) = CardDocument.card(card.node)
        #expect(again == card && diagnostics.isEmpty, "\(diagnostics.text())")
    }

    @Test(arguments: templates.map(\.name))
    func `defaults to that of the default generation`(_ name: String) throws {
        let info = try #require(Self.templates.first { $0.name == name })
        let number = try #require(info.generations.first { $0.isDefault }).number
        let stated = CardDocument.card(["template": .text(name), "generation": .number(number)]).card
        #expect(CardDocument.card(["template": .text(name)]).card == stated)
        #expect(info.generations.map(\.number) == Array(1...info.generations.count))
        let (card, diagnostics) = CardDocument.card(
            ["template": .text(name), "generation": .number(info.generations.count + 1)])
        #expect(card == nil && diagnostics.text().contains("`\(name)` has no generation \(info.generations.count + 1)"))
    }

    @Test func `has a list for every generation of every brand except PiTaPa`() {
        for info in Self.templates {
            let listed = Self.lists.filter { $0.template == info.name }.map(\.generation)
            let isListed = info.generations.map { !$0.isInferred }
            #expect(listed == info.generations.filter { !$0.isInferred }.map(\.number), "\(info.name)")
            #expect(isListed.allSatisfy(\.self) || info.name == "pitapa")
        }
        #expect(Set(Self.lists.map(\.template)).count == Self.templates.count - 1)
    }

    @Test func `of a PiTaPa contains the nodes common to all cards with system 0003`() throws {
        let systems = Self.lists.compactMap { list in list.systems.first { $0.code == .transit }?.nodes }
        let common = systems[0].filter { node in systems.allSatisfy { $0.contains(node) } }
        let card = try #require(CardDocument.card(["template": "pitapa"]).card)
        var engine = try #require(card.makeEngine() as? FeliCaCard)
        #expect(try engine.systemCodes() == [.transit])
        #expect(try engine.nodes(of: .transit) == common)
    }

    @Test(arguments: standard)
    func `lets services of one number share blocks, and sets no keys`(_ name: String) throws {
        let card = try #require(CardDocument.card(["template": .text(name)]).card)
        guard case .felica(let template, _) = card else { return #expect(Bool(false)) }
        let engine = FeliCaCard(template)
        for system in template.definition.systems {
            for service in system.services {
                #expect(service.keys == FeliCaKeys())
                let blocks = try #require(engine.blocks(of: service.code, in: system.code))
                let known = ApplicationService.known(service.code, in: system.code)
                #expect(blocks.count == known?.service.blockCount ?? blocks.count, "\(name) \(service.code)")
                for twin in system.services where twin.code.store == service.code.store {
                    #expect(engine.blocks(of: twin.code, in: system.code) == blocks)
                }
            }
        }
    }

    @Test(arguments: [
        ("suica", "0003", "184B", 36), ("suica", "0003", "194B", 16), ("suica", "0003", "23CB", 4),
        ("suica", "FE00", "398B", 16), ("suica", "FE00", "39C9", 6), ("suica", "86A7", "004B", 1),
        ("sapica", "865E", "090F", 20), ("iruca", "80DE", "090F", 20), ("paspy", "8592", "108F", 3),
        ("okica", "8FC1", "028F", 20), ("ryuto", "8B5D", "898F", 20), ("nanaco", "FE00", "564F", 5),
        ("waon", "FE00", "680B", 10), ("edy", "FE00", "1317", 1), ("luluca", "04A6", "004B", 1),
        ("octopus", "8008", "0117", 1), ("sapica", "865E", "BA4B", 1),
    ])
    func `has the known number of blocks, or one`(
        _ name: String, _ system: String, _ code: String, _ count: Int
    ) throws {
        let card = try #require(CardDocument.card(["template": .text(name)]).card)
        let engine = try #require(card.makeEngine() as? FeliCaCard)
        let (service, place) = (NodeCode(DirectoryList.code(code)), SystemCode(DirectoryList.code(system)))
        #expect(engine.blocks(of: service, in: place)?.count == count)
    }
}

/// The nodes of a generation of a brand.
struct DirectoryList: Sendable, CustomTestStringConvertible {
    let template: String
    let generation: Int
    private(set) var systems: [(code: SystemCode, nodes: [FeliCaNode])] = []

    var testDescription: String { "\(template) \(generation)" }

    func node(ic: String?) -> TapDocument.Node {
        .map(
            [("template", .text(template)), ("generation", .number(generation))]
                + (ic.map { [("ic", TapDocument.Node.text($0))] } ?? []))
    }

    /// The lists of `Vectors/directories.txt`: `=== template generation`, then a line for each system.
    static let all: [DirectoryList] = {
        var lists: [DirectoryList] = []
        for line in VectorFile.lines("directories.txt") {
            let words = line.split(separator: " ")
            if words[0] == "===" {
                lists.append(DirectoryList(String(words[1]), Int(words[2]) ?? 0))
            } else {
                let nodes = words.dropFirst().map { FeliCaNode($0) }
                lists[lists.count - 1].systems.append((SystemCode(code(words[0])), nodes))
            }
        }
        return lists
    }()

    private init(_ template: String, _ generation: Int) {
        self.template = template
        self.generation = generation
    }

    static func code(_ digits: some StringProtocol) -> UInt16 {
        guard let code = UInt16(digits, radix: 16) else { preconditionFailure("\(digits) is not a code") }
        return code
    }
}

/// An area with its end, or a service.
struct FeliCaNode: Hashable, Sendable, CustomStringConvertible {
    let code: NodeCode
    let end: NodeCode?

    init(_ code: NodeCode, end: NodeCode?) {
        self.code = code
        self.end = end
    }

    init(_ text: Substring) {
        let codes = text.split(separator: "-").map { NodeCode(DirectoryList.code($0)) }
        self.init(codes[0], end: codes.count > 1 ? codes[1] : nil)
    }

    var description: String { end.map { "\(code)-\($0)" } ?? "\(code)" }
}

extension FeliCaCard {
    private mutating func reply<Command: FeliCaCommand>(
        _: Command.Type, _ request: Command.Request
    ) throws -> Command.Response {
        var context = CardContext(random: SeededGenerator(seed: 1))
        let frame = answer(request.bytes, context: &context)
        return try Command.Response(parsing: try #require(frame).bytes)
    }

    fileprivate mutating func systemCodes() throws -> [SystemCode] {
        fieldRose()
        let found = try reply(Polling.self, Polling.Request(systemCode: .any, requestCode: .none, timeSlot: 0))
        return try reply(RequestSystemCode.self, RequestSystemCode.Request(idm: found.idm)).systems
    }

    /// Lists a system's nodes with Search Service Code, from index 0 to the end.
    fileprivate mutating func nodes(of system: SystemCode) throws -> [FeliCaNode] {
        let found = try reply(Polling.self, Polling.Request(systemCode: system, requestCode: .none, timeSlot: 0))
        var nodes: [FeliCaNode] = []
        while nodes.count <= 1_000 {
            let request = SearchServiceCode.Request(idm: found.idm, index: UInt16(nodes.count))
            let answer = try reply(SearchServiceCode.self, request)
            if answer.node == .system { break }
            nodes.append(FeliCaNode(answer.node, end: answer.areaEnd))
        }
        return nodes
    }
}
