import ScenarioSupport
import TapDocument
import TapScenario
import TapYAML
import TestSupport
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Scenario files in one style` {
    /// Rewrites the text, or returns nil if it cannot be read.
    static func text(_ text: String, table: KeyTable = ScenarioLoader.table) throws -> String? {
        var diagnostics = Diagnostics()
        let formatter = DocumentFormatter(reader: YAMLReader(), table: table)
        return try formatter.text(of: SourceFile(name: "a.yaml", text: text), into: &diagnostics)
    }

    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let before: String
        let after: String
    }

    static let cases = [
        Case(
            description: "keys come in the order of their tables",
            before: "cards: {c: {idm: \"01\", ic: x}}\nscenario: s\nformat: 1\nx-mine: 1\n",
            after: "format: 1\nx-mine: 1\nscenario: s\ncards: {c: {ic: x, idm: \"01\"}}\n"),
        Case(
            description: "names keep their order", before: "cards:\n    b: {}\n    a: {}\n",
            after: "cards:\n  b: {}\n  a: {}\n"),
        Case(
            description: "bytes and codes have capitals, blanks and quotes",
            before: "cards: {c: {idm: 0102030405060a0b, systems: {fe00: {services: {090f: 1}}}}}",
            after: "cards: {c: {idm: \"01 02 03 04 05 06 0A 0B\", systems: {\"FE00\": {services: {\"090F\": 1}}}}}\n"),
        Case(
            description: "quotes stand where others would guess",
            before: "title: no\ntags: ['yes', 1e3, 2026-11-18, a]\nscenario: 0003\ncards: {y: {}}\n",
            after: "scenario: \"0003\"\ntitle: \"no\"\ntags: [\"yes\", \"1e3\", \"2026-11-18\", a]\n"
                + "cards: {\"y\": {}}\n"),
        Case(
            description: "numbers, dates, words and durations have none",
            before: "format: \"1\"\nsettings: {clock: 'auto', limits: {wall: '3s', exchanges: \"9\"}}\n"
                + "cards: {c: {history: [{date: \"2026-11-18\", kind: \"shop\"}]}}\ncases: [{skip: \"true\"}]\n",
            after: "format: 1\nsettings: {clock: auto, limits: {wall: 3s, exchanges: 9}}\n"
                + "cards: {c: {history: [{date: 2026-11-18, kind: shop}]}}\ncases: [{skip: true}]\n"),
        Case(
            description: "numbers that others read differently keep theirs",
            before: "cards: {c: {trips: \"010\", balance: 010}}\n",
            after: "cards: {c: {balance: 010, trips: \"010\"}}\n"),
        Case(
            description: "parameters and results are as they were written",
            before: "params: {a: no, b: \"no\"}\nexpect: {result: {/a: null, /b: \"null\", /c: '1'}}\n",
            after: "params: {a: no, b: \"no\"}\nexpect: {result: {/a: null, /b: \"null\", /c: \"1\"}}\n"),
        Case(
            description: "references have quotes", before: "title: ${params.x}\n", after: "title: \"${params.x}\"\n"),
        Case(
            description: "single quotes stay where marks need them",
            before: "title: 'say \"a\\b\"'\nscenario: 'it''s'\n",
            after: "scenario: \"it's\"\ntitle: 'say \"a\\b\"'\n"),
        Case(
            description: "invisible characters are escaped",
            before: "title: \"a\\u0085\\u200B\u{202E}\u{E0001}\\n\\t\\0\\uFEFFé音\u{200D}\"\n",
            after: "title: \"a\\x85\\u200B\\u202E\\U000E0001\\n\\t\\x00\\uFEFFé音\u{200D}\"\n"),
        Case(
            description: "comments stay with what they stand above",
            before:
                "# head\n\n# of cards\ncards:\n# of b\n    b: {}   # behind b\n\n\n    a: {}\n\n    # below a\n# of format\n"
                + "format: 1\n# end\n",
            after:
                "# head\n\n# of cards\n# of format\nformat: 1\ncards:\n  # of b\n  b: {}     # behind b\n\n  a: {}\n\n"
                + "  # below a\n# end\n"),
        Case(
            description: "comments behind values keep their columns",
            before: "title: a      # x\nscenario: b # y\nformat: 1     # z\n",
            after: "format: 1     # z\nscenario: b  # y\ntitle: a      # x\n"),
        Case(
            description: "comments stand behind keys too",
            before: "cards: # all\n  a: # one\n     ic: x\ntags: # words\n - b # last\n",
            after: "tags:  # words\n  - b  # last\ncards:  # all\n  a:  # one\n    ic: x\n"),
        Case(
            description: "brackets with comments inside become lines",
            before: "tags: [ # words\n  a, # first\n  # then\n  b ] # last\n",
            after: "tags:   # words\n  - a  # first\n  # then\n  - b\n  # last\n"),
        Case(
            description: "brackets over several lines come together", before: "tags: [a,\n  b,\n  c,\n]\n",
            after: "tags: [a, b, c]\n"),
        Case(
            description: "lines stay lines", before: "tags:\n- a\n-   b\ncards:\n   c:\n      ic:   x\n",
            after: "tags:\n  - a\n  - b\ncards:\n  c:\n    ic: x\n"),
        Case(
            description: "items begin with their first key",
            before: "cases:\n  -\n    # of skip\n    skip: yes\n    # of name\n    name: a\n  - # of b\n    name: b\n",
            after: "cases:\n  # of skip\n  # of name\n  - name: a\n    skip: yes\n  # of b\n  - name: b\n"),
        Case(
            description: "blocks of text keep their lines",
            before: "client:\n    stdin: |   # lines\n       a\n         b\n\n       c\n    run: [x]\ntitle: |-\n  t\n",
            after: "title: |-\n  t\nclient:\n  run: [x]\n  stdin: |     # lines\n    a\n      b\n\n    c\n"),
        Case(
            description: "blocks that end in blank lines are quoted", before: "title: |+\n  a\n\nformat: 1\n",
            after: "format: 1\ntitle: \"a\\n\\n\"\n"),
        Case(
            description: "a document marker is left out", before: "--- # top\nformat: 1\n...\n# end\n",
            after: "# top\nformat: 1\n# end\n"),
        Case(
            description: "text over several lines comes together", before: "title: a\n  b\n\n  c # d\n",
            after: "title: \"a b\\nc\"  # d\n"),
        Case(
            description: "text over several lines gets quotes", before: "params: {a: b\n  c\n\n\n  d}\n",
            after: "params: {a: \"b c\\n\\nd\"}\n"),
        Case(
            description: "line breaks stay those of the file", before: "format:  1\r\ntitle: |\r\n  a\r\n",
            after: "format: 1\r\ntitle: |\r\n  a\r\n"),
        Case(description: "a file ends with one line break", before: "\n\nformat: 1\n\n\n", after: "format: 1\n"),
        Case(
            description: "brackets around the file go", before: "{format: 1, title: a}", after: "format: 1\ntitle: a\n"),
    ]

    @Test(arguments: cases) func `keep their meaning`(_ sample: Case) throws {
        let text = try Self.text(sample.before)
        #expect(text == sample.after, "\(text ?? "nothing")")
        #expect(try Self.text(sample.after) == sample.after)
    }

    @Test func `have lines of at most 120 columns`() throws {
        let words = (0..<60).map { "w\($0)" }
        let list = "tags: [\(words.joined(separator: ", "))]\n"
        let map = "params: {\(words.map { "\($0): \($0)" }.joined(separator: ", "))}\n"
        let title = "title: \(words.joined(separator: " "))\n"
        let hex = "cards: {c: {ndef: \(String(repeating: "0A", count: 90))}}\n"
        let text = try #require(try Self.text(title + list + map + hex))
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 120 })
        #expect(lines.contains("tags: ["))
        #expect(lines.contains("  w0: w0"))
        #expect(lines.count { $0.hasPrefix("  w") && $0.contains(": ") } == words.count)
        #expect(try Self.text(text) == text)
    }

    @Test(arguments: ShippedScenarios.paths()) func `include every shipped scenario`(_ path: String) throws {
        let text = ShippedScenarios.text(path)
        #expect(try Self.text(text) == text, "run `tapsim fmt Scenarios` to format it")
    }

    @Test func `cannot be formatted without structure`() throws {
        for text in ["", "a: [", "a: *b", "\t- a"] { #expect(try Self.text(text) == nil) }
    }

    /// Checks that formatting loses nothing and is idempotent.
    @Test(arguments: 0..<4) func `can be produced from corrupted files`(_ part: Int) throws {
        let sources = ["felica/suica-history.yaml", "ntag215/password-locked.yaml", "felica/emoney.yaml"]
        let texts = sources.map(ShippedScenarios.text) + `Corrupted documents`.yaml + Self.cases.map(\.before)
        var mutations = Mutations(seed: TestSeed.value, "format \(part)", of: texts)
        var count = 0
        for _ in 0..<TestScale.count(250) {
            let text = String(decoding: mutations.next(), as: UTF8.self)
            let table = part < 2 ? ScenarioLoader.table : SampleLanguage.file
            let once: String
            do {
                guard let found = try Self.text(text, table: table) else { continue }
                once = found
            } catch {
                Issue.record("seed \(TestSeed.value): \(error) of \(text.debugDescription)")
                continue
            }
            count += 1
            #expect(try Self.text(once, table: table) == once, "seed \(TestSeed.value): \(text.debugDescription)")
        }
        #expect(count > 0)
    }

    @Test func `keep every comment and blank line`() throws {
        var random = TestRandom()
        let source = ShippedScenarios.text("ntag215/password-locked.yaml")
        for round in 0..<TestScale.count(20) {
            var lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            for number in 0..<4 {
                let line = random.number(below: lines.count)
                let margin = String(repeating: " ", count: random.number(below: 12))
                switch random.number(below: 3) {
                case 0: lines.insert("\(margin)# \(number) of \(round)", at: line)
                case 1: lines.insert(margin, at: line)
                default: lines[line] += "  # \(number) of \(round)"
                }
            }
            let text = lines.joined(separator: "\n")
            let once = try #require(try Self.text(text), "seed \(TestSeed.value)")
            #expect(once.count { $0 == "#" } == text.count { $0 == "#" })
            #expect(try Self.text(once) == once, "seed \(TestSeed.value): \(text)")
            #expect(LoadedScenario(once).first?.resolved == LoadedScenario(text).first?.resolved)
        }
    }
}
