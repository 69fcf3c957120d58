import Foundation
import ScenarioSupport
import TapCards
import TapDocument
import TapScenario
import TapWire
import TapYAML
import TestSupport
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Card files` {
    /// The folder of card files next to the tests.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Scenarios/cards").standardized

    static let names: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).filter { $0.hasSuffix(".yaml") }.sorted()
    }()

    static func document(_ name: String) throws -> CardDocument {
        CardDocument(name, [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))))
    }

    @Test(arguments: names)
    func `contain one card each, without a warning`(_ name: String) throws {
        let document = try Self.document(name)
        #expect(document.diagnostics.text() == "")
        #expect(document.cards.count == 1)
    }

    @Test(arguments: names)
    func `are accepted by the JSON Schema, however YAML is converted to JSON`(_ name: String) throws {
        let document = try Self.document(name)
        let node = try #require(document.node)
        let card = try #require(document.cards.first?.card)
        let explicit: Node = ["format": 1, "cards": ["card": card.node]]
        let validator = SchemaValidator(JSONSchema.of(CardDocument.table, title: "cards"))
        for node in [node, explicit] {
            #expect(validator.accepts(node) && validator.accepts(GuessingReader.convert(node)))
        }
    }

    @Test(arguments: names)
    func `read back from the explicit form`(_ name: String) throws {
        let card = try #require(try Self.document(name).cards.first?.card)
        let written = JSONWriter.text(["format": 1, "cards": ["card": card.node]])
        let again = CardDocument("cards.json", Array(written.utf8), seed: 5)
        #expect(again.diagnostics.text() == "")
        #expect(again.cards.first?.card == card)
    }

    @Test func `describe sample card S`() throws {
        let card = try #require(try Self.document("vector-s.yaml").cards.first?.card)
        #expect(card == .felica(try FeliCaTemplate(CardS.definition), ic: "vector-s"))
    }

    static let tags: [(name: String, tag: NTAGDefinition)] = [
        ("t0", SampleTags.t0()), ("t1", SampleTags.t1()), ("t2", SampleTags.t2()), ("t3", SampleTags.t3()),
        ("t4", SampleTags.t4()), ("t5", SampleTags.t5(cfg0: PageData(0xC4, 0x00, 0x04, 0xFF), access: 0x10)),
        ("t6", SampleTags.t6()),
    ]

    @Test(arguments: tags)
    func `describe the sample tags`(_ name: String, _ tag: NTAGDefinition) throws {
        let card = try #require(try Self.document("\(name).yaml").cards.first?.card)
        #expect(card == .ntag(NTAGTemplate(tag)))
    }

    @Test func `keep the stated history and generate the rest`() throws {
        let card = try #require(try Self.document("suica.yaml").cards.first?.card)
        let trips = TransitHistory(blocks: try CardContent.blocks(of: TransitServices.history, on: card)).trips
        #expect(trips.count == 20)
        #expect(trips[0].record.kind == .fareGate && trips[0].record.balance == 3120 && trips[0].amount == -210)
        #expect(
            trips[0].record.place
                == .rail(entry: StationCode(line: 1, station: 230), exit: StationCode(line: 1, station: 204)))
        #expect(trips[0].record.date.description == "2026-11-18" && trips[1].record.date.description == "2026-11-17")
        #expect(trips[1].record.kind == .shop && trips[1].record.balance == 3330)
    }
}

/// The contents of a decoded card.
enum CardContent {
    /// The initial blocks of a service.
    static func blocks(of service: ApplicationService, on card: CardDefinition) throws -> [BlockData] {
        let engine = try #require(card.makeEngine() as? FeliCaCard)
        return try #require(engine.blocks(of: service.code, in: service.system))
    }

    /// The blocks of the known service with a title, in any system of the card, read without a key.
    static func blocks(titled title: String, on card: CardDefinition) -> [BlockData]? {
        guard case .felica(let template, _) = card else { return nil }
        for system in template.definition.systems {
            for service in system.services where service.code.attribute.isAuthenticationFree {
                guard ApplicationService.known(service.code, in: system.code)?.service.title == title else { continue }
                return FeliCaCard(template).blocks(of: service.code, in: system.code)
            }
        }
        return nil
    }
}
