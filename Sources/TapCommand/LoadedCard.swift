import TapDocument
import TapSystem
import TapImages
import TapReport
import TapScenario
import TapWire

/// A card given on the command line: an argument of `--card`, a dump, or a file with one card.
struct LoadedCard {
    let name: String
    let definition: CardDefinition
    /// The dump that the card was read from.
    let image: CardImage?
    let isFile: Bool
    let scenarioCase: ScenarioCase
    /// The comments at the start of the file, which are kept when it is edited.
    private let comments: [String]

    /// - Parameter stations: Station names that replace the list that a file names.
    init(_ word: String, _ context: CommandContext, _ stations: StationNames? = nil) throws {
        let folder = context.folder
        guard folder.isRegular(word) else {
            // Report a missing file or a folder for an argument that can only be a file.
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

    /// Reads a file as a dump, whatever its name, and reports its errors.
    init(dump path: String, _ context: CommandContext, _ stations: StationNames? = nil) throws {
        let file = try context.folder.load(path)
        var diagnostics = Diagnostics()
        let scenario = try ScenarioFiles.dump(
            file, ScenarioArguments(stations: stations), in: context.folder, into: &diagnostics)
        // The notes of the dump report what it lacks.
        if diagnostics.hasErrors { try ScenarioFiles.report(diagnostics, context.console) }
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
            throw VerbError(.usage, "\(word) has several cards, \(names); put each in its own file")
        }
        (name, definition, scenarioCase) = (card.name, card.definition, first)
        (self.image, self.comments, self.isFile) = (image, comments, isFile)
    }

    var notes: [ImageNote] { image?.notes() ?? [] }

    /// Returns the dump's own content, or all of a card that was not read from a dump.
    func image(_ format: ImageFormat) -> CardImage {
        image.map { CardImage($0.content, format) } ?? definition.image(format)
    }

    /// Returns the card as a file, as it was written.
    func document() -> String { CardFile.text(name: name, .map(scenarioCase.cards[0].written), comments) }

    /// Returns the file with changed values for some keys; for a dump, the file contains the whole card.
    func changed(_ values: String, _ console: Console) throws -> String {
        var node: Node
        do { node = try CardArgument.values(values) } catch {
            throw UsageError(error.message, help: error.help)
        }
        let amount = try takeBalance(from: &node)
        var changed = scenarioCase
        var diagnostics = Diagnostics()
        let definition = changed.changeCard(name, node, into: &diagnostics)
        // The notes of a dump report what it lacks.
        if image == nil || diagnostics.hasErrors { try ScenarioFiles.report(diagnostics, console) }
        guard var definition else { throw VerbError(.usage, "the card cannot be changed like that") }
        if let amount {
            guard let card = definition.withBalance(amount) else {
                throw VerbError(.usage, "TapSim does not know where this card stores its balance")
            }
            definition = card
        }
        let isWritten = image == nil && amount == nil
        return CardFile.text(
            name: name, isWritten ? .map(changed.cards[0].written) : definition.node, comments)
    }

    /// Removes a balance that has to be written into the blocks, since a card without a template has no key for it.
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

    /// Returns the card in a dump; `nil` if the bytes are not a dump.
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
    ///   - head: Sentences that say what wrote the file.
    ///   - notes: The parts of the card that the file lacks, as sentences without a full stop.
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
