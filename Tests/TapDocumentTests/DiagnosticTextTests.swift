import ScenarioSupport
import TapDocument
import TapYAML
import Testing

@Suite struct `Diagnostic texts` {
    /// A diagnostic at the first occurrence of `marked`.
    private func text(
        _ source: String, marked: String, hint: String = "", colour: Bool = false, code: DiagnosticCode = .unknownKey
    ) throws -> String {
        let file = SourceFile(name: "a.yaml", text: source)
        let start = try #require(source.firstRange(of: marked)).lowerBound
        let offset = source[..<start].unicodeScalars.count
        let range = SourceRange(file, offset: offset, length: marked.unicodeScalars.count)
        return Diagnostic(code, "message", at: .range(range), hint: hint).text(colour: colour)
    }

    @Test(.enabled(if: YAMLReader.isAvailable))
    func `match the example of the format`() {
        let testCase = KeyTable(
            "a case",
            [
                Key("name", .text, "", isRequired: true), Key("params", .free, ""), Key("faults", .free, ""),
                Key("timeline", .free, ""), Key("expect", .free, ""), Key("skip", .free, ""),
            ])
        let file = KeyTable(
            "a scenario",
            [
                Key("format", .integer(1...1), ""), Key("scenario", .text, ""), Key("extends", .text, ""),
                Key("cases", .list(of: .map(testCase)), ""),
            ])
        let source = """
            # Faults: correct, or a clear error; never 12 trips and exit 0
            format: 1
            scenario: suica-history-faults
            extends: suica-history.yaml
            cases:
              - nmae: tag lost between the two reads
                faults: []
            """
        let document = SampleDocument("Scenarios/felica/suica-history-faults.yaml", source, language: file)
        let expected = """
            error[S012]: unknown key `nmae`
              Scenarios/felica/suica-history-faults.yaml:6:5
            6 |   - nmae: tag lost between the two reads
              |     ^^^^ did you mean `name`? a case has name, params, faults, timeline, expect, skip
            """
        #expect(document.diagnostics.text() == expected)
    }

    @Test func `show tabs as spaces with the caret aligned`() throws {
        let expected = """
            error[S012]: message
              a.yaml:1:4
            1 |     a    bc    d
              |          ^^^^^^
            """
        #expect(try text("\ta\tbc\td", marked: "bc\t") == expected)
    }

    @Test func `count two columns for wide characters and none for combining marks`() throws {
        let expected = """
            error[S012]: message
              a.yaml:1:9
            1 | 日本 e\u{301}e\u{301} カード x
              |         ^^^^^^ hint
            """
        #expect(try text("日本 e\u{301}e\u{301} カード x", marked: "カード", hint: "hint") == expected)
    }

    @Test func `replace terminal control and bidirectional characters`() throws {
        let expected = """
            error[S012]: message
              a.yaml:1:5
            1 | a�[31mb�c
              |     ^
            """
        #expect(try text("a\u{1B}[31mb\u{202E}c", marked: "1") == expected)
    }

    @Test func `shorten a long line`() throws {
        let source = String(repeating: "a", count: 500) + "X" + String(repeating: "b", count: 500)
        let expected = """
            error[S012]: message
              a.yaml:1:501
            1 | …\(String(repeating: "a", count: 60))X\(String(repeating: "b", count: 99))…
              | \(String(repeating: " ", count: 61))^
            """
        #expect(try text(source, marked: "X") == expected)
        let end = try text(source + "Y", marked: "Y").split(separator: "\n")
        #expect(end[2] == "1 | …\(String(repeating: "b", count: 159))Y")
        #expect(end[3].count == 4 + 160 + 1)
    }

    @Test func `underline only the first line of a multiline range`() throws {
        let expected = """
            error[S012]: message
              a.yaml:2:3
            2 | - a: b
              |   ^^^^
            """
        #expect(try text("x:\n- a: b\n  c: d", marked: "a: b\n  c: d") == expected)
    }

    @Test func `point after the end of a line if a value is missing`() throws {
        let file = SourceFile(name: "a.yaml", text: "a:\n\nb: c\n")
        let places = [2, 3, 9].map { SourceRange(file, offset: $0, length: 0) }
        let texts = places.map { Diagnostic(.nothingWritten, "m", at: .range($0), hint: "h").text() }
        #expect(texts[0] == "error[S015]: m\n  a.yaml:1:3\n1 | a:\n  |   ^ h")
        #expect(texts[1] == "error[S015]: m\n  a.yaml:2:1\n2 |\n  | ^ h")
        #expect(texts[2] == "error[S015]: m\n  a.yaml:4:1\n4 |\n  | ^ h")
    }

    @Test func `align line numbers of different lengths`() {
        let file = SourceFile(name: "a.yaml", text: (1...12).map { "line \($0)" }.joined(separator: "\n"))
        let last = SourceRange(file, offset: file.scalars.count - 2, length: 2)
        let first = Diagnostic.Related("first", at: SourceRange(file, offset: 0, length: 4))
        let diagnostic = Diagnostic(.duplicateKey, "m", at: .range(last), hint: "h", related: [first])
        let expected = """
            error[S006]: m
              a.yaml:12:6
            12 | line 12
               |      ^^ h
              a.yaml:1:1
             1 | line 1
               | ^^^^ first
            """
        #expect(diagnostic.text() == expected)
    }

    @Test func `omit the source line if there is none`() {
        let file = SourceFile(name: "a.yaml", text: "")
        #expect(Diagnostic(.emptyFile, "m", at: .file(file), hint: "h").text() == "error[S007]: m\n  a.yaml\n  h")
        #expect(Diagnostic(.missingKey, "m", at: .nowhere).text() == "error[S011]: m")
    }

    @Test func `shorten long quotations`() {
        let diagnostic = Diagnostic(.unknownWord, String(repeating: "日", count: 3_000), at: .nowhere, hint: "h")
        #expect(diagnostic.message.count == Diagnostic.maximumTextLength + 1 && diagnostic.message.hasSuffix("…"))
    }

    @Test func `use colour only on request`() throws {
        let expected = """
            \u{1B}[1;33mwarning[S032]\u{1B}[0m\u{1B}[1m: message\u{1B}[0m
              \u{1B}[34ma.yaml:1:4\u{1B}[0m
            \u{1B}[34m1 |\u{1B}[0m a: no
            \u{1B}[34m  |\u{1B}[0m    \u{1B}[1;33m^^ h\u{1B}[0m
            """
        let plain = try text("a: no", marked: "no", hint: "h", code: .readDifferently)
        #expect(try text("a: no", marked: "no", hint: "h", colour: true, code: .readDifferently) == expected)
        #expect(!plain.contains("\u{1B}"))
    }

    @Test func `have a machine-readable form`() {
        let document = SampleDocument("a.json", "{\"format\": 1,\n \"format\": 1}")
        let expected = """
            [{"code":"S006","severity":"error","message":"duplicate key `format`","hint":"remove one of the two",\
            "file":"a.json","line":2,"column":2,"length":8,\
            "related":[{"message":"the first one is here","file":"a.json","line":1,"column":2,"length":8}]}]
            """
        #expect(JSONWriter.text(document.diagnostics.node) == expected)
        let whole = Diagnostic(.emptyFile, "m", at: .file(SourceFile(name: "a", text: "")))
        #expect(whole.node == ["code": "S007", "severity": "error", "message": "m", "file": "a"])
    }

    @Test func `contain only TapSim's colour codes on a terminal`() {
        let text = TerminalStyle(isOn: true).bold("a\u{1B}[8mb\u{1B}[1mc\u{202E}") + "\td\n\u{1B}]0;e\u{7}"
        let visible = "\u{1B}[1ma\u{FFFD}[8mb\u{1B}[1mc\u{FFFD}\u{1B}[0m\td\n\u{FFFD}]0;e\u{FFFD}"
        #expect(TerminalStyle(isOn: true).visible(text) == visible)
        #expect(TerminalStyle.plain.visible("\u{1B}[1ma") == "\u{FFFD}[1ma")
        // Joiners belong to emoji and to some scripts.
        #expect(TerminalStyle.plain.visible("残高 👩\u{200D}💻") == "残高 👩\u{200D}💻")
    }
}
