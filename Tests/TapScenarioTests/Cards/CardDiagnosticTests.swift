import ScenarioSupport
import TapDocument
import TapScenario
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Diagnostics of cards` {
    static let files = ["felica.txt", "lite.txt", "ntag.txt", "templates.txt"]
    static let cases = files.flatMap { SectionCase.all("Cards/\($0)") }

    @Test(arguments: cases)
    func `match the vectors character for character`(_ vector: SectionCase) {
        #expect(CardDocument(vector.name, vector.input).diagnostics.text() == vector.output)
    }

    @Test(arguments: [DiagnosticCode.impossibleCard, .misplacedKey, .contradiction])
    func `produce every code for cards`(_ code: DiagnosticCode) {
        #expect(Self.cases.contains { $0.output.contains("[\(code.rawValue)]: ") })
    }
}
