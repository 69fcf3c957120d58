import TapDocument
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Reading YAML` {
    private func read(_ text: String, limits: DocumentLimits = .scenario) -> (Node?, Diagnostics) {
        read(Array(text.utf8), limits: limits)
    }

    private func read(_ bytes: [UInt8], limits: DocumentLimits = .scenario) -> (Node?, Diagnostics) {
        var diagnostics = Diagnostics()
        let node = YAMLReader(limits: limits).read(SourceFile(name: "a.yaml", bytes: bytes), into: &diagnostics)
        return (node, diagnostics)
    }

    private func json(_ text: String) -> String? {
        let (node, diagnostics) = read(text)
        #expect(diagnostics.isEmpty)
        return node.map { JSONWriter.text($0) }
    }

    @Test(arguments: [
        "0003", "no", "on", "~", "null", "1e10", "0x1F", "1:30", "2026-11-18", "1_000", ".inf", "=", "a:b",
        "a#b", "-a", "?a", ":a", "a b  c", "日本語", "a'b\"c", "<<", "a%", "a & b", "a*",
    ])
    func `keeps plain scalars as written`(_ text: String) {
        let (node, diagnostics) = read("- \(text)")
        #expect(diagnostics.isEmpty)
        #expect(node?.items == [.scalar(Scalar(text, form: .plain))])
        #expect(node?[0]?.range?.text == text)
    }

    @Test(arguments: [
        ("a: 'it''s'", "{\"a\":\"it's\"}"), ("a: \"\\t\\x41\\u65E5\\U0001F600\\0\"", "{\"a\":\"\\tA日😀\\u0000\"}"),
        ("a: 'x\n  y\n\n  z'", "{\"a\":\"x y\\nz\"}"), ("a: x\n  y", "{\"a\":\"x y\"}"),
        ("a: \"x\\\n  y\"", "{\"a\":\"xy\"}"),
        ("a: |\n  x\n   y\n\nb: |-\n  z\n", "{\"a\":\"x\\n y\\n\",\"b\":\"z\"}"),
        ("a: |+\n  x\n\n", "{\"a\":\"x\\n\\n\"}"),
        ("- - a\n  - b\n- c: d\n  e: f", "[[\"a\",\"b\"],{\"c\":\"d\",\"e\":\"f\"}]"),
        ("{a: [b, {c: d}], e: }", "{\"a\":[\"b\",{\"c\":\"d\"}],\"e\":\"\"}"), ("[a: b]", "[{\"a\":\"b\"}]"),
        ("---\na: b\n...\n", "{\"a\":\"b\"}"), ("# c\na: b # d\n# e", "{\"a\":\"b\"}"),
        ("\u{FEFF}a: b", "{\"a\":\"b\"}"),
        ("a: b\r\nc: |\r\n  d\r\n", "{\"a\":\"b\",\"c\":\"d\\n\"}"), ("a: b\rc: d", "{\"a\":\"b\",\"c\":\"d\"}"),
        ("{\"a\": [1, true, null]}", "{\"a\":[\"1\",\"true\",\"null\"]}"), ("a:\t b", "{\"a\":\"b\"}"),
        ("'<<': a", "{\"<<\":\"a\"}"),
        ("\"a\"", "\"a\""), ("a", "\"a\""),
    ])
    func `builds the tree from the text`(_ text: String, _ expected: String) {
        #expect(json(text) == expected)
    }

    @Test(arguments: ["", " \n\n", "# only a comment\n", "---\n", "---\n...\n", "--- # c\n", "\u{FEFF}"])
    func `reports an empty file`(_ text: String) {
        let (node, diagnostics) = read(text)
        #expect(node == nil)
        #expect(diagnostics.found.map(\.code) == [.emptyFile])
    }

    @Test func `reports every unsupported feature, and reads nothing`() {
        let text = """
            a: &x {b: c}
            d: *x
            e: !!str 0
            f: !t [g]
            <<: {h: i}
            j: >-
              k
            ? [l]
            : m
            n: o
            n: p
            """
        let (node, diagnostics) = read(text)
        let found = diagnostics.sorted.map { "\($0.code.rawValue) \($0.place.range?.line ?? 0)" }
        #expect(found == ["S004 1", "S004 2", "S004 3", "S004 4", "S004 5", "S004 6", "S009 8", "S006 11"])
        // Further checks would report values that the file does not mean.
        #expect(node == nil)
    }

    @Test(arguments: [
        ("a: b\n---\nc: d", 2), ("a: b\n...\n---\nc: d", 3), ("%YAML 1.2\n---\na: b", 1), ("%TAG ! !a\n---\na: b", 1),
    ])
    func `rejects directives and documents after the first`(_ text: String, _ line: Int) {
        let (node, diagnostics) = read(text)
        #expect(node?["a"]?.text == "b")
        #expect(diagnostics.found.map(\.code) == [.yamlFeature])
        #expect(diagnostics.found.first?.place.range?.line == line)
    }

    @Test(arguments: [
        ("a: [b", 1, 6), ("a: {b: c", 1, 9), ("a: 'b", 1, 4), ("\n\na: \"b\nc", 3, 4), ("a: b\n c: d", 2, 3),
        ("a:\n\tb: c", 2, 1),
        ("a: `b", 1, 4), ("a: b\nc", 2, 1), ("[a]]", 1, 4), ("a: \"\\z\"", 1, 5), ("日本: 'x", 1, 5), ("a: \u{1}", 1, 4),
        ("é: [\u{7}", 1, 5),
    ])
    func `reports the position of syntax errors`(_ text: String, _ line: Int, _ column: Int) {
        let (node, diagnostics) = read(text)
        let place = diagnostics.found.first?.place.range
        #expect(node == nil)
        #expect(diagnostics.found.map(\.code) == [.notYAML])
        #expect([place?.line, place?.column] == [line, column])
    }

    @Test func `is limited in bytes, depth and values`() {
        let limits = DocumentLimits(maximumBytes: 40, maximumDepth: 3, maximumNodes: 5)
        let texts = [
            "a: \(String(repeating: "b", count: 40))", "[[[[a]]]]", "- - - - a", "? [[[a]]]\n: b", "[a, b, c, d, e]",
            "[[[a]]]",
            "[a, b, c, d]", "{a: b, c: d, e: f, g: h}",
        ]
        let codes = texts.map { read($0, limits: limits).1.found.map(\.code) }
        #expect(codes == Array(repeating: [.limitExceeded], count: 5) + [[], [], []])
    }

    @Test func `reads a file at the limits of scenario files and rejects larger ones`() {
        let limits = DocumentLimits.scenario
        let lines = String(repeating: "- a\n", count: limits.maximumNodes - 1)
        #expect(read(lines).1.isEmpty)
        #expect(read(lines + "- a\n").1.found.map(\.place.range?.line) == [limits.maximumNodes])
        let comment = "a: b #" + String(repeating: "x", count: limits.maximumBytes - 6)
        #expect(read(comment).1.isEmpty)
        #expect(read(comment + "x").1.found.map(\.code) == [.limitExceeded])
    }

    @Test(arguments: ["[", "{a: ", "- ", "? ", "[a: "])
    func `stops early on endlessly nested text`(_ piece: String) {
        let (node, diagnostics) = read(String(repeating: piece, count: 200_000))
        #expect(node == nil && diagnostics.hasErrors)
    }

    @Test func `rejects invalid UTF-8`() {
        let files: [[UInt8]] = [
            [0x61, 0x3A, 0x20, 0xFF], [0xFF, 0xFE, 0x61, 0], [0xFE, 0xFF, 0, 0x61], [0xED, 0xA0, 0x80],
        ]
        for bytes in files { #expect(read(bytes).1.found.map(\.code) == [.notUTF8]) }
    }
}

@Suite(.enabled(if: !YAMLReader.isAvailable)) struct `A build without YAML` {
    @Test func `explains this and what to do`() {
        var diagnostics = Diagnostics()
        let file = SourceFile(name: "a.yaml", text: "format: 1")
        #expect(YAMLReader().read(file, into: &diagnostics) == nil)
        let expected = """
            error[S008]: this build cannot read YAML
              a.yaml
              build it with the package trait YAML, or write the file as JSON
            """
        #expect(diagnostics.text() == expected)
    }
}
