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
        summary: "Show a card, and convert dumps of other tools to cards and back.",
        examples: [
            Example("Show a card", "tapsim card show suica:balance=3120"),
            Example("Turn a dump of a Flipper Zero into a card", "tapsim card import tag.nfc -o tag.yaml"),
            Example("Turn it back", "tapsim card export tag.yaml --format flipper -o tag.nfc"),
        ],
        details: """
            A CARD is an argument of --card (suica:balance=3120), a dump, or a file with one
            card. Dumps can come from Flipper Zero (.nfc), Proxmark3 (.bin, .json, .eml),
            libnfc (.mfd), nfcpy (tagtool.py show -v) or felica-tool, or be the plain memory
            of an NTAG21x; the format is detected from the content. `show` describes the
            card, its access rights and its contents. `import` writes a file for tapsim run,
            with comments on what the dump lacks; `export` reports what the format cannot
            store. `edit` changes keys of a card (docs/scenario.md lists them); an edited
            dump is written to another file. Without --force, only `edit` replaces an
            existing file: the one that it changes. `diff` exits with 1 if the cards differ.
            """,
        options: [
            .value("--output", short: "-o", "FILE", "Write to this file; - is standard output"),
            .choice(
                "--format", "FORMAT", ImageFormat.self, among: ImageFormat.written, "With export: write \(written)"),
            StationArgument.option,
            .flag("--force", "Replace an existing file"),
            .flag("--json", "Print a JSON document instead of text"),
        ],
        run: { arguments, context in try CardVerb(arguments, context).run() })

    private static var written: String { ListText.choice(ImageFormat.written.map(\.rawValue)) }
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
            throw UsageError("name an action: \(ListText.choice(Self.actions))")
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
            let head = String(action.prefix { $0 != ":" })
            guard CardArgument.path(in: action) == nil, CardArgument.meant(by: head).isEmpty else {
                throw UsageError("there is no `card \(action)`", help: "did you mean `tapsim card show \(action)`?")
            }
            throw UsageError(action: action, of: "card", among: Self.actions)
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
        report(card.notes)
    }

    private func importDump(_ path: String) throws {
        let card = try LoadedCard(dump: path, context)
        let title = card.image.map { ", \($0.format.title)" } ?? ""
        let head = "Written by tapsim card import from \(PrintableText.visible(path))\(title)."
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
        return ["\(format.title) cannot store these values of the card: \(list)"]
    }

    private static let mostKeys = 8

    private func diff(_ words: [String]) throws -> ExitCode {
        guard words.count == 2 else { throw UsageError("`card diff` takes two cards") }
        let cards = try words.map { try LoadedCard($0, context) }
        let difference = CardDifference(cards[0].definition, cards[1].definition)
        if isJSON {
            console.print(json: difference.rows.node)
        } else {
            for line in difference.lines(words) { console.print(line) }
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
            throw UsageError("\(path) is not a card file; use `-o` to name a file for the changed card")
        }
        let text = try card.changed(words.dropFirst().joined(separator: ","), console)
        guard arguments.isGiven("--output") else {
            try context.folder.replace(path, with: text)
            return report(path, [])
        }
        try write(Array(text.utf8), card.notes.map(\.text), orPrint: true)
    }

    /// Writes a new file, and prints its name and the notes.
    private func write(_ bytes: [UInt8], _ notes: [String], orPrint: Bool) throws {
        guard let path = arguments.value("--output") ?? (orPrint ? "-" : nil) else {
            throw UsageError("name the file to write with `-o`")
        }
        guard path != "-" else {
            for note in notes { console.printError("note: \(note)") }
            return console.printAsIs(bytes)
        }
        try context.folder.write(path, with: bytes, isReplacing: arguments.isGiven("--force"))
        report(path, notes)
    }

    private func report(_ path: String, _ notes: [String]) {
        let console = context.alongside(path).console
        guard !isJSON else {
            return console.print(json: Self.written.node((path, notes)))
        }
        console.print("wrote \(path)")
        for note in notes { console.printError("note: \(note)") }
    }

    private func report(_ notes: [ImageNote]) {
        for note in notes { console.printError("note: \(note.text)") }
    }

    static let sheet = OutputTable<(card: LoadedCard, sheet: CardSheet)>(
        "card-sheet", "A card's description",
        .always("ic", "The IC") { $0.card.definition.icName },
        .always("sections", "The sections of the description") { $0.sheet.sections },
        .always("notes", "Parts of the card that its dump lacks") { $0.card.notes.map(\.text) })

    static let written = OutputTable<(path: String, notes: [String])>(
        "written-card", "A written card file",
        .always("file", "The file") { $0.path },
        .always("notes", "Parts of the card that the dump or the written format lacks") { $0.notes })
}
