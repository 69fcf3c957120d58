import TapCards
import TapClient
import TapDocument
import TapField
import TapRecording
import TapScenario
import TapWire
import TapYAML
import Testing

/// A session recorded while the built-in client reads a card in the virtual field.
struct MadeSession {
    var session: RecordedSession
    let result: Reading

    /// The kind of reading.
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

    /// The contents that a client read, without identifiers.
    struct Reading: Equatable {
        var transit: TransitCard?
        var money: [ElectronicMoney] = []
        var message: NDEFMessage?
    }

    /// - Parameter card: A card in the card language on one line, such as `{template: suica}`.
    init(_ card: String, _ client: Client) async throws {
        let scenario = try Self.scenario("format: 1\ncards: {card: \(card)}\n")
        let (result, world) = try await Self.run(client, on: scenario)
        self.result = result
        let definition = try #require(scenario.cards.first?.definition)
        let isFeliCa = definition.family.isFeliCa
        session = RecordedSession(.frame, try #require(RecordedSession.Identity(definition)))
        // The reader selects a type A tag on its own.
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

    /// Loads the first case of a file; an error in the file fails the test.
    static func scenario(_ text: String) throws -> ScenarioCase {
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader(reader: YAMLReader()).load(
            SourceFile(name: "made.yaml", text: text), into: &diagnostics)
        try #require(diagnostics.found.filter { $0.severity == .error }.map(\.message) == [], "\(text)")
        return try #require(scenario?.cases.first)
    }

    /// Lets a client read the card of a case.
    static func run(_ client: Client, on scenario: ScenarioCase) async throws -> (Reading, World) {
        var reader = CardReader(VirtualLink(scenario.makeWorld()))
        let reading = try await client.read(&reader)
        return (reading, reader.link.world)
    }
}

extension RecordedSession {
    /// The number of bytes of each command and its answer.
    var byteCounts: [[Int?]] { exchanges.map { [$0.command.count, $0.answer?.bytes.count] } }

    var idm: IDm? {
        guard case .felica(let idm, _, _) = card else { return nil }
        return idm
    }
}

extension RecordedSession.Identity {
    /// The identity that a reader sees.
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
