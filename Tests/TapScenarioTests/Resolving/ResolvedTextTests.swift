import TapScenario
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Scenarios that are written out` {
    static let cases = SectionCase.all("Scenarios/resolved.txt", beside: #filePath)

    @Test(arguments: cases)
    func `say where each value comes from`(_ vector: SectionCase) throws {
        let loaded = LoadedScenario(`Scenarios of several files`.files(vector), parameters: [:])
        let scenario = try #require(loaded.scenario, "\(loaded.diagnostics.text())")
        let text = scenario.cases.map(\.resolvedText).joined(separator: "---\n")
        #expect(text.split(separator: "\n").joined(separator: "\n") == vector.output)
    }

    @Test func `are loaded as the case they were written from`() throws {
        for vector in Self.cases {
            for test in LoadedScenario(`Scenarios of several files`.files(vector)).scenario?.cases ?? [] {
                let again = LoadedScenario(test.resolvedText)
                #expect(again.diagnostics.isEmpty, "\(again.diagnostics.text())")
                #expect(again.first?.resolved == test.resolved)
            }
        }
    }

    @Test func `tell of the command line, a dump and the seed`() throws {
        var files = StoredFiles([:])
        files.files["tag.bin"] = Array(repeating: 7, count: 180)
        let loaded = LoadedScenario(
            "format: 1\ncards: {a: {ic: \"${params.ic}\"}, b: {image: tag.bin}}", name: "main.yaml", seed: 9,
            files: files, parameters: .map(NodeMap([.init(Scalar("ic"), option("ic=NTAG213"))])))
        let text = try #require(loaded.first, "\(loaded.diagnostics.text())").resolvedText
        let comments = text.split(separator: "\n").compactMap { line in
            line.split(separator: "# ").last.map { "\(line.split(separator: ":")[0])|\($0)" }
        }
        #expect(comments.contains("  seed|--seed"))
        #expect(comments.contains("    ic|params.ic, --param"))
        #expect(comments.contains("    uid|seed 9"))
        #expect(comments.contains("    uid|main.yaml:2"))
    }

    private func option(_ text: String) -> Node {
        let file = SourceFile(name: "--param", text: text)
        return .scalar(Scalar("NTAG213", range: SourceRange(file, offset: 3, length: 7)))
    }
}
