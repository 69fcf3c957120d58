import ScenarioSupport
import TapDocument
import TapScenario
import TapYAML
import TestSupport
import Testing

/// No external input may trap the program.
@Suite struct `Corrupted documents` {
    static let yaml = [
        """
        format: 1
        title: a
        cards:
          suica: {idm: 0102030405060708, data: "00"}
          other:
            data: |
              00 11
        """,
        """
        format: 1
        params: {gap: 3ms}
        timeline:
        - {after: "${params.gap}", tap: a}
        - repeat: [{at: 1.5s, tap: "b"}]
        """,
        """
        format: 1
        faults: [{when: x, times: 1..3, do: {rf.delay: 90%}}]
        cases:
          - name: 'a b'
            skip: true
        """,
        """
        # a comment
        format: 1
        client: {run: [./a, "{x}"]}
        cards: {t: {services: {"090F": []}, issued: 2026-11-18}}
        """,
    ]

    static let json = [
        #"{"format": 1, "cards": {"a": {"idm": "01 02 03 04\u0020 05 06 07 08", "systems": ["0003", 1234]}}}"#,
        #"{"format": 1, "timeline": [{"tap": "a", "after": "1.5ms"}], "result": [null, true, -1.5e3, "\uD83D\uDE00"]}"#,
    ]

    /// Reads a document, fills in parameters, checks it and prints the diagnostics; decodes it if there are no errors.
    private func run(_ name: String, _ bytes: [UInt8]) {
        let document = SampleDocument(name, bytes)
        for diagnostic in document.diagnostics.found { #expect(!diagnostic.text().isEmpty, "seed \(TestSeed.value)") }
        #expect(document.map != nil || document.diagnostics.hasErrors, "seed \(TestSeed.value)")
        if let map = document.map { _ = DecodingFile(map) }
    }

    private typealias DecodingFile = `Decoding a checked document`.File

    @Test(.enabled(if: YAMLReader.isAvailable), arguments: 0..<8)
    func `in YAML do not trap`(_ part: Int) {
        var mutations = Mutations(seed: TestSeed.value, "yaml \(part)", of: Self.yaml)
        for _ in 0..<8_000 { run("a.yaml", mutations.next()) }
    }

    @Test(arguments: 0..<8)
    func `in JSON do not trap`(_ part: Int) {
        var mutations = Mutations(seed: TestSeed.value, "json \(part)", of: Self.json)
        for _ in 0..<8_000 { run("a.json", mutations.next()) }
    }

    /// Puts any text anywhere in the tree, without parsing.
    @Test func `with wrong values do not trap`() {
        var mutations = Mutations(
            seed: TestSeed.value, "values", of: ["0003", "1.5ms", "0..11", "2026-11-18", "${params.a}"])
        let shapes: [Shape] = [
            .text, .verbatim, .value, .name(), .hex(2), .hex(0...4), .code("a code", known: [3]), .integer(),
            .integer(0...9), .boolean, .duration, .timeAmount, .range(), .date, .word("a", "b"),
        ]
        for _ in 0..<1_000 {
            let bytes = mutations.next()
            let file = SourceFile(name: "a", bytes: bytes)
            let range = SourceRange(file, offset: 0, length: file.scalars.count)
            let text = String(decoding: bytes, as: UTF8.self)
            let forms: [Scalar.Form] = [.plain, .quoted, .literal]
            for node in forms.map({ Node.scalar(Scalar(text, form: $0, range: range)) }) {
                var diagnostics = Diagnostics()
                for shape in shapes { _ = shape.read(node, into: &diagnostics) }
                #expect(diagnostics.found.allSatisfy { !$0.text().isEmpty }, "seed \(TestSeed.value)")
            }
        }
    }
}
