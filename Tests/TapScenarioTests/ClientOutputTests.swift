import ScenarioSupport
import TapDocument
import TapField
import TapScenario
import TapYAML
import Testing

struct `Program output` {
    @Test(arguments: [
        ("ready", "now ready", true), ("ready", "read y", false), ("read * trips", "I read 20 trips.", true),
        ("read * trips", "trips read", false), ("*a*b*", "a-b", true), ("aa*aa", "aaa", false), ("aa*aa", "aaaa", true),
        ("x", "", false), ("ü", "Tür", true),
    ])
    func `matches a pattern within a line`(_ pattern: String, _ line: String, _ isFound: Bool) throws {
        #expect(try #require(LinePattern(pattern)).isFound(in: line) == isFound)
    }

    @Test(arguments: ["", "*", "**", "a\nb", String(repeating: "a", count: 1_001)])
    func `cannot be matched by an empty or too long pattern`(_ pattern: String) {
        #expect(LinePattern(pattern) == nil)
    }

    @Test func `matches a pattern within one line, never across two`() throws {
        let pattern = try #require(LinePattern("a*b"))
        #expect(pattern.firstLine(in: "x\nacb\n") == "acb" && pattern.firstLine(in: "a\nb") == nil)
    }

    private static let results: [(ResultSpec.Place, String, String?, Node?)] = [
        (.standardOutputAsJSON, #"{"a":1}"#, nil, ["a": 1]),
        (.standardOutputAsJSON, "one\n", nil, nil), (.standardOutput, "{}\r\n\ntwo\n", nil, ["{}", "", "two"]),
        (.standardOutput, "", nil, []), (.file("x"), "{}", "[1]", [1]), (.file("x"), "{}", "a", ["a"]),
        (.file("x"), "{}", nil, nil),
    ]

    @Test(arguments: results)
    func `is converted to a result`(_ place: ResultSpec.Place, _ output: String, _ file: String?, _ result: Node?) {
        let spec = ResultSpec(place)
        #expect(spec.result(standardOutput: Array(output.utf8), file: file.map { Array($0.utf8) }) == result)
    }

    @Test func `is compared without ignored parts`() throws {
        let places = ["/time", "/trips/*/at", "/list/1", "/none/x"].compactMap(JSONPointer.init).map(
            ResultSpec.Ignored.value)
        let line = ResultSpec.Ignored.line(try #require(LinePattern("took * ms")))
        let spec = ResultSpec(ignoring: places + [line])
        let result: Node = ["time": 1, "trips": [["at": 2, "yen": 3], ["at": 4]], "list": [5, 6, 7]]
        let compared: Node = ["trips": [["yen": 3], [:]], "list": [5, 7]]
        #expect(spec.comparable(result, standardOutput: "") == compared)
        #expect(spec.comparable(nil, standardOutput: "20 trips\nit took 7 ms\n") == ["20 trips"])
    }

    @Test(arguments: [
        (0, "no card", false), (1, "no card", false), (2, "no card", true), (12, "error: no card!\n", true),
        (12, "no\ncard", false), (13, "no card", false),
    ])
    func `is recognized as a clear error`(_ code: Int32, _ text: String, _ isClear: Bool) throws {
        let exits = [IntegerRange(2, through: 2), IntegerRange(10, through: 12)]
        let spec = ClearErrorSpec(exits: exits, standardError: [try #require(LinePattern("no card"))])
        #expect(spec.isMet(exit: code, standardError: text) == isClear)
        #expect(ClearErrorSpec.default.isMet(exit: code, standardError: "") == (code != 0))
    }

    @Test(arguments: [
        (0, "x\ncard error 7\n", "", true), (1, "card error", "", true), (0, "", "card error", false),
        (0, "all is well", "", false),
    ])
    func `is recognized as a clear error on standard output with any exit code`(
        _ code: Int32, _ output: String, _ error: String, _ isClear: Bool
    ) throws {
        let spec = ClearErrorSpec(standardOutput: [try #require(LinePattern("card error"))])
        #expect(spec.isMet(exit: code, standardError: error, standardOutput: output) == isClear)
    }

    private static func line(_ text: String) -> LinePattern {
        guard let pattern = LinePattern(text) else { preconditionFailure("\(text) is a pattern") }
        return pattern
    }

    private static func value(_ text: String) -> ResultSpec.Ignored {
        guard let pointer = JSONPointer(text) else { preconditionFailure("\(text) is a pointer") }
        return .value(pointer)
    }

    private static let specs: [(String, ResultSpec, ClearErrorSpec)] = [
        ("", ResultSpec.default, ClearErrorSpec.default),
        ("result: stdout", ResultSpec(.standardOutput), .default),
        (
            "result: {ignore: [/a, b]}",
            ResultSpec(ignoring: [value("/a"), .line(line("b"))]), .default
        ),
        ("result: {file: a/b.json}", ResultSpec(.file("a/b.json")), .default),
        ("clear_error: 3", .default, ClearErrorSpec(exits: [IntegerRange(3, through: 3)])),
        (
            "clear_error: [2, 10..12]", .default,
            ClearErrorSpec(exits: [IntegerRange(2, through: 2), IntegerRange(10, through: 12)])
        ),
        ("clear_error: {stderr: no card}", .default, ClearErrorSpec(standardError: [line("no card")])),
        (
            "clear_error: {stdout: no card}", .default,
            ClearErrorSpec(exits: [IntegerRange(0, through: nil)], standardOutput: [line("no card")])
        ),
        (
            "clear_error: {exit: 0.., stderr: [a, b*c]}", .default,
            ClearErrorSpec(
                exits: [IntegerRange(0, through: nil)], standardError: [line("a"), line("b*c")])
        ),
    ]

    @Test(.enabled(if: YAMLReader.isAvailable), arguments: specs)
    func `has the same settings in the scenario and in the resolved case`(
        _ text: String, _ result: ResultSpec, _ clearError: ClearErrorSpec
    ) throws {
        let keys = text.isEmpty ? "" : ", \(text)"
        let loaded = LoadedScenario("format: 1\ncards: {}\nclient: {run: [./a], ready: \"a * b\"\(keys)}")
        let test = try #require(loaded.first, "\(loaded.diagnostics.text())")
        var diagnostics = Diagnostics()
        let again = ScenarioLoader.scenario(from: test.resolved, file: "again", into: &diagnostics)?.cases[0]
        for client in [test.client, again?.client] {
            guard case .program(let program)? = client else { throw ExpectedProgram() }
            #expect(program.result == result && program.clearError == clearError)
            #expect(program.ready == LinePattern("a * b"))
        }
    }

    private struct ExpectedProgram: Error {}
}
