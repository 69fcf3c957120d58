import ScenarioSupport
import TapDocument
import TapScenario
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Documents that are not scenarios` {
    static let cases = SectionCase.all("Scenarios/errors.txt")

    @Test(arguments: cases)
    func `match the expected diagnostics character for character`(_ vector: SectionCase) {
        let loaded = LoadedScenario(String(decoding: vector.input, as: UTF8.self), name: vector.name)
        #expect(loaded.diagnostics.text() == vector.output)
        #expect(loaded.scenario == nil)
    }

    @Test(arguments: [DiagnosticCode.wrongFormat, .unknownName, .nameTaken])
    func `produce the codes of the language`(_ code: DiagnosticCode) {
        #expect(Self.cases.contains { $0.output.contains("[\(code.rawValue)]: ") })
    }
}
