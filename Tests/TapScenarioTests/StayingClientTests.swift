import ScenarioSupport
import TapDocument
import TapField
import TapReaders
import TapScenario
import TapWire
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Readers, visits and steps of a case` {
    private static let cards = "cards: {suica: {template: suica, balance: 1000}, tag: {ic: NTAG215}}\n"

    /// Loads the case as stated, and as the file that it resolves to.
    private func load(_ text: String) throws -> [ScenarioCase] {
        let loaded = LoadedScenario("format: 1\n\(Self.cards)\(text)")
        let test = try #require(loaded.first, "\(loaded.diagnostics.text())")
        var diagnostics = Diagnostics()
        let again = ScenarioLoader.scenario(from: test.resolved, file: "again", into: &diagnostics)?.cases[0]
        return [test, try #require(again, "\(diagnostics.text())")]
    }

    @Test func `support several readers, each with its own field`() throws {
        let text = """
            readers:
              gate: {model: acr122u, name: Gate, over: pcsc, pick: suica}
              desk: rc-s380
            timeline: [{tap: suica}, {tap: {card: tag, reader: desk}}]
            """
        for test in try load(text) {
            #expect(test.readers.map(\.name) == ["gate", "desk"])
            var gate = ReaderSpec(.acr122u, name: "Gate", transport: .pcsc)
            gate.pick = "suica"
            #expect(test.readers.map(\.spec) == [gate, ReaderSpec(.rcs380)] && test.reader == gate)
            var world = test.makeWorld()
            #expect(world.readers == [ReaderField("gate", pick: "suica"), ReaderField("desk")])
            #expect(world.isWithinReach(0) && !world.isWithinReach(1) && world.pickedCard == 0)
            world.use(reader: 1)
            #expect(!world.isWithinReach(0) && world.isWithinReach(1) && world.pickedCard == nil)
        }
    }

    @Test func `give the only reader a default name`() throws {
        for text in ["", "reader: acr122u", "reader: {model: acr122u, pick: tag}"] {
            for test in try load(text) {
                #expect(test.readersOrDefault.map(\.name) == ["reader"] && test.makeWorld().readers.count == 1)
                #expect(test.readers.isEmpty == text.isEmpty)
            }
        }
    }

    @Test func `allow a random fault that does not affect the cards`() throws {
        let test = try #require(try load("client: {run: [./reader]}").first)
        let kind = try #require(FaultCatalogue.named("felica.cyclic_shift"))
        let read = try #require(CommandName("felica.read"))
        let client = ClientKind(try #require(test.client))
        for service: [UInt8] in [[0x09, 0x0F], [0x12, 0x34]] {
            let fault = Fault(kind, ["service": .bytes(service)])
            let plan = FaultPlan([FaultPlan.Entry(fault, when: .command(read))])
            #expect(test.disturbed(by: plan).obstacle(to: client) == nil)
        }
    }

    @Test func `change all readers at once`() throws {
        let test = try load("readers: {a: acr122u, b: rc-s300}")[0].changingReaders { $0.model = .storageCard }
        #expect(test.readers.map(\.spec.model) == [.storageCard, .storageCard])
        let usual = try load("")[0].changingReaders { $0.transport = .nfcpy }
        #expect(usual.readers.map(\.name) == ["reader"] && usual.reader?.transport == .nfcpy)
    }

    private static let visits: [(String, VisitPlan)] = {
        var full = VisitPlan(2)
        (full.gap, full.quiet, full.done) = (.milliseconds(30), .seconds(2), LinePattern("read *"))
        return [("taps: 3", VisitPlan(3)), ("taps: {count: 2, gap: 30ms, quiet: 2s, done: \"read *\"}", full)]
    }()

    @Test(arguments: visits)
    func `plan visits for a resident client`(_ text: String, _ plan: VisitPlan) throws {
        for test in try load("client: {run: [./a]}\n\(text)") { #expect(test.visits == plan) }
    }

    @Test func `wait for a visit to start, and repeat the timeline in each visit`() throws {
        let test = try load("client: {run: [./a]}\ntaps: 2\ntimeline: [{tap: tag}, {when: ntag.read, remove: tag}]")[0]
        var world = test.makeQuietWorld()
        #expect(world.cards.allSatisfy { !$0.isPresent } && !world.hasPlans)
        for _ in 0..<2 {
            test.beginVisit(in: &world)
            #expect(world.cards.map(\.isPresent) == [false, true] && world.hasPlans)
            world.begin(Timeline([]))
            world.removeAll()
        }
    }

    @Test func `replace cards, unplug readers and send lines to the client`() throws {
        let text = """
            reader: acr122u
            client: {run: [./a]}
            timeline:
              - {tap: suica}
              - {set: {card: suica, values: {balance: 2000}}}
              - {set: {card: suica, values: {idm: "01 01 01 01 01 01 01 01"}}}
              - {unplug: reader}
              - {after: 5ms, plug: reader}
              - {when: {event: client.line, line: ready}, send: go on}
            """
        var cards: [NewCard] = []
        for test in try load(text) {
            let actions = test.timeline.remaining.flatMap(\.actions)
            #expect(
                actions[0] == .tap("suica")
                    && Array(actions[3...]) == [.unplug("reader"), .plug("reader"), .send("go on")])
            for case .set("suica", let card) in actions { cards.append(card) }
        }
        // Each step keeps the values set by earlier steps, and the resolved file states them in full.
        #expect(cards.count == 4 && cards[0] == cards[2] && cards[1] == cards[3] && cards[0] != cards[1])
        let idm = cards.map {
            $0.description.contains("\"0101010101010101\"") || $0.description.contains("01 01 01 01")
        }
        #expect(idm == [false, true, false, true])
    }

    @Test func `are controlled by name`() throws {
        let test = try load("readers: {gate: acr122u, desk: acr122u}")[0]
        var diagnostics = Diagnostics()
        let requests: [(Node, ControlRequest)] = [
            (["plug": "desk"], .plug("desk")), (["unplug": [:]], .unplug(nil)),
            (["tap": ["card": "tag", "reader": "desk"]], .tap("tag", reader: "desk")),
        ]
        for (node, request) in requests {
            #expect(ControlLanguage.decode(node, for: test, into: &diagnostics) == request)
        }
        #expect(ControlLanguage.decode(["plug": "reader"], for: test, into: &diagnostics) == nil)
    }

    private static let obstacles: [(String, ClientKind, String?)] = [
        ("taps: 2", .builtin, "taps"), ("taps: 2", .program(reportsReady: false), nil),
        ("timeline: [{send: x}]", .elsewhere, "timeline"),
        ("timeline: [{send: x}]", .program(reportsReady: false), nil),
        ("timeline: [{when: {event: client.ready}, tap: tag}]", .program(reportsReady: false), "timeline"),
        ("timeline: [{when: {event: client.ready}, tap: tag}]", .program(reportsReady: true), nil),
        ("timeline: [{when: {event: client.line}, tap: tag}]", .elsewhere, "timeline"),
        ("faults: [{when: {event: client.exited}, do: rf.silence}]", .builtin, "faults"),
        ("timeline: [{when: {event: reader.connected}, tap: tag}]", .builtin, "timeline"),
        ("reader: acr122u\ntimeline: [{when: {event: reader.connected}, tap: tag}]", .builtin, nil),
        (
            "reader: {model: acr122u, over: vpcd}\ntimeline: [{when: {event: reader.connected}, tap: tag}]", .elsewhere,
            "timeline"
        ),
        ("timeline: [{when: {event: reader.field_on}, tap: tag}]", .builtin, nil),
        ("timeline: [{send: x}]", .app, "timeline"), ("timeline: [{unplug: reader}]", .app, "timeline"),
        ("timeline: [{when: {event: client.started}, tap: tag}]", .app, "timeline"),
        ("timeline: [{when: {event: reader.connected}, tap: tag}]", .app, "timeline"),
        ("timeline: [{when: {phone: connected}, tap: tag}]", .app, nil),
        ("faults: [{when: {phone: connected}, do: phone.background}, {when: ntag.read, do: rf.silence}]", .app, nil),
        ("faults: [{when: {call: transmit}, do: pcsc.slow}]", .app, "faults"),
        ("faults: [{when: {call: transmit}, do: rf.silence}]", .app, "faults"),
        ("faults: [{when: ntag.read, do: reader.no_card}]", .app, "faults"),
    ]

    @Test(arguments: obstacles)
    func `report steps and faults that can never happen`(_ text: String, _ client: ClientKind, _ key: String?) throws {
        #expect(try load(text)[0].obstacle(to: client)?.key.rawValue == key)
    }

    @Test(arguments: ["", "client: {builtin: dump}\n", "client: {run: [./reader]}\n"])
    func `reject a fault at a command that no card answers`(_ client: String) {
        let loaded = LoadedScenario(
            "format: 1\ncards: {tag: {ic: NTAG215}}\n\(client)faults: [{when: felica.read, do: rf.silence}]\n")
        #expect(loaded.diagnostics.found.map(\.code) == [.impossibleFault], "\(loaded.diagnostics.text())")
        #expect(loaded.diagnostics.text().contains("waits for `felica.read`, which no card answers"))
    }
}
