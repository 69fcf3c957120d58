import ScenarioSupport
import TapCards
import TapDocument
import TapField
import TapScenario
import TapWire
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Persistent cards` {
    private static let text = """
        format: 1
        cards:
          tag: {ic: NTAG215, uid: 04A1B2C3D4E580, persist: tag.json, config: {authlim: 3, pwd: DEADBEEF}}
          card:
            ic: RC-S962
            idm: "0112030405060708"
            rewrite_limit: 9
            persist: cards/card.json
            systems: {"0003": {areas: {"0000": FFFE}, services: {"0009": {blocks: 2}, "000B": {}}}}
          plain: {ic: NTAG213}
        """

    private static func load() throws -> ScenarioCase {
        try #require(LoadedScenario(text, name: "folder/main.yaml").first)
    }

    @Test func `are listed with the files that store their state`() throws {
        let kept = try Self.load().keptCards
        #expect(kept.map(\.name) == ["tag", "card"] && kept.map(\.path) == ["tag.json", "cards/card.json"])
        #expect(kept.map(\.file) == ["folder/main.yaml", "folder/main.yaml"])
    }

    /// Writes to a card, saves it and restores it: the memory is the same, and counts as unchanged at the start of a run.
    @Test(arguments: ["tag", "card"]) func `are restored in their last state`(_ name: String) throws {
        let test = try Self.load()
        let changed = try Self.changed(name, in: test)
        let state = try #require(test.state(of: name, in: changed))
        let card = try #require(test.keptCards.first { $0.name == name })
        var diagnostics = Diagnostics()
        let file = SourceFile(name: "state.json", text: JSONWriter.text(state))
        let restored = try #require(test.restoring(card, from: file, into: &diagnostics), "\(diagnostics.text())")
        #expect(restored.cards != test.cards && restored.cards.map(\.name) == test.cards.map(\.name))
        #expect(restored.state(of: name, in: restored.makeWorld()) == state)
        #expect(restored.makeWorld().card(named: name)?.isMemoryUnchanged == true)
    }

    private static func changed(_ name: String, in test: ScenarioCase) throws -> World {
        var world = World(seed: 1, timeline: Timeline([]), trace: .off)
        for card in test.cards {
            switch card.definition {
            case .ntag(let template) where card.name == name:
                var definition = template.definition
                definition[page: 9] = PageData(1, 2, 3, 4)
                definition.failedAuthentications = 2
                world.add(NTAGCard(NTAGTemplate(definition)), named: card.name)
            case .felica(let template, _):
                var engine = FeliCaCard(template)
                engine.replaceBlocks(
                    of: NodeCode(0x0009), in: SystemCode(0x0003),
                    with: [.zero, BlockData(Array(repeating: 0xAB, count: 16))])
                world.add(engine, named: card.name)
            default: world.add(card.definition.makeEngine(), named: card.name)
            }
        }
        return world
    }

    @Test(arguments: [
        ("{}", DiagnosticCode.otherState), ("[", .otherState), ("{\"format\": 1,", .notJSON),
        ("{\"format\": 2}", .wrongFormat), ("{\"format\": 1, \"cards\": {}}", .otherState),
        ("{\"format\": 1, \"cards\": {\"tag\": {\"ic\": \"NTAG213\", \"uid\": \"04A1B2C3D4E580\"}}}", .otherState),
        ("{\"format\": 1, \"cards\": {\"tag\": {\"ic\": \"NTAG215\", \"uid\": \"04A1B2C3D4E581\"}}}", .otherState),
        (
            "{\"format\": 1, \"cards\": {\"tag\": {\"ic\": \"NTAG215\"}, \"b\": {\"ic\": \"NTAG215\"}}}",
            .otherState
        ),
    ])
    func `reject the state of another card`(_ text: String, _ code: DiagnosticCode) throws {
        let test = try Self.load()
        var diagnostics = Diagnostics()
        let file = SourceFile(name: "state.json", text: text)
        #expect(test.restoring(test.keptCards[0], from: file, into: &diagnostics) == nil)
        #expect(diagnostics.found.contains { $0.code == code }, "\(diagnostics.text())")
        #expect(diagnostics.found.last?.code == .otherState)
        #expect(diagnostics.found.last?.hint.hasPrefix("use another file") == true)
    }

    @Test func `count the writes that they have received`() throws {
        let test = try Self.load()
        guard case .felica(let template, _) = test.cards[1].definition else { return }
        var card = FeliCaCard(template)
        #expect(card.definition == template.definition)
        card.replaceBlocks(
            of: NodeCode(0x000B), in: SystemCode(0x0003), with: [BlockData(Array(repeating: 1, count: 16))])
        let services = card.definition.systems[0].services
        #expect(services[0].blocks[0] == BlockData(Array(repeating: 1, count: 16)) && services[1].blocks.isEmpty)
    }
}
