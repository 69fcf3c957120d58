import ScenarioSupport
import TapDocument
import TapField
import TapReaders
import TapScenario
import TapWire
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `A scenario` {
    private func load(_ text: String, name: String = "a.yaml", seed: UInt64? = nil) throws -> Scenario {
        let loaded = LoadedScenario("format: 1\n" + text, name: name, seed: seed)
        #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics.text())")
        return try #require(loaded.scenario)
    }

    @Test func `without cases is one test with its cards in the field`() throws {
        let scenario = try load("cards: {b: {ic: NTAG215}, a: {ic: NTAG213}}", name: "x/one.two.yaml")
        #expect(scenario.name == "one.two" && scenario.file == "x/one.two.yaml" && scenario.seed == 1)
        let test = try #require(scenario.cases.first)
        #expect(scenario.cases.count == 1 && test.number == 1 && test.name == nil && test.client == nil)
        #expect(test.cards.map(\.name) == ["b", "a"])
        #expect(test.makeWorld().cards.map(\.isPresent) == [true, true])
        #expect(test.settings == LoadedScenario("format: 1\ncards: {}\nsettings: {}").first?.settings)
        #expect(test.limits.wall == .seconds(60) && test.limits.exchanges == 100_000 && test.pace == .asap)
    }

    @Test func `has cases that override and merge values`() throws {
        let scenario = try load(
            """
            scenario: x
            tags: [one]
            params: {ic: NTAG213, count: 1}
            cards: {tag: {ic: "${params.ic}"}}
            client: {builtin: ndef}
            timeline: [{after: 5ms, tap: tag}]
            expect: {counts: {ntag.read: "${params.count}"}, never: [ntag.write]}
            cases:
              - {}
              - {name: other, tags: [two], params: {ic: NTAG216}, client: {builtin: dump}, skip: true}
              - {timeline: [], expect: {client: {exit: 1..}}, params: {count: 2..}}
            """)
        #expect(scenario.tags == ["one"])
        #expect(scenario.cases.map(\.number) == [1, 2, 3])
        #expect(scenario.cases.map(\.name) == [nil, "other", nil])
        #expect(scenario.cases.map(\.tags) == [["one"], ["one", "two"], ["one"]])
        #expect(scenario.cases.map(\.isSkipped) == [false, true, false])
        #expect(scenario.cases.map { $0.cards[0].definition.icName } == ["NTAG213", "NTAG216", "NTAG213"])
        #expect(scenario.cases.map(\.client) == [.ndef(), .dump(), .ndef()])
        #expect(scenario.cases.map { $0.timeline.remaining.count } == [1, 1, 0])
        #expect(scenario.cases.map(\.tapsAllAtStart) == [false, false, false])
        let paths = scenario.cases.map { $0.expectations.items.map(\.path) }
        let inherited = ["expect.counts  ntag.read", "expect.never  ntag.write"]
        #expect(paths == [inherited, inherited, ["expect.client.exit"]])
        #expect(scenario.cases[2].makeWorld().cards.map(\.isPresent) == [false])
        #expect(scenario.cases.map { $0.source?.line } == [10, 11, 12])
    }

    @Test func `takes its seed from the run or the file, or uses 1`() throws {
        let text = "cards: {tag: {ic: NTAG215}}"
        #expect(try load(text).seed == 1)
        #expect(try load(text + "\nsettings: {seed: 7}").seed == 7)
        #expect(try load(text + "\nsettings: {seed: 7}", seed: 9).seed == 9)
        let one = try load(text, seed: 3).cases[0].cards
        #expect(try load(text, seed: 3).cases[0].cards == one)
    }

    @Test func `limits its run`() throws {
        let limits = "{wall: 5s, exchanges: 100, idle: 1500ms, retries_per_command: 20}"
        let test = try load("cards: {}\nsettings: {limits: \(limits)}").cases[0]
        #expect(test.limits.wall == .seconds(5) && test.limits.exchanges == 100)
        #expect(test.limits.idle == .milliseconds(1_500) && test.limits.retriesPerCommand == 20)
        var diagnostics = Diagnostics()
        let again = ScenarioLoader.scenario(from: test.resolved, file: "again", into: &diagnostics)
        #expect(again?.cases[0].limits == test.limits)
    }

    @Test func `has a timeline with commands and times`() throws {
        let scenario = try load(
            """
            cards: {a: {ic: NTAG215}, b: {ic: NTAG215}}
            timeline:
              - {tap: a}
              - {when: ntag.read, remove: a}
              - {when: {command: ntag.write, nth: 2}, swap: {out: a, in: b, gap: 30ms}}
              - {after: 5ms, note: later}
              - {at: 1.5s, tap: b}
            """)
        let steps = scenario.cases[0].timeline.remaining
        #expect(
            steps.map(\.trigger) == [
                .immediately, .event(.command(.init("ntag.read")!)), .event(.command(.init("ntag.write")!, nth: 2)),
                .after(.milliseconds(5)), .at(.milliseconds(1_500)),
            ])
        #expect(
            steps.map(\.actions) == [
                [.tap("a")], [.remove("a")], [.swap(out: "a", in: "b", gap: .milliseconds(30))], [.note("later")],
                [.tap("b")],
            ])
        #expect(steps.map { $0.source?.line } == [4, 5, 6, 7, 8])
    }

    @Test func `states the reader as a model name or in full`() throws {
        let text = "cards: {tag: {ic: NTAG215}}\n"
        #expect(try load(text).cases[0].reader == nil)
        let short = try load(text + "reader: acr122u").cases[0]
        #expect(short.reader == ReaderSpec(.acr122u))
        let full = try load(text + "reader: {model: rc-s380, name: SONY FeliCa, over: pcsc}").cases[0]
        #expect(full.reader == ReaderSpec(.rcs380, name: "SONY FeliCa", transport: .pcsc))
        var diagnostics = Diagnostics()
        for test in [short, full] {
            let again = ScenarioLoader.scenario(from: test.resolved, file: "again", into: &diagnostics)
            #expect(again?.cases[0].reader == test.reader)
        }
    }

    @Test func `states a program with all its settings`() throws {
        let scenario = try load(
            """
            cards: {}
            client: {run: [./reader, "{nfcpy}", "a${b}"], env: {A_1: "x y"}, stdin: "in\\n", kill_after: 1.5s}
            """)
        guard case .program(let program)? = scenario.cases[0].client else { throw ExpectedProgram() }
        #expect(program.arguments == ["./reader", "{nfcpy}", "a${b}"])
        #expect(program.environment == [.init("A_1", "x y")])
        #expect(program.input == Array("in\n".utf8) && program.killAfter == .milliseconds(1_500))
        #expect(program.source == SourceReference(file: "a.yaml", line: 3))
        #expect(
            scenario.cases[0].client?.node == [
                "run": ["./reader", "{nfcpy}", "a${b}"], "env": ["A_1": "x y"], "stdin": "in\n",
                "kill_after": "1500ms",
            ])
    }

    private struct ExpectedProgram: Error {}

    @Test func `reports an error once, however many cases share it`() {
        let loaded = LoadedScenario(
            """
            format: 1
            cards: {tag: {ic: NTAG215, uid: "04"}}
            timeline: [{tap: tga}]
            cases: [{name: a}, {name: b}, {name: c}]
            """)
        #expect(loaded.diagnostics.errorCount == 2)
        #expect(loaded.scenario == nil)
    }

    @Test func `ignores custom keys and their contents`() throws {
        let scenario = try load(
            """
            params: {a: 1}
            x-note: "${params.nobody}"
            cards: {tag: {ic: NTAG215, x-owner: ["${params.nobody}", no]}, x-spare: 5}
            timeline: [{tap: tag, x-why: "${"}]
            expect: {x-later: {a: 0003}, result: {"/headers": {x-trace: "${params.a}"}}}
            cases: [{x-todo: "${params.nobody}"}]
            """)
        let test = try #require(scenario.cases.first)
        #expect(test.cards.map(\.name) == ["tag"])
        #expect(test.timeline.remaining.count == 1 && test.expectations.items.count == 1)
        // A client's output may contain such a key, so expectations keep it.
        #expect(test.resolved["expect"]?["result"]?["/headers"] == ["x-trace": 1])
    }

    @Test(arguments: [
        ("", [] as [String]), ("/", [""]), ("/a~1b/~0", ["a/b", "~"]), ("/~01", ["~1"]), ("a", nil),
    ])
    func `reads JSON pointers`(_ text: String, _ names: [String]?) {
        let pointer = JSONPointer(text)
        #expect((pointer == nil) == (names == nil))
        guard let names, let pointer else { return }
        var root: Node = 42
        for name in names.reversed() { root = .map([(key: name, value: root)]) }
        #expect(pointer.target(in: root) == .value(42))
    }
}

extension ClientSpec? {
    fileprivate static func ndef() -> ClientSpec? { .builtin(.ndef(password: nil)) }
    fileprivate static func dump() -> ClientSpec? { .builtin(.dump(password: nil)) }
}
