public import TapScenario

/// The page about scenario files, made from their key tables.
public enum ScenarioDocument {
    /// A file the page shows.
    public struct Example: Sendable {
        public let title: String
        /// What is to be seen in it, whole lines of Markdown.
        public let remarks: String
        public let yaml: String
    }

    /// The page in Markdown; ends with a line break.
    ///
    /// - Parameter table: The keys of a file.
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

        A scenario file says which cards there are, what reads them, what goes wrong meanwhile, and what has to come out.
        `tapsim run FILE` runs it, `tapsim run FILE -- ./client` lets a program of yours read its cards, `tapsim check FILE`
        says what is wrong with it, `tapsim fmt FILE` brings it into the usual style, and `tapsim init` writes a first one.

        This page is made from the key tables in `Sources/TapScenario`; a test compares it byte for byte and writes it anew when
        `TAPSIM_UPDATE_DOCS=1` is set. For editors there is a JSON Schema,
        [scenario-1.schema.json](../Scenarios/schema/scenario-1.schema.json). Faults are on [a page of their own](faults.md).
        """

    private static let values = """
        ## How values are written

        There are no implicit types: the key decides how a value is read. `0003` under `systems` is a system code, `no` under
        `title` is text. Other YAML readers guess, so `check` warns where they would read something else; quotes help.

        \(Markdown.table(["Value", "Examples", "What it means"], rows))

        What the columns "Value" below say is what error messages say.
        """

    private static let rows = [
        ["bytes in hexadecimal", "`\"01 12 03 04\"`, `\"01120304\"`", "Blanks may stand anywhere between digits."],
        [
            "a code", "`\"0003\"`, `\"090F\"`",
            "Four digits as people say it, high byte first; packets, as in `hex`, stay in wire order: `0F 09`.",
        ],
        ["a number", "`20`", "Decimal, without zeros in front."],
        ["a range", "`0..11`, `1..`, `3`", "Both ends included; without an upper end it is open."],
        ["a duration", "`250us`, `30ms`, `2s`", "A number and its unit; at most a day."],
        ["a share", "`90%`", "Of the time the card itself allows for the command."],
        ["a date, a time of day", "`2026-11-18`, `\"07:44\"`", "As in Japan, where the cards come from."],
        ["a command", "`felica.read`, `ntag.pwd_auth`", "`tapsim explain` lists them."],
        ["a name", "`suica`", "Of a card, a reader or a case; letters, digits, `_`, `-` and `.`."],
        ["a parameter", "`\"${params.pwd}\"`", "The value stated under `params`; it fills the whole value."],
    ]

    private static let rules = """
        ## Rules

        - Files are YAML without anchors, aliases, tags, merge keys and `>` blocks, or JSON with the same keys. `format: 1` comes
          first.
        - An unknown key is an error with a suggestion. Keys that begin with `x-` are yours: nobody looks at them.
        - All errors of a file are reported, with line, column and the likely fix, and nothing runs. `tapsim explain S012`
          explains an error code.
        - Without `timeline` every card lies before the reader when the client first looks for one, in the order of the file,
          and leaves when the client ends or, having read it, does nothing but wait for it to go. A client that then waits for
          another card is ended. Without `expect` a client passes that ends with exit code 0; without `client` the built-in
          one that suits the cards reads them.
        - A client that stays by design says so with `client.ready`, gets its cards by `taps`, or is ended at
          `client.kill_after`, which is no failure by itself.
        - `run` and `fuzz` say which program a scenario starts before they do. It lies below the working directory, or is a
          script there with its interpreter (`[python3, client.py]`); others need `--allow-client`, and `--no-client` refuses
          all. [SECURITY.md](../SECURITY.md) says what else the file of a stranger may do.
        - Each case is a test of its own: the file with what the case says in place of what the file says.
        - A file has at most 1 MiB, 10,000 values and 32 levels of nesting, 1,000 cards and 500 cases. The cards of all its
          cases, and those that `set` makes, take at most 64 MiB together, which is counted before they are made.
        """

    private static let keys = """
        ## Keys

        A section for each map, beginning with the file itself. A key without "(required)" may be left out; the column "Default"
        says what holds then, and where it is empty the last column does.
        """
}
