import TapCards
import TapDocument
import TestSupport
import Testing

@Suite struct `JSON texts` {
    private func read(_ text: String, limits: DocumentLimits = .scenario) -> (Node?, Diagnostics) {
        var diagnostics = Diagnostics()
        let node = JSONReader(limits: limits).read(SourceFile(name: "a.json", text: text), into: &diagnostics)
        return (node, diagnostics)
    }

    @Test(arguments: [
        (" [ ] ", "[]"), ("{ }", "{}"), ("\"\"", "\"\""), ("-0", "-0"), ("1.50e+03", "1.50e+03"), ("0.0", "0.0"),
        ("[true ,false,null]", "[true,false,null]"), ("{\"a\":{\"b\":[{}]}}", "{\"a\":{\"b\":[{}]}}"),
        ("\"\\u0041\\/\\b\\f\\n\\r\\t\\\"\\\\\"", "\"A/\\u0008\\u000C\\n\\r\\t\\\"\\\\\""),
        ("\"\\uD83D\\uDE00\"", "\"😀\""), ("\"\\ud83d\\ude00\\u0000\"", "\"😀\\u0000\""),
        ("\"\u{7F}\u{2028}é\"", "\"\\u007F\\u2028é\""), ("\r\n\t1", "1"),
    ])
    func `are read and written`(_ text: String, _ written: String) {
        let (node, diagnostics) = read(text)
        #expect(diagnostics.isEmpty)
        #expect(node.map { JSONWriter.text($0) } == written)
    }

    @Test(arguments: [
        "[1,]", "[,1]", "[1 2]", "[", "]", "{", "}", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "{1:2}", "01", "-",
        "-a",
        "+1", ".5", "1.", "1.e3", "1e", "1e+", "0x1", "NaN", "Infinity", "nul", "truee", "\"", "\"a\nb\"", "\"\\x41\"",
        "\"\\u00G0\"", "\"\\u00", "\"\\uDC00\"", "\"\\uD800\"", "\"\\uD800\\n\"", "\"\\uD800\\uD800\"", "'a'", "1 1",
        "//",
        "[1]]", "\u{A0}1", "\"\t\"", "tru\u{65}\u{301}",
    ])
    func `are rejected with one error`(_ text: String) {
        let (node, diagnostics) = read(text)
        #expect(node == nil)
        #expect(diagnostics.found.map(\.code) == [.notJSON])
    }

    @Test func `keep the spelling of the source`() throws {
        let (node, _) = read("[\"1\", 1, true, null]")
        let forms = try #require(node).items.map { item -> Scalar.Form? in
            guard case .scalar(let scalar) = item else { return nil }
            return scalar.form
        }
        #expect(forms == [.quoted, .number, .boolean, .null])
    }

    @Test func `with a duplicate key keep the first value and report an error`() {
        let (node, diagnostics) = read("{\"a\": 1, \"b\": 2, \"a\": 3}")
        #expect(node == ["a": 1, "b": 2])
        #expect(diagnostics.found.map(\.code) == [.duplicateKey])
    }

    @Test func `are limited in bytes, depth and values`() {
        let limits = DocumentLimits(maximumBytes: 40, maximumDepth: 3, maximumNodes: 5)
        let texts = [
            String(repeating: " ", count: 40) + "1", "[[[[]]]]", "[1,2,3,4,5]", "[[[]]]", "[1,2,3,4]",
            "{\"a\":[1,2,3]}",
        ]
        let codes = texts.map { read($0, limits: limits).1.found.map(\.code) }
        #expect(codes == [[.limitExceeded], [.limitExceeded], [.limitExceeded], [], [], []])
    }

    @Test func `nest no deeper than the stack allows, whatever the limits are`() {
        let limits = DocumentLimits(maximumBytes: 1 << 20, maximumDepth: 1 << 19, maximumNodes: 1 << 19)
        let text = String(repeating: "[", count: 100_000)
        #expect(read(text, limits: limits).1.found.map(\.code) == [.limitExceeded])
    }

    @Test func `are laid out for human readers`() {
        let node: Node = ["a": [1, ["b": []]], "c": [:], "d": "x"]
        let expected = """
            {
              "a": [
                1,
                {
                  "b": []
                }
              ],
              "c": {},
              "d": "x"
            }
            """
        #expect(JSONWriter.text(node, .pretty) == expected)
    }

    @Test func `represent YAML scalars as strings`() {
        let forms: [Scalar.Form] = [.plain, .quoted, .literal]
        let node = Node.list(forms.map { .scalar(Scalar("0003", form: $0)) })
        #expect(JSONWriter.text(node) == "[\"0003\",\"0003\",\"0003\"]")
    }

    @Test(arguments: [JSONWriter.Layout.compact, .pretty])
    func `read back as the same random tree`(_ layout: JSONWriter.Layout) {
        var trees = RandomTrees(seed: TestSeed.value)
        for round in 0..<500 {
            let tree = trees.next(depth: 5)
            let text = JSONWriter.text(tree, layout)
            let (node, diagnostics) = read(text)
            #expect(diagnostics.isEmpty && node == tree, "seed \(TestSeed.value), round \(round): \(text)")
            #expect(node.map { JSONWriter.text($0, layout) } == text, "seed \(TestSeed.value), round \(round)")
        }
    }

    @Test(arguments: [JSONWriter.Layout.compact, .pretty])
    func `are the same whether written at once or in pieces`(_ layout: JSONWriter.Layout) {
        let long = String(repeating: "é", count: 70_000)
        let tree: Node = [
            "a": 1, "empty": [], "none": [:], "list": [1, ["b": [2]], .text(long)],
            "map": ["c": ["d": true], "e": .null],
        ]
        var pieces: [String] = []
        var stream = JSONWriter.Stream(layout) { pieces.append($0) }
        stream.add(1, "a")
        stream.beginList("empty")
        stream.end()
        stream.beginMap("none")
        stream.end()
        stream.beginList("list")
        stream.add(1)
        stream.beginMap()
        stream.add([2], "b")
        stream.end()
        stream.add(.text(long))
        #expect(pieces.count == 1, "long output is written before the end")
        stream.end()
        stream.beginMap("map")
        stream.add(["d": true], "c")
        stream.add(.null, "e")
        stream.end()
        stream.end()
        #expect(pieces.joined() == JSONWriter.text(tree, layout))
    }
}

/// Trees of every shape with texts that are hard to write.
private struct RandomTrees {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed).fork("random trees")
    }

    mutating func next(depth: Int) -> Node {
        switch random.next(below: depth > 0 ? 9 : 6) {
        case 0: return .null
        case 1: return .boolean(random.next(below: 2) == 0)
        case 2: return .number(Int64(bitPattern: random.next()))
        case 3: return .number(Double(bitPattern: random.next()))
        case 4, 5: return .text(text())
        case 6: return .list((0..<random.next(below: 4)).map { _ in next(depth: depth - 1) })
        default: return .map((0..<random.next(below: 4)).map { _ in (key: text(), value: next(depth: depth - 1)) })
        }
    }

    private mutating func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<random.next(below: 6) {
            let limit = [0x80, 0x30, 0x3000, 0x11_0000][random.next(below: 4)]
            if let scalar = Unicode.Scalar(UInt32(random.next(below: limit))) { text.append(scalar) }
        }
        return String(text)
    }
}
