import TapDocument
import TapSystem
import TapImages
import TapReport
import TapScenario
import TapWire

/// A card that the command line names: an argument of `--card`, a dump, or a file with one card.
struct LoadedCard {
    let name: String
    let definition: CardDefinition
    /// The dump it was read of.
    let image: CardImage?
    let isFile: Bool
    let scenarioCase: ScenarioCase
    /// The comments before a file, which a changed one keeps.
    private let comments: [String]

    /// - Parameter stations: Names in place of those of the list that a file names.
    init(_ word: String, _ context: CommandContext, _ stations: StationNames? = nil) throws {
        let folder = context.folder
        guard folder.isRegular(word) else {
            // What can only be a file is told to be missing, or a folder.
            if let path = CardArgument.path(in: word) ?? (folder.names(in: word) == nil ? nil : word) {
                _ = try folder.load(path)
            }
            let scenario = try CardArguments.scenario([word], seed: nil, stations: stations, context)
            try self.init(scenario, word, nil, comments: [], isFile: false)
            return
        }
        let file = try folder.load(word)
        guard !file.isDump else {
            try self.init(dump: word, context, stations)
            return
        }
        let scenario = try ScenarioFiles.load([word], ScenarioArguments(stations: stations), context).first
        try self.init(scenario, word, nil, comments: Self.comments(of: file), isFile: true)
    }

    /// Takes a file as a dump, whatever it is called; what is wrong with it is told.
    init(dump path: String, _ context: CommandContext, _ stations: StationNames? = nil) throws {
        let file = try context.folder.load(path)
        var diagnostics = Diagnostics()
        let scenario = try ScenarioFiles.dump(
            file, ScenarioArguments(stations: stations), in: context.folder, into: &diagnostics)
        // What the dump does not have is told by its notes.
        if diagnostics.hasErrors { try ScenarioFiles.tell(diagnostics, context.console) }
        try self.init(scenario, path, try? CardImage(reading: file), comments: [], isFile: true)
    }

    private init(
        _ scenario: Scenario?, _ word: String, _ image: CardImage?, comments: [String], isFile: Bool
    ) throws(VerbError) {
        guard let first = scenario?.cases.first, let card = first.cards.first else {
            throw VerbError(.usage, "\(word) has no card")
        }
        guard first.cards.count == 1 else {
            let names = first.cards.map(\.name).joined(separator: ", ")
            throw VerbError(.usage, "\(word) has several cards, \(names); put each into a file of its own")
        }
        (name, definition, scenarioCase) = (card.name, card.definition, first)
        (self.image, self.comments, self.isFile) = (image, comments, isFile)
    }

    var notes: [ImageNote] { image?.notes() ?? [] }

    /// What a dump of the card has: that of the dump itself, or all of a card that was not read of one.
    func image(_ format: ImageFormat) -> CardImage {
        image.map { CardImage($0.content, format) } ?? definition.image(format)
    }

    /// The card as a file, as it was written.
    func document() -> String { CardFile.text(name: name, .map(scenarioCase.cards[0].written), comments) }

    /// The file with other values for some keys; one of a dump has all of the card.
    func changed(_ values: String, _ console: Console) throws -> String {
        var node: Node
        do { node = try CardArgument.values(values) } catch { throw UsageError("\(error)") }
        let amount = try takeBalance(from: &node)
        var changed = scenarioCase
        var diagnostics = Diagnostics()
        let definition = changed.changeCard(name, node, into: &diagnostics)
        // What a dump does not have is told by its notes.
        if image == nil || diagnostics.hasErrors { try ScenarioFiles.tell(diagnostics, console) }
        guard var definition else { throw VerbError(.usage, "the card cannot be changed so") }
        if let amount {
            guard let card = definition.withBalance(amount) else {
                throw VerbError(.usage, "the card has no balance in a place that TapSim knows")
            }
            definition = card
        }
        let isWritten = image == nil && amount == nil
        return CardFile.text(
            name: name, isWritten ? .map(changed.cards[0].written) : definition.node, comments)
    }

    /// Takes out a balance that is set in the blocks of a card, since the card has no template that has it as a key.
    private func takeBalance(from values: inout Node) throws(UsageError) -> UInt32? {
        let key = CardLanguage.balanceKey
        guard scenarioCase.cards[0].written["template"] == nil, let text = values[key]?.text else { return nil }
        guard let amount = UInt32(text) else { throw UsageError("`\(key)` needs a whole number of yen, not `\(text)`") }
        values = .map(values.entries.filter { $0.key.text != key }.map { ($0.key.text, $0.value) })
        return amount
    }

    private static func comments(of file: SourceFile) -> [String] {
        (1...file.lineCount).lazy.map(file.text(ofLine:)).prefix { $0.hasPrefix("#") }
            .map { line in String(line.dropFirst().drop { $0 == " " }) }
    }

    /// The card that bytes are a dump of; `nil` if they are none.
    static func definition(ofDump bytes: [UInt8], like card: CardDefinition) -> CardDefinition? {
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.scenario(
            from: CardArgument(dump: OneFile.name).scenario, file: OneFile.name, .init(files: OneFile(bytes: bytes)),
            into: &diagnostics)
        return scenario?.cases.first?.cards.first?.definition
    }
}

/// A file with one card.
enum CardFile {
    /// - Parameters:
    ///   - head: What wrote it, sentences.
    ///   - notes: What the card has and the file does not, sentences without a full stop.
    static func text(name: String, _ card: CardDefinition, head: [String], notes: [String]) -> String {
        let lines = head + notes.map { $0.prefix(1).uppercased() + $0.dropFirst() + ($0.hasSuffix(".") ? "" : ".") }
        let comments = lines.flatMap { TextTable.wrapped($0, indent: 0).split(separator: "\n").map(String.init) }
        return text(name: name, card.node, comments)
    }

    static func text(name: String, _ card: Node, _ comments: [String]) -> String {
        DocumentFormatter.text(
            of: ["format": 1, "cards": .map([(name, card)])], comments: comments, table: ScenarioLoader.table)
    }
}

/// The only file there is.
private struct OneFile: ReferencedFiles {
    static let name = "dump"
    let bytes: [UInt8]

    func identity(of name: String) -> String { name }

    func open(_: String, namedIn _: String, maximumBytes _: Int) throws(ReferencedFileProblem) -> ReferencedFile {
        ReferencedFile(identity: Self.name, name: Self.name, bytes: bytes)
    }

    func reader(for _: String) -> any DocumentReader { JSONReader() }
}
