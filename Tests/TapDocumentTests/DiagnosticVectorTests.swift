import ScenarioSupport
import TapDocument
import TapYAML
import Testing

@Suite struct `Diagnostics of small files` {
    /// The document codes of any language, except the one for builds without YAML.
    static let codes = DiagnosticCode.allCases.filter { $0 != .noYAML && $0.rawValue < "S050" }

    static let cases = codes.flatMap { cases(of: $0) }.filter { YAMLReader.isAvailable || $0.name.hasSuffix(".json") }

    static func cases(of code: DiagnosticCode) -> [SectionCase] {
        SectionCase.all("Diagnostics/\(code.rawValue).txt")
    }

    @Test(arguments: cases)
    func `match the vectors character for character`(_ vector: SectionCase) {
        #expect(SampleDocument(vector.name, vector.input).diagnostics.text() == vector.output)
    }

    @Test(arguments: codes)
    func `produce every code`(_ code: DiagnosticCode) {
        #expect(Self.cases(of: code).contains { $0.output.contains("[\(code.rawValue)]: ") })
    }

    @Test(arguments: DiagnosticCode.allCases)
    func `have a title and two sentences for every code`(_ code: DiagnosticCode) {
        #expect(!code.title.isEmpty && !code.title.hasSuffix("."))
        #expect(code.explanation.hasSuffix("."))
        #expect(code.explanation.split(separator: ". ").count == 2)
        #expect(DiagnosticCode(rawValue: code.rawValue) == code)
    }

    @Test func `are sorted by file, line and column, without duplicates`() {
        var diagnostics = Diagnostics()
        let a = SourceFile(name: "a", text: "one\ntwo")
        let b = SourceFile(name: "b", text: "one")
        let places: [Diagnostic.Place] = [
            .range(SourceRange(b, offset: 0, length: 1)), .range(SourceRange(a, offset: 5, length: 1)),
            .range(SourceRange(a, offset: 1, length: 1)), .file(a), .nowhere,
        ]
        for place in places + places { diagnostics.report(Diagnostic(.unknownKey, "x", at: place)) }
        #expect(diagnostics.sorted.map(\.place) == [places[4], places[3], places[2], places[1], places[0]])
        #expect(diagnostics.errorCount == 5 && diagnostics.hasErrors && !diagnostics.isEmpty)
    }
}
