import ScenarioSupport
import TapDocument
import TapScenario
import TapWire
import TapYAML
import Testing

/// The output of `tapsim check --resolved --json` as an app loads it: JSON, without other files.
@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Resolved cases for programs` {
    private static let dump = "0404048C 04040404 00" + String(repeating: "04", count: 531)
    private static let files = [
        (
            "main file.yaml",
            """
            format: 1
            include: cards.yaml
            phone: {info_plist: app/Info.plist}
            params: {balance: 500}
            cases:
              - {name: first, params: {balance: 700}}
              - {name: second, faults: [{when: felica.read, do: rf.silence}], expect: {phone: {sessions: 1}}}
            """
        ),
        (
            "cards.yaml",
            """
            format: 1
            cards:
              suica: {template: suica, balance: "${params.balance}"}
              tag: {image: tag.bin}
            """
        ),
        ("tag.bin", dump),
        (
            "app/Info.plist",
            "<plist><dict><key>NFCReaderUsageDescription</key><string>x</string></dict></plist>"
        ),
    ]

    private func written() throws -> [ScenarioCase] {
        let loaded = LoadedScenario(Self.files.map { (name: $0.0, text: $0.1) })
        #expect(!loaded.diagnostics.hasErrors, "\(loaded.diagnostics.text())")
        return try #require(loaded.scenario).cases
    }

    private func load(_ node: Node) -> (scenario: Scenario?, diagnostics: Diagnostics) {
        var diagnostics = Diagnostics()
        let file = SourceFile(name: "app.json", text: JSONWriter.text(node, .pretty))
        return (ScenarioLoader(reader: JSONReader()).load(file, into: &diagnostics), diagnostics)
    }

    @Test func `load as one document, without YAML and without the files they name`() throws {
        let cases = try written()
        let (scenario, diagnostics) = load(.list(cases.map(\.resolved)))
        #expect(diagnostics.isEmpty, "\(diagnostics.text())")
        let copies = try #require(scenario).cases
        #expect(copies.map(\.number) == [1, 2] && copies.map(\.name) == ["first", "second"])
        #expect(copies.map(\.cards) == cases.map(\.cards))
        #expect(copies.map(\.phone?.systemCodes) == [[], []] && copies.map(\.phone?.usage) == ["x", "x"])
        #expect(copies.map(\.resolved) == cases.map(\.resolved))
        #expect(scenario?.name == "main_file")
    }

    @Test func `load individually, with or without a list around them`() throws {
        let only = try #require(try written().first)
        for node in [only.resolved, .list([only.resolved])] {
            let (scenario, diagnostics) = load(node)
            #expect(diagnostics.isEmpty, "\(diagnostics.text())")
            #expect(scenario?.cases.map(\.resolved) == [only.resolved])
        }
    }

    static let broken: [(node: Node, code: DiagnosticCode)] = [
        ([["format": 1, "cards": ["tag": ["ic": "NTAG215"]]], 5], DiagnosticCode.wrongKind),
        ([["format": 1, "cards": ["tag": ["ic": "NTAG215"]]], ["cards": [:]]], .wrongFormat),
        ([["format": 1, "cards": [:], "nmae": 1]], .unknownKey), ([], .wrongKind), ([1], .wrongKind),
        (.list(Array(repeating: ["format": 1, "cards": ["tag": ["ic": "NTAG215"]]], count: 501)), .wrongCount),
    ]

    @Test(arguments: broken)
    func `are rejected as a whole if one is wrong`(_ node: Node, _ code: DiagnosticCode) {
        let (scenario, diagnostics) = load(node)
        #expect(scenario == nil)
        #expect(diagnostics.found.map(\.code).contains(code), "\(diagnostics.text())")
    }
}
