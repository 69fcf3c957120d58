import TapCards
import TapClient
import TapDocument
import TapField
import TapRecording
import TapScenario
import TapWire
import TapYAML
import Testing

/// A session that was made by reading a card of the virtual field with our own client.
struct MadeSession {
    var session: RecordedSession
    /// What the client found out.
    let result: Reading

    /// Reads a card.
    enum Client: CaseIterable {
        case transit, money, ndef

        func read(_ reader: inout CardReader<VirtualLink>) async throws -> Reading {
            switch self {
            case .transit: Reading(transit: try await reader.readTransitCard())
            case .money: Reading(money: try await reader.readElectronicMoney())
            case .ndef: Reading(message: try await reader.readNDEF().message)
            }
        }
    }

    /// What a client found out, of which no part identifies anything.
    struct Reading: Equatable {
        var transit: TransitCard?
        var money: [ElectronicMoney] = []
        var message: NDEFMessage?
    }

    /// - Parameter card: A card as the card language writes it in one line: `{template: suica}`.
    init(_ card: String, _ client: Client) async throws {
        let scenario = try Self.scenario("format: 1\ncards: {card: \(card)}\n")
        let (result, world) = try await Self.run(client, on: scenario)
        self.result = result
        let definition = try #require(scenario.cards.first?.definition)
        let isFeliCa = definition.family.isFeliCa
        session = RecordedSession(.frame, try #require(RecordedSession.Identity(definition)))
        // The reader selects a tag of type A by itself.
        let exchanges = world.trace.exchanges.filter { CommandName(of: $0.command)?.layer != .selection }
        session.exchanges = exchanges.map { exchange in
            let head = isFeliCa ? 1 : 0
            let answer = exchange.answers.first?.frame
            return RecordedSession.Exchange(
                Array(exchange.command.bytes.dropFirst(head)),
                answer.map {
                    CardRecording.Answer(Array($0.bytes.dropFirst(head)), bitCount: $0.bitCount - 8 * head)
                })
        }
    }

    /// The case of a file; a problem of the file fails the test.
    static func scenario(_ text: String) throws -> ScenarioCase {
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader(reader: YAMLReader()).load(
            SourceFile(name: "made.yaml", text: text), into: &diagnostics)
        try #require(diagnostics.found.filter { $0.severity == .error }.map(\.message) == [], "\(text)")
        return try #require(scenario?.cases.first)
    }

    /// What a client makes of the card of a case.
    static func run(_ client: Client, on scenario: ScenarioCase) async throws -> (Reading, World) {
        var reader = CardReader(VirtualLink(scenario.makeWorld()))
        let reading = try await client.read(&reader)
        return (reading, reader.link.world)
    }
}

extension RecordedSession {
    /// How many bytes each command and its answer have.
    var byteCounts: [[Int?]] { exchanges.map { [$0.command.count, $0.answer?.bytes.count] } }

    /// The IDm of a FeliCa card.
    var idm: IDm? {
        guard case .felica(let idm, _, _) = card else { return nil }
        return idm
    }
}

extension RecordedSession.Identity {
    /// What a reader finds out about a card.
    init?(_ card: CardDefinition) {
        switch card {
        case .felica(let template, _):
            let system = template.definition.systems.first
            self = .felica(
                idm: system?.idm ?? template.definition.idm, pmm: template.definition.pmm, system: system?.code)
        case .lite(let template, _):
            self = .felica(idm: template.definition.idm, pmm: template.definition.pmm, system: nil)
        case .ntag(let template): self = .typeA(uid: template.definition.uid)
        }
    }
}
