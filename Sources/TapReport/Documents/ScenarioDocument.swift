import TapDocument
import TapScenario
import TapWire

public enum ScenarioDocument {
    public struct Example: Sendable {
        public let title: String
        public let remarks: String
        public let yaml: String
    }

    public static func text(of table: KeyTable = ScenarioLoader.table) -> String {
        let shown = examples.map { "### \($0.title)\n\n\(Markdown.yaml($0.yaml))\n\n\($0.remarks)" }
        let sections = KeyTableSections.of(table) { table in
            table.noun == "a fault with parameters" ? "a map of one fault, of [faults.md](faults.md)" : nil
        }
        let parts =
            [introduction, "## Files, from short to long"] + shown + [values, rules, keys] + sections
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Scenario files

        A scenario file describes the cards, the client that reads them, the faults, and the expected results.
        `tapsim run FILE` runs it, `tapsim run FILE -- ./client` lets your own program read its cards, `tapsim check FILE`
        reports its errors, `tapsim fmt FILE` formats it, and `tapsim init` creates a first one.

        This page is generated from the key tables in `Sources/TapScenario`; a test compares it byte for byte and rewrites it
        when `TAPSIM_UPDATE_DOCS=1` is set. Editors can use the JSON Schema
        [scenario-1.schema.json](../Scenarios/schema/scenario-1.schema.json). Faults have [a page of their own](faults.md).
        """

    private static let values = """
        ## How values are written

        There are no implicit types: the key decides how a value is read. `0003` under `systems` is a system code, `no` under
        `title` is text. Other YAML readers guess types, so `check` warns if they would read something else; quotes prevent
        that.

        \(Markdown.table(["Value", "Examples", "What it means"], rows))

        Error messages use the same words as the column "Value" below.
        """

    private static let rows = [
        ["bytes in hexadecimal", "`\"01 12 03 04\"`, `\"01120304\"`", "Spaces are allowed anywhere between digits."],
        [
            "a code", "`\"0003\"`, `\"090F\"`",
            "Four digits, high byte first; packets, as in `hex`, stay in wire order: `0F 09`.",
        ],
        ["a number", "`20`", "Decimal, without leading zeros."],
        ["a range", "`0..11`, `1..`, `3`", "Both ends included; without an upper end, it is unlimited."],
        ["a duration", "`250us`, `30ms`, `2s`", "A number and its unit; at most a day."],
        ["a share", "`90%`", "A share of the time that the card allows for the command."],
        ["a date, a time of day", "`2026-11-18`, `\"07:44\"`", "In Japan time, where the cards come from."],
        ["a command", "`felica.read`, `ntag.pwd_auth`", "`tapsim explain` lists them."],
        ["a name", "`suica`", "Of a card, a reader or a case; letters, digits, `_`, `-` and `.`."],
        [
            "a recorded frame", "`\"06 {idm} 01\"`",
            "Bytes, with what `vars` of the recording holds for `{idm}`; as `rsp` also one digit, the four bits of an "
                + "acknowledgement.",
        ],
        ["a parameter", "`\"${params.pwd}\"`", "The value stated under `params`; it fills the whole value."],
    ]

    private static let rules = """
        ## Rules

        - Files are YAML without anchors, aliases, tags, merge keys and `>` blocks, or JSON with the same keys. `format: 1` comes
          first.
        - An unknown key is an error with a suggestion. Keys that begin with `x-` are yours and are ignored.
        - All errors in a file are reported, with line, column and the likely fix, and nothing runs. `tapsim explain S012`
          explains an error code.
        - Without `timeline`, every card is at the reader when the client first looks for one, in the order of the file. It
          leaves when the client ends, or when the client has read it and only waits for it to leave. Without `expect`, a
          client passes if it exits with code 0; without `client`, the suitable built-in client reads the cards.
        - A client that received nothing from a card fails: no UID, IDm or ATR and no answer to a command, or only silence and
          refusals after the card was found. A case in which no card was in the field is exempt, and so is one that expects
          more than `exit: 0`, `within`, `verdict` or `safety`: if a client is meant to read nothing, state `counts` or
          `never`.
        - `at` and `after` follow the machine's clock, or card time with `clock: virtual`. If the file expects `counts` or
          `exchanges` of a program, the program's exchanges decide instead: a card that returns, and the gap of a swap, wait
          until an exchange has met the empty field. A step that cannot happen that way, such as `remove` after a time, is an
          error: let it wait for a command.
        - The client's own exit decides. TapSim ends a client only in these cases: The scenario states that it stays (see below).
          It only waits for another card, its output is as `expect` states, and `expect` states no exit code. As a failure: it
          exceeds its time or another limit of `settings.limits`, or only looks for cards for ten seconds while one of its
          lines is awaited. A report calls a client `ended by TapSim` if TapSim ended it, and mentions if its exit status is unknown.
        - A client fails if it ends before the last card of its `timeline` has arrived. If it is meant to end first, state an
          exchange with that card in `never`: `{command: felica.read, card: pass}`. A case with faults, or one that expects a
          failing exit code, is exempt.
        - A client also fails if a process that it started still uses the reader after the client has ended, since nobody sees
          that process's exit code. A process that leaves the reader alone is only reported. A client that is stated to stay
          is exempt.
        - A client that stays by design states this with `client.ready`, receives its cards through `taps`, or is ended at
          `client.kill_after`, which is not a failure by itself.
        - `run` and `fuzz` print which program a scenario starts before they start it. The program has to be below the working
          directory, or be a script there with its interpreter (`[python3, client.py]`); others need `--allow-client`, and
          `--no-client` refuses all. [SECURITY.md](../SECURITY.md) lists what else a stranger's file may do.
        - Each case is a separate test: the file, with the keys of the case replacing those of the file.
        - A file has at most 1 MiB, 10,000 values and 32 levels of nesting, 1,000 cards and 500 cases. All its cases together
          have at most 200,000 values, counted with parameters filled in and including what cases share. The cards of all its
          cases, including those that `set` creates, take at most 64 MiB together, which is counted before they are created.
        """

    private static let keys = """
        ## Keys

        There is a section for each map, beginning with the file itself. Keys are optional unless marked "(required)"; the
        column "Default" contains the default or, if it is empty, the last column describes it.
        """
}

/// A section for each key table, in the order in which they refer to one another.
struct KeyTableSections {
    private var waiting: [KeyTable]
    private var nouns: Set<String>
    private var sections: [String] = []

    /// - Parameter elsewhere: Returns a link for a table that another page covers; `nil` for other tables.
    static func of(_ table: KeyTable, elsewhere: (KeyTable) -> String?) -> [String] {
        var sections = KeyTableSections(waiting: [table], nouns: [table.noun])
        while !sections.waiting.isEmpty {
            let next = sections.waiting.removeFirst()
            sections.sections.append(sections.section(next, elsewhere))
        }
        return sections.sections
    }

    private init(waiting: [KeyTable], nouns: Set<String>) {
        self.waiting = waiting
        self.nouns = nouns
    }

    private mutating func section(_ table: KeyTable, _ elsewhere: (KeyTable) -> String?) -> String {
        var rows: [[String]] = []
        for key in table.keys where key.notYet == nil {
            let name = Markdown.code(key.name) + (key.isRequired ? " (required)" : "")
            rows.append([name, value(key.shape, elsewhere), key.standard.map(Markdown.code) ?? "", key.summary])
        }
        let body =
            rows.isEmpty ? "It has no keys." : Markdown.table(["Key", "Value", "Default", "What it is for"], rows)
        return "### \(Self.heading(of: table))\n\n\(body)\(Self.choices(of: table))"
    }

    private static func choices(of table: KeyTable) -> String {
        let rules = [("exactly", table.exactlyOne), ("at most", table.atMostOne)].filter { $0.1.count > 1 }
        return rules.map { words, names in
            "\n\nIt has \(words) one of \(ListText.choice(names.map(Markdown.code)))."
        }.joined()
    }

    private static func heading(of table: KeyTable) -> String {
        table.noun.prefix(1).uppercased() + table.noun.dropFirst()
    }

    private mutating func value(_ shape: Shape, _ elsewhere: (KeyTable) -> String?) -> String {
        switch shape {
        case .scalar(let rule): return Self.words(rule)
        case .items(let item, let count): return "a list\(Self.words(count)) of: \(value(item, elsewhere))"
        case .named(let names, let values): return "a map of \(Self.words(names)) to \(value(values, elsewhere))"
        case .table(let table): return reference(to: table(), elsewhere)
        case .variants(let shapes):
            var words: [String] = []
            for shape in shapes { words.append(value(shape, elsewhere)) }
            return words.joined(separator: "; or ")
        case .free: return "anything"
        }
    }

    private mutating func reference(to table: KeyTable, _ elsewhere: (KeyTable) -> String?) -> String {
        if let text = elsewhere(table) { return text }
        if nouns.insert(table.noun).inserted { waiting.append(table) }
        return Markdown.link(table.noun, toHeading: Self.heading(of: table))
    }

    private static func words(_ rule: any ScalarRule) -> String {
        guard let range = rule as? RangeRule, range.bounds.upperBound < Int.max else { return rule.noun }
        return "\(rule.noun), from \(range.bounds.lowerBound) to \(range.bounds.upperBound)"
    }

    private static func words(_ count: ClosedRange<Int>) -> String {
        switch (count.lowerBound, count.upperBound) {
        case (0, Int.max): ""
        case (let least, Int.max): ", at least \(least),"
        case (0, let most): ", at most \(most),"
        case (let least, let most) where least == most: ", \(least),"
        case (let least, let most): ", \(least) to \(most),"
        }
    }
}

extension ScenarioDocument {
    /// The example files of the page, from short to long; all can be run unchanged.
    public static let examples = [
        Example(
            title: "The shortest file",
            remarks: """
                A Suica with 3120 yen and 20 trips is at a reader; the built-in client reads its history, and its exit code has to be
                0. Anything you leave out is generated from the seed, so runs are reproducible. Without a file,
                `tapsim run --card suica:balance=3120,trips=20` does the same.
                """,
            yaml: """
                format: 1
                cards: {suica: {template: suica, balance: 3120, trips: 20}}

                """),
        Example(
            title: "The expected result",
            remarks: """
                `expect` describes a correct client: values of its result by JSON pointer, the number of commands it sends, the
                commands it never sends, and the state of the card afterwards.
                """,
            yaml: """
                format: 1
                cards:
                  tag:
                    ic: NTAG215
                    ndef: [{uri: "https://example.com/t/42"}]
                    config: {pwd: "DE AD BE EF", pack: "C0 DE", auth0: 4, prot: read_write, authlim: 3}
                client: {builtin: {ndef: {password: "DE AD BE EF"}}}
                expect:
                  result: {/records/0/uri: "https://example.com/t/42"}
                  counts: {ntag.pwd_auth: 1}
                  never: [ntag.write]
                  cards: {tag: unchanged}

                """),
        Example(
            title: "A FeliCa Lite-S with a card key",
            remarks: """
                The message is in blocks 0 to 13 and can only be read after mutual authentication. `card_key` is the block CK as a
                reader writes it; `memory_configuration` is the block MC, as keys or as its sixteen bytes. A new MC, including one
                that a reader writes, takes effect at the next power-on. See `tapsim explain MC`, `WCNT` and `B2`.
                """,
            yaml: """
                format: 1
                cards:
                  tag:
                    ic: FeliCa Lite-S
                    ndef: [{uri: "https://example.com/secret"}]
                    card_key: "30 31 32 33 34 35 36 37 38 39 41 42 43 44 45 46"
                    memory_configuration:
                      locked: true
                      read_after_authentication: [1-13]
                      write_with_mac: [0-13]
                client: {builtin: {ndef: {card_key: "30 31 32 33 34 35 36 37 38 39 41 42 43 44 45 46"}}}
                expect:
                  result: {/records/0/uri: "https://example.com/secret"}

                """),
        Example(
            title: "Cases, parameters and a timeline",
            remarks: """
                Each case is a test: the second one gives the parameter another value, and in the third the card arrives late. The
                `timeline`, `client` or `expect` of a case replaces that of the file.
                """,
            yaml: """
                # A transit card that is read through two chips, and one that comes late.
                format: 1
                scenario: history
                title: Read the history of a transit card
                tags: [felica]
                params: {ic: RC-S962}
                cards:
                  suica:
                    ic: "${params.ic}"
                    template: suica
                    balance: 3120
                    history:
                      - {date: 2026-11-18, kind: fare-gate, from: "001-230", to: "001-204", balance: 3120}
                    trips: 20                        # the rest is generated from the seed
                client: {builtin: transit-history}
                expect:
                  exchanges:
                    list:
                      - {command: felica.polling, system: "0003", reply: ok}
                      - {command: felica.read, service: "090F", blocks: 0..11, reply: {status: "00 00", blocks: 12}}
                  result: {/balance: 3120, /trips/length: 20}
                cases:
                  - name: a common chip
                  - name: an older chip
                    params: {ic: RC-S915}
                  - name: the card comes late
                    timeline: [{at: 20ms, tap: suica}]
                    expect: {result: {/trips/length: 20}}

                """),
        Example(
            title: "Something goes wrong",
            remarks: """
                Faults are injected in the exchange they name. Without an expectation on the client, the client has to return the
                right result or report a clear error; [faults.md](faults.md) lists all faults.
                """,
            yaml: FaultDocument.example),
        Example(
            title: "A card that was recorded",
            remarks: """
                The card is found as `cards` describes it and answers every other command as recorded, so TapSim need not know the
                card. A client that sends something else, or less, fails, and the report shows both commands one below the other. With
                `on_mismatch: engine`, the card answers unrecorded commands according to its description. Frames are those between
                reader and card, without CRC and LEN, so any client can replay them over any transport.
                """,
            yaml: """
                format: 1
                cards: {tag: {ic: NTAG213, uid: "04 A1 B2 C3 D4 E5 80"}}
                client: {builtin: ndef}
                recording:
                  vars: {zeros: "00 00 00 00 00 00 00 00 00 00 00 00"}
                  exchanges:
                    - {cmd: "60", rsp: "00 04 04 02 01 00 0F 03"}
                    - {cmd: "30 00", rsp: "04A1B29F C3D4E580 72480000 E1101200"}
                    - {cmd: "30 04", rsp: "0103A00C 34030BD1 01075504 612E696F"}
                    - {cmd: "3A 08 0F", rsp: "2F37FE00 00000000 {zeros} {zeros}", took: 3ms}
                    - {cmd: "30 29", rsp: "0", repeat: 0..1, note: this tag does not reveal its configuration}
                expect: {result: {/records/0/uri: "https://a.io/7"}}

                """),
        Example(
            title: "An app for iPhones",
            remarks: """
                `phone` contains the app's declarations (`info_plist: App/Info.plist` takes them from there) and the behaviour of its
                phone; `expect.phone` describes what the app shows and receives. A test of the app judges that; `tapsim run` has no
                phone, reports that it does not judge it, and reads the card with the client of the file.
                `tapsim check --resolved --json FILE` exports the file for an app. Faults of the phone itself, [phone.*](faults.md),
                belong only in files for apps.
                """,
            yaml: """
                format: 1
                cards: {suica: {template: suica, balance: 3120, trips: 20}}
                phone: {system_codes: ["0003"], usage: Reads the balance of transit cards}
                expect:
                  cards: {suica: unchanged}
                  phone: {alerts: [Hold your card, 3120 yen], error: none, sessions: 1, tags: [suica]}

                """),
    ]
}

/// Markdown in GitHub's flavour.
package enum Markdown {
    /// Returns a table with escaped `|` in its cells.
    package static func table(_ heads: [String], _ rows: [[String]]) -> String {
        let lines = [heads, heads.map { _ in "---" }] + rows.map { $0.map(cell) }
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    package static func code(_ text: String) -> String { "`\(text)`" }

    package static func yaml(_ text: String) -> String { "```yaml\n\(text)```" }

    package static func link(_ text: String, toHeading heading: String) -> String {
        "[\(text)](#\(anchor(of: heading)))"
    }

    private static func anchor(of heading: String) -> String {
        String(
            heading.lowercased().compactMap { character in
                if character == " " { return "-" }
                let isKept = character.isLetter || character.isNumber || "-_".contains(character)
                return isKept ? character : nil
            })
    }

    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: " ")
    }
}
