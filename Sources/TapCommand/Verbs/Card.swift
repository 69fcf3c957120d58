import TapDocument
import TapImages
import TapReport
import TapScenario
import TapWire

extension Verb {
    /// `tapsim card`: card files and other tools' dumps.
    static let card = Verb(
        name: "card",
        usages: [
            "show CARD", "import DUMP [-o FILE]", "export CARD --format FORMAT -o FILE", "diff CARD CARD",
            "new CARD -o FILE", "edit FILE KEY=VALUE… [-o FILE]",
        ],
        summary: "Show a card, and turn dumps of other tools into cards and back.",
        details: """
            A CARD is what --card takes (suica:balance=3120), a dump, or a file with one card. Dumps can be of Flipper Zero
            (.nfc), Proxmark3 (.bin, .json, .eml), libnfc (.mfd), nfcpy (tagtool.py show -v) and felica-tool, or the plain
            memory of an NTAG21x; the content of a file tells its format. `show` says in words what the card is, who may
            do what with it, and what it holds. `import` writes a file for tapsim run, with comments on what the dump does not
            have; `export` says what the format does not hold. `edit` changes keys of a card, those that
            docs/scenario.md lists; an edited dump is written to another file. Only `edit` replaces an existing file without
            --force: the one that it changes. The exit code of `diff` is 1 if the cards differ.
            """,
        options: [
            .value("--output", short: "-o", "FILE", "The file to write; - for standard output."),
            .choice("--format", "FORMAT", ImageFormat.self, among: ImageFormat.written, "With export: \(written)."),
            StationArgument.option,
            .flag("--force", "Replace a file that is there."),
            .flag("--json", "Print one JSON document instead of text."),
        ],
        run: { arguments, context in try CardVerb(arguments, context).run() })

    private static var written: String {
        ImageFormat.written.map { "\($0.rawValue) (\($0.title))" }.joined(separator: ", ")
    }
}

/// One run of `tapsim card`.
struct CardVerb {
    private static let actions = ["show", "import", "export", "diff", "new", "edit"]

    private let arguments: Arguments
    private let context: CommandContext
    private var console: Console { context.console }
    private let isJSON: Bool

    init(_ arguments: Arguments, _ context: CommandContext) {
        self.arguments = arguments
        self.context = context
        isJSON = arguments.isGiven("--json")
    }

    func run() throws -> ExitCode {
        guard let action = arguments.operands.first else {
            throw UsageError("say what to do: \(ListText.choice(Self.actions))")
        }
        let words = Array(arguments.operands.dropFirst())
        switch action {
        case "show":
            try show(
                LoadedCard(
                    try one(words, "show"), context, StationArgument.names(arguments, in: context.folder)))
        case "import": try importDump(try one(words, "import"))
        case "export": try export(LoadedCard(try one(words, "export"), context))
        case "diff": return try diff(words)
        case "new": try create(try one(words, "new"))
        case "edit": try edit(words)
        default:
            let guess = Spelling.question(for: action, among: Self.actions)
            throw UsageError("`card` has no `\(action)`, only \(ListText.choice(Self.actions))\(guess)")
        }
        return .passed
    }

    private func one(_ words: [String], _ action: String) throws(UsageError) -> String {
        guard let word = words.first, words.count == 1 else { throw UsageError("`card \(action)` takes one card") }
        return word
    }

    private func show(_ card: LoadedCard) {
        let sheet = CardSheet(card.definition, stations: card.scenarioCase.stations)
        guard !isJSON else {
            return console.print(json: Self.sheet.node((card, sheet)))
        }
        for line in sheet.lines(console.style) { console.print(line) }
        tell(card.notes)
    }

    private func importDump(_ path: String) throws {
        let card = try LoadedCard(dump: path, context)
        let title = card.image.map { ", \($0.format.title)" } ?? ""
        let head = "tapsim card import wrote this of \(PrintableText.visible(path))\(title)."
        let text = CardFile.text(name: card.name, card.definition, head: [head], notes: card.notes.map(\.text))
        try write(Array(text.utf8), card.notes.map(\.text), orPrint: true)
    }

    private func export(_ card: LoadedCard) throws {
        guard let format = try arguments.word("--format", among: ImageFormat.written) else {
            throw UsageError(
                "`card export` needs --format: \(ListText.choice(card.image(.flipper).formats.map(\.rawValue)))")
        }
        let bytes: [UInt8]
        do {
            bytes = try card.image(format).bytes(format)
        } catch {
            throw VerbError(.usage, "\(error.message); \(error.hint)")
        }
        try write(bytes, lost(card, bytes, format), orPrint: false)
    }

    /// Returns a note about the parts of a card that are lost when the file is read back.
    private func lost(_ card: LoadedCard, _ bytes: [UInt8], _ format: ImageFormat) -> [String] {
        guard let again = LoadedCard.definition(ofDump: bytes, like: card.definition) else { return [] }
        let keys = CardDifference(card.definition, again).rows.map(\.key)
        guard !keys.isEmpty else { return [] }
        let rest = keys.count - Self.mostKeys
        let list = keys.prefix(Self.mostKeys).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        return ["\(format.title) does not hold what the card has under \(list)"]
    }

    private static let mostKeys = 8

    private func diff(_ words: [String]) throws -> ExitCode {
        guard words.count == 2 else { throw UsageError("`card diff` takes two cards") }
        let cards = try words.map { try LoadedCard($0, context) }
        let difference = CardDifference(cards[0].definition, cards[1].definition)
        if isJSON {
            console.print(json: difference.rows.node)
        } else {
            for line in difference.lines(words, console.style) { console.print(line) }
        }
        return difference.rows.isEmpty ? .passed : .failed
    }

    private func create(_ word: String) throws {
        let card = try LoadedCard(word, context)
        try write(Array(card.document().utf8), [], orPrint: true)
    }

    private func edit(_ words: [String]) throws {
        guard let path = words.first, words.count > 1 else {
            throw UsageError("`card edit` takes a file, then keys and values: balance=5000")
        }
        let card = try LoadedCard(path, context)
        let isOwn = card.isFile && card.image == nil
        guard isOwn || arguments.isGiven("--output") else {
            throw UsageError("\(path) is no file of a card; say with -o where to write the changed one")
        }
        let text = try card.changed(words.dropFirst().joined(separator: ","), console)
        guard arguments.isGiven("--output") else {
            try context.folder.replace(path, with: text)
            return tell(path, [])
        }
        try write(Array(text.utf8), card.notes.map(\.text), orPrint: true)
    }

    /// Writes a new file, and prints its name and the notes.
    private func write(_ bytes: [UInt8], _ notes: [String], orPrint: Bool) throws {
        guard let path = arguments.value("--output") ?? (orPrint ? "-" : nil) else {
            throw UsageError("say with -o which file to write")
        }
        guard path != "-" else {
            for note in notes { console.printError("note: \(note)") }
            return console.printAsIs(bytes)
        }
        try context.folder.write(path, with: bytes, isReplacing: arguments.isGiven("--force"))
        tell(path, notes)
    }

    private func tell(_ path: String, _ notes: [String]) {
        let console = context.beside(path).console
        guard !isJSON else {
            return console.print(json: Self.written.node((path, notes)))
        }
        console.print("wrote \(path)")
        for note in notes { console.printError("note: \(note)") }
    }

    private func tell(_ notes: [ImageNote]) {
        for note in notes { console.printError("note: \(note.text)") }
    }

    static let sheet = OutputTable<(card: LoadedCard, sheet: CardSheet)>(
        "card-sheet", "A card in words",
        .always("ic", "The IC") { $0.card.definition.icName },
        .always("sections", "What there is to tell") { $0.sheet.sections },
        .always("notes", "What the card has and its dump does not") { $0.card.notes.map(\.text) })

    static let written = OutputTable<(path: String, notes: [String])>(
        "written-card", "A file of a card that was written",
        .always("file", "The file") { $0.path },
        .always("notes", "What the dump, or the format that was written, does not hold") { $0.notes })
}
