import ScenarioSupport
import TapDocument
import TapScenario
import TestSupport
import Testing

@Suite struct `Checking a tree` {
    private func codes(_ node: Node, _ shape: Shape) -> [DiagnosticCode] {
        var diagnostics = Diagnostics()
        let value = shape.read(node, into: &diagnostics)
        #expect((value == nil) == diagnostics.hasErrors)
        return diagnostics.found.map(\.code)
    }

    private func plain(_ text: String) -> Node { .scalar(Scalar(text, form: .plain)) }

    @Test(arguments: VectorFile.lines("foreign-readings.txt"))
    func `warns about text that other YAML readers change`(_ line: String) {
        let noun = line.prefix(16).split(separator: "  ")[0]
        for text in line.dropFirst(16).split(separator: " ").map(String.init) {
            var diagnostics = Diagnostics()
            #expect(Shape.text.read(plain(text), into: &diagnostics) != nil)
            let expected = noun == "text" ? [] : ["other YAML readers read `\(text)` as \(noun)"]
            #expect(diagnostics.found.map(\.message) == expected)
        }
    }

    @Test func `warns only if the text is unquoted and matters`() {
        #expect(codes("no", .text).isEmpty && codes(.scalar(Scalar("no\n", form: .literal)), .text).isEmpty)
        #expect(codes(plain("0003"), .code("a code")) == [.readDifferently])
        #expect(codes(plain("12E4"), .hex(2)) == [.readDifferently])
        #expect(codes(plain("no"), .name()) == [.readDifferently])
        #expect(codes(3, .text).isEmpty && codes(true, .text).isEmpty)
        #expect(codes(plain("true"), .boolean).isEmpty && codes(plain("1.0s"), .duration).isEmpty)
        #expect(codes(plain("2026-11-18"), .date).isEmpty && codes(plain("1e3"), .value).isEmpty)
    }

    @Test func `treats JSON numbers and booleans as their text`() {
        #expect(codes(12, .hex(1)).isEmpty && codes(1234, .code("a code")).isEmpty)
        #expect(codes(12, .integer()).isEmpty && codes(true, .boolean).isEmpty && codes(5, .range()).isEmpty)
        #expect(codes(.number(1.5), .integer()) == [.notInteger])
    }

    @Test func `keeps free keys without checking them`() {
        let node: Node = ["format": 1, "x-a": .null, "cards": ["x-b": 3, "a": ["x-c": [1]]]]
        var diagnostics = Diagnostics()
        let map = SampleLanguage.file.read(node, into: &diagnostics)
        #expect(diagnostics.isEmpty)
        #expect(map?.entries.map(\.name) == ["format", "cards"])
        #expect(map?["cards"]?.named.map(\.name.text) == ["a"])
        #expect(map?.node["x-a"] == .null)
    }

    @Test func `selects the variant by its content`() {
        let shape = Shape.variants([.integer(), .list(of: .integer()), .map(SampleLanguage.loss)])
        #expect(codes(1, shape).isEmpty && codes([1, 2], shape).isEmpty && codes([:], shape).isEmpty)
        #expect(codes("x", shape) == [.notInteger] && codes(["x"], shape) == [.notInteger])
        #expect(codes(.null, shape) == [.nothingWritten])
    }

    @Test func `accepts anything if the shape is free`() {
        #expect(codes(.null, .free).isEmpty && codes(["a": [.null, "${x}"]], .free).isEmpty)
    }

    @Test func `reports all errors of a tree at once`() {
        let node: Node = [
            "title": [], "tags": [[], "${a}", .null], "cards": ["-": ["idm": "x"]], "timeline": [[:], 1], "y": 1,
        ]
        let expected: [DiagnosticCode] = [
            .wrongKind, .wrongKind, .misplacedReference, .nothingWritten, .notName, .notHex, .oneKeyOf, .wrongKind,
            .unknownKey, .missingKey,
        ]
        #expect(codes(node, .map(SampleLanguage.file)) == expected)
    }

    @Test func `does not report a misspelt key as missing`() {
        let swap = Shape.map(SampleLanguage.swap)
        #expect(codes(["out": "a", "im": "b"], swap) == [.unknownKey])
        #expect(codes(["out": "a", "qq": "b"], swap) == [.unknownKey, .missingKey])
    }

    @Test func `rejects keywords that are not supported yet`() {
        let action = KeyTable("an act", oneOf: [Key("a", .integer(), ""), Key("b", notYet: "wait for it")])
        #expect(codes(["b": 1], .map(action)) == [.notYet, .oneKeyOf])
        #expect(codes(["a": 1], .map(action)).isEmpty)
    }
}
