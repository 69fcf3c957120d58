import ScenarioSupport
import TapDocument
import TapScenario
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Resolved scenarios` {
    static let cases = SectionCase.all("Scenarios/resolved.txt", alongside: #filePath)

    @Test(arguments: cases)
    func `show the origin of each value`(_ vector: SectionCase) throws {
        let loaded = LoadedScenario(`Scenarios of several files`.files(vector), parameters: [:])
        let scenario = try #require(loaded.scenario, "\(loaded.diagnostics.text())")
        let text = scenario.cases.map(\.resolvedText).joined(separator: "---\n")
        #expect(text.split(separator: "\n").joined(separator: "\n") == vector.output)
    }

    @Test func `load as the original case`() throws {
        for vector in Self.cases {
            for test in LoadedScenario(`Scenarios of several files`.files(vector)).scenario?.cases ?? [] {
                let again = LoadedScenario(test.resolvedText)
                #expect(again.diagnostics.isEmpty, "\(again.diagnostics.text())")
                #expect(again.first?.resolved == test.resolved)
            }
        }
    }

    @Test func `name the command line, a dump and the seed as origins`() throws {
        var files = StoredFiles([:])
        files.files["tag.bin"] = [7, 7, 7, 0x8F, 7, 7, 7, 7, 0] + Array(repeating: 7, count: 171)
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

    @Test func `show which card key a template's block comes from`() throws {
        let loaded = LoadedScenario(
            """
            format: 1
            cards:
              e:
                template: edy
                balance: 777
                trips: 2
                number: "1111222233334444"
              k:
                template: nanaco
                points: 12
                history:
                  - {kind: payment, amount: 10}
              w:
                template: waon
                balance: 12345
                points: 3
                history_blocks: 9
            """, name: "main.yaml")
        let text = try #require(loaded.first, "\(loaded.diagnostics.text())").resolvedText
        // The comment after a service's data or its first block; the first service of a number has the data.
        func origins(_ service: String) -> [String] {
            let lines = text.split(separator: "\n").drop { !$0.contains("\"\(service)\":") }
            let end = lines.dropFirst().firstIndex { $0.contains("\":") } ?? lines.endIndex
            return lines[..<end].compactMap { line in
                line.contains("data") || line.contains("- \"")
                    ? line.split(separator: "# ").dropFirst().last.map(String.init) : nil
            }
        }
        #expect(origins("1108") == ["main.yaml:7"])
        #expect(origins("1310") == ["main.yaml:5"])
        #expect(origins("170C") == ["main.yaml:6"])
        #expect(origins("5608").contains("main.yaml:10"))
        #expect(origins("564C") == ["main.yaml:12"])
        #expect(origins("6810") == ["main.yaml:15"])
        #expect(origins("6848") == ["main.yaml:16"])
        #expect(origins("5588") == ["template nanaco"])
        #expect(text.contains(/blocks: 9 +# main.yaml:17/))
    }

    private func option(_ text: String) -> Node {
        let file = SourceFile(name: "--param", text: text)
        return .scalar(Scalar("NTAG213", range: SourceRange(file, offset: 3, length: 7)))
    }
}
