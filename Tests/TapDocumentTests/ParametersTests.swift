import ScenarioSupport
import TapDocument
import TapYAML
import Testing

@Suite struct `Scenario parameters` {
    private func filled(_ node: Node, _ maps: Node...) -> (Node, [Diagnostic]) {
        var parameters = Parameters()
        for case .map(let map) in maps { parameters.define(map) }
        var diagnostics = Diagnostics()
        return (parameters.fill(node, into: &diagnostics), diagnostics.found)
    }

    @Test func `replace only whole values, everywhere`() {
        let node: Node = [
            "a": "${params.x}", "b": ["${params.y}", "-${params.x}", "${params.x} "], "${params.x}": "x",
        ]
        let (result, found) = filled(node, ["x": "X", "y": 3])
        #expect(result == ["a": "X", "b": [3, "-${params.x}", "${params.x} "], "${params.x}": "x"])
        #expect(found.isEmpty)
    }

    @Test func `of a case override those of the file`() {
        let (result, _) = filled(["${params.x}", "${params.y}"], ["x": 1, "y": 2], ["x": 3])
        #expect(result == [3, 2])
    }

    @Test func `keep the form in which they were defined`() {
        let (result, _) = filled(
            ["${params.x}"], .map(NodeMap([.init(Scalar("x"), .scalar(Scalar("0003", form: .plain)))])))
        var diagnostics = Diagnostics()
        #expect(Shape.list(of: .code("a code")).read(result, into: &diagnostics)?.items.map(\.code) == [3])
        #expect(diagnostics.found.map(\.code) == [.readDifferently])
    }

    @Test(arguments: [
        "${params.}", "${params.a b}", "${param.a}", "${params.a", "$params.a", "${params.-a}", "${PARAMS.a}",
    ])
    func `follow the rules for names`(_ text: String) {
        let (result, found) = filled(.text(text), ["a": 1])
        #expect(result == .text(text) && found.isEmpty)
    }

    @Test func `are reported once if unknown, with a list of the known ones`() {
        let (result, found) = filled("${params.colour}", ["color": 1, "b": 2])
        #expect(found.map(\.code) == [.unknownParameter])
        #expect(found.map(\.hint) == ["did you mean `color`? defined parameters: color, b"])
        var diagnostics = Diagnostics()
        found.forEach { diagnostics.report($0) }
        #expect(Shape.hex(4).read(result, into: &diagnostics) == nil)
        #expect(Shape.list(of: .text).read(result, into: &diagnostics) == nil)
        #expect(Shape.verbatim.read(result, into: &diagnostics) == nil)
        #expect(diagnostics.found == found)
    }

    @Test func `may be lists and maps, which also replace a whole value`() {
        var diagnostics = Diagnostics()
        let defined: Node = ["a": [1, ["b": "c"]], "d": ["e": 2]]
        #expect(Parameters.shape.read(defined, into: &diagnostics) != nil)
        let (result, found) = filled(["x": "${params.a}", "y": ["${params.d}"]], defined)
        #expect(result == ["x": [1, ["b": "c"]], "y": [["e": 2]]])
        #expect(found.isEmpty)
    }

    @Test func `cannot refer to each other at any depth`() {
        let (_, found) = filled("${params.a}", ["a": [["b": "${params.c}"]], "c": 1])
        #expect(found.map(\.code) == [.misplacedReference])
    }

    @Test(.enabled(if: YAMLReader.isAvailable))
    func `show use and definition in an error`() throws {
        let document = SampleDocument(
            "a.yaml", "format: 1\nparams: {late: abc}\ncases: [{name: x, skip: \"${params.late}\"}]")
        let diagnostic = try #require(document.diagnostics.found.first)
        #expect(diagnostic.place.range?.text == "\"${params.late}\"")
        #expect(diagnostic.related.map(\.range.text) == ["abc"])
        #expect(diagnostic.related.map(\.message) == ["`params.late` is defined here"])
    }
}
