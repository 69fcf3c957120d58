import ScenarioSupport
import TapCards
import TapDocument
import TapField
import TapReaders
import TapScenario
import TapWire
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Scenarios of several files` {
    static let cases = SectionCase.all("Scenarios/files.txt")

    static func files(_ vector: SectionCase) -> [(name: String, text: String)] {
        var files = [(name: vector.name, text: "")]
        for line in String(decoding: vector.input, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("--- ") {
                files.append((String(line.dropFirst(4)), ""))
            } else {
                files[files.count - 1].text += line + "\n"
            }
        }
        return files
    }

    @Test(arguments: cases)
    func `that do not load match the expected diagnostics`(_ vector: SectionCase) {
        let loaded = LoadedScenario(Self.files(vector))
        #expect(loaded.diagnostics.text() == vector.output)
        #expect(loaded.scenario == nil)
    }

    @Test(arguments: [
        DiagnosticCode.fileUnreadable, .fileOutside, .fileCycle, .unusedParameter, .nameTaken, .limitExceeded,
    ])
    func `produce the codes for several files`(_ code: DiagnosticCode) {
        #expect(Self.cases.contains { $0.output.contains("[\(code.rawValue)]: ") })
    }

    private func load(_ files: (name: String, text: String)..., parameters: Node = [:]) throws -> Scenario {
        let loaded = LoadedScenario(
            files.map { ($0.name, $0.name.hasSuffix(".json") ? $0.text : "format: 1\n" + $0.text) },
            parameters: parameters)
        #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics.text())")
        return try #require(loaded.scenario)
    }

    @Test func `add included cards after the file's cards, with default parameters unless set`() throws {
        let scenario = try load(
            (
                "main.yaml",
                "include: [lib/tags.json, lib/more.yaml]\nparams: {ic: NTAG216}\ncards: {own: {ic: NTAG213}}"
            ),
            ("lib/tags.json", "{\"format\": 1, \"scenario\": \"x\", \"params\": {\"ic\": \"NTAG213\"}}"),
            ("lib/more.yaml", "include: ../lib/deep.yaml\nclient: {builtin: dump}\ncards: {b: {ic: NTAG213}}"),
            ("lib/deep.yaml", "params: {ic: NTAG213, uid: \"04\"}\ncards: {a: {ic: \"${params.ic}\"}}"))
        let test = try #require(scenario.cases.first)
        #expect(test.cards.map(\.name) == ["own", "b", "a"])
        #expect(test.cards.map(\.definition.icName) == ["NTAG213", "NTAG213", "NTAG216"])
        #expect(test.client == nil && scenario.name == "main")
    }

    @Test func `include a file only once`() throws {
        let scenario = try load(
            ("main.yaml", "include: [a.yaml, b.yaml]"), ("a.yaml", "include: tag.yaml"),
            ("b.yaml", "include: tag.yaml"), ("tag.yaml", "cards: {tag: {ic: NTAG215}}"))
        #expect(scenario.cases[0].cards.map(\.name) == ["tag"])
    }

    @Test func `inherit everything from a parent except expectations and cases`() throws {
        let scenario = try load(
            ("main.yaml", "extends: base.yaml\ncases: [{name: x}, {params: {ic: NTAG216}}]"),
            (
                "base.yaml",
                """
                scenario: base
                title: base
                tags: [base]
                params: {ic: NTAG213}
                settings: {seed: 7, limits: {wall: 5s}}
                cards: {tag: {ic: "${params.ic}"}}
                reader: acr122u
                client: {builtin: ndef}
                timeline: [{tap: tag}]
                expect: {never: [ntag.write]}
                cases: [{name: theirs}]
                """
            ))
        #expect(scenario.cases.map(\.name) == ["x", nil] && scenario.name == "main" && scenario.title == nil)
        #expect(scenario.cases.map(\.cards[0].definition.icName) == ["NTAG213", "NTAG216"])
        let test = scenario.cases[0]
        #expect(test.tags.isEmpty && test.expectations.items.isEmpty && test.reader == ReaderSpec(.acr122u))
        #expect(test.seed == 7 && test.limits.wall == .seconds(5) && !test.tapsAllAtStart)
        #expect(test.client == .builtin(.ndef(password: nil)))
        #expect(test.timeline.remaining.map { $0.source?.description } == ["base.yaml:10"])
    }

    @Test func `merge maps, replace lists, and replace alternatives`() throws {
        let scenario = try load(
            ("main.yaml", "extends: middle.yaml\nclient: {run: [./b]}\nsettings: {limits: {exchanges: 9}}"),
            (
                "middle.yaml",
                "extends: base.yaml\ncards: {tag: {pages: {4: \"00000001\"}, ndef: [{uri: b}]}, last: {ic: NTAG213}}"
            ),
            (
                "base.yaml",
                """
                settings: {limits: {wall: 5s, exchanges: 7}}
                cards:
                  tag: {ic: NTAG216, ndef: [{uri: a}, {uri: c}], pages: {5: "00 00 00 02"}}
                client: {builtin: {ndef: {password: "00 00 00 00"}}}
                """
            ))
        let test = scenario.cases[0]
        #expect(test.limits.wall == .seconds(5) && test.limits.exchanges == 9)
        #expect(test.cards.map(\.name) == ["tag", "last"])
        guard case .program(let client)? = test.client else { throw ExpectedProgram() }
        #expect(client.arguments == ["./b"] && client.environment.isEmpty)
        guard case .ntag(let tag) = test.cards[0].definition else { throw ExpectedProgram() }
        #expect(tag.definition[page: 4].bytes == [0, 0, 0, 1] && tag.definition[page: 5].bytes == [0, 0, 0, 2])
        #expect(tag.definition.product == .ntag216)
    }

    private struct ExpectedProgram: Error {}

    @Test func `prefer parameters from the caller`() throws {
        let scenario = try load(
            (
                "main.yaml",
                "params: {ic: NTAG213, count: 1}\ncards: {tag: {ic: \"${params.ic}\", uid: \"${params.uid}\"}}\n"
                    + "expect: {counts: {ntag.read: \"${params.count}\"}}\ncases: [{}, {params: {ic: NTAG215}}]"
            ), parameters: ["ic": "NTAG216", "uid": "04A1B2C3D4E580"])
        #expect(scenario.cases.map(\.cards[0].definition.icName) == ["NTAG216", "NTAG216"])
        #expect(scenario.parameterNames == ["ic", "count", "uid"])
    }

    @Test func `must be one document if other files are not accessible`() {
        var diagnostics = Diagnostics()
        let node: Node = ["format": 1, "include": "cards.yaml"]
        #expect(ScenarioLoader.scenario(from: node, file: "a.json", into: &diagnostics) == nil)
        #expect(diagnostics.found.map(\.code) == [.noFiles])
        #expect(diagnostics.text().contains("tapsim check --resolved --json"))
    }

    @Test func `are limited in number and in total size`() {
        let many = (0...64).map { ("\($0).yaml", "format: 1\n") }
        let main = "format: 1\ninclude: [\(many.map(\.0).joined(separator: ", "))]"
        #expect(LoadedScenario([("main.yaml", main)] + many).diagnostics.found.map(\.code) == [.wrongCount])
        let values = (0..<5_000).map { "a\($0): 1" }.joined(separator: ", ")
        let large = LoadedScenario([
            ("main.yaml", "format: 1\ninclude: [b.yaml]\nparams: {\(values)}"),
            ("b.yaml", "format: 1\nparams: {\(values.replacing("a", with: "b"))}"),
        ])
        #expect(large.diagnostics.found.map(\.code) == [.limitExceeded])
        let fills = (0..<300).map { _ in "\"${params.l}\"" }.joined(separator: ", ")
        let filled = LoadedScenario(
            "format: 1\ncards: {}\nparams: {l: [\(Array(repeating: "1", count: 99).joined(separator: ", "))]}\n"
                + "tags: [\(fills)]")
        #expect(filled.diagnostics.found.map(\.code) == [.limitExceeded])
    }

    @Test func `are limited in the total size of their cases`() {
        func file(_ cases: Int) -> LoadedScenario {
            let faults = (1...500).map { "{when: {command: ntag.read, nth: \($0)}, do: rf.silence}" }
            return LoadedScenario(
                "format: 1\ncards: {tag: {ic: NTAG213}}\nparams: {f: [\(faults.joined(separator: ", "))]}\n"
                    + "faults: \"${params.f}\"\ncases: [\(Array(repeating: "{}", count: cases).joined(separator: ", "))]"
            )
        }
        #expect(file(20).scenario?.cases.count == 20)
        let large = file(500)
        #expect(large.diagnostics.found.map(\.code) == [.limitExceeded])
        #expect(large.diagnostics.text().contains("split the file"))
    }
}
