import TapCards
import TapDocument
import TapField
import TapWire

struct CaseDecoder {
    let file: String
    let options: ScenarioLoader.Options
    private let stations: StationNames
    private(set) var diagnostics: Diagnostics
    private(set) var fileTags: [String] = []
    private var nameRanges: [String: SourceRange?] = [:]
    private let budget: CardBudget

    init(
        file: String, _ options: ScenarioLoader.Options, _ stations: StationNames, _ budget: CardBudget,
        _ diagnostics: Diagnostics
    ) {
        self.file = file
        self.options = options
        self.stations = stations
        self.budget = budget
        self.diagnostics = diagnostics
    }

    mutating func decode(_ document: CaseDocument) -> ScenarioCase? {
        let document = document.with(NamedStations(names: stations).coded(document.root))
        checkName(document.root[.cases]?[0]?[.name])
        let isComplete = hasCards(document.root)
        guard let map = ScenarioLanguage.table.read(document.root, into: &diagnostics) else {
            checkParts(of: document.root)
            return nil
        }
        guard isComplete, let cardMap = map[.cards] else { return nil }
        let own = map[.cases]?.items.first?.map
        let settings = ScenarioSettings.table.value(map[.settings]?.map)
        let seed = options.seed ?? settings.seed ?? ScenarioLoader.defaultSeed
        guard budget.allows(cardMap.named.map(\.name.node), into: &diagnostics) else { return nil }
        let cards = decodeCards(cardMap, seed)
        var names = CardNames(cards, nodes: Self.nodes(of: cardMap), seed: seed, budget: budget)
        let readers = ReaderLanguage.decode(one: map[.reader], several: map[.readers], names, into: &diagnostics)
        if !readers.isEmpty { names.readers = readers.map(\.name) }
        let visits = replace(own, map, .taps) { value, _ in VisitPlan.decode(value) }
        let timeline = replace(own, map, .timeline) {
            WrittenTimeline(TimelineLanguage.decode($0, names, into: &$1), $0.node)
        }
        let plan = replace(own, map, .faults) { FaultLanguage.decode($0, names, into: &$1) }
        let phone = decodePhone(own, map, names)
        let client = replace(own, map, .client) { ClientLanguage.decode($0.map, into: &$1) }
        let recording = map[.recording].flatMap { RecordingLanguage.decode($0, names, into: &diagnostics) }
        let expectations = replace(own, map, .expect) { ExpectDecoder.decode($0.map, names, into: &$1) }
        fileTags = map[.tags]?.items.map(\.text) ?? []
        let ownTags = own?[.tags]?.items.map(\.text).filter { !fileTags.contains($0) } ?? []
        let named = cards.compactMap { card in
            card.definition.map {
                ScenarioCase.NamedCard(name: card.name, definition: $0, written: names.nodes[card.name] ?? NodeMap([]))
            }
        }
        guard named.count == cards.count else { return nil }
        let decoded = ScenarioCase(
            file: file, number: document.number, name: own?[.name]?.text, source: SourceReference(document.range),
            scenarioName: map[.scenario]?.text ?? Self.stem(of: file), title: map[.title]?.text,
            tags: fileTags + ownTags, isSkipped: own?[.skip]?.boolean ?? false, cards: named,
            readers: readers, client: client, visits: visits,
            stated: timeline, settings: settings, seed: seed, faults: plan ?? FaultPlan(), recording: recording,
            phone: phone, expectations: expectations ?? .none, document: document.root, files: options.files,
            stations: stations)
        // Skipped for invalid faults, which are reported already.
        if let obstacle = decoded.contradiction, obstacle.fault == nil || !diagnostics.hasErrors {
            let code = obstacle.fault == nil ? DiagnosticCode.contradiction : .impossibleFault
            diagnostics.report(decoded.diagnostic(code, of: obstacle))
        }
        return decoded
    }

    /// Returns whether there are cards; reports missing cards, unless a misspelt key may be meant for them.
    private mutating func hasCards(_ root: Node) -> Bool {
        guard root[.cards] == nil else { return true }
        let table = ScenarioLanguage.table
        let isMisspelt = root.entries.contains {
            table.key($0.key.text) == nil
                && KeySuggestion(for: $0.key.text, in: table).key == ScenarioKey.cards.rawValue
        }
        if !isMisspelt {
            diagnostics.report(
                Diagnostic(.missingKey, "`cards` is missing", at: root, hint: "\(table.noun) needs `cards`"))
        }
        return false
    }

    private mutating func decodeCards(
        _ value: ValueReader, _ seed: UInt64
    ) -> [(name: String, definition: CardDefinition?)] {
        var cards: [(name: String, definition: CardDefinition?)] = []
        for (name, card) in value.named {
            cards.append((name.text, decodeCard(card.map, name.text, seed)))
        }
        return cards
    }

    /// Builds a card if the memory budget allows it.
    private mutating func decodeCard(_ map: MapReader, _ name: String, _ seed: UInt64) -> CardDefinition? {
        guard budget.takes(map, into: &diagnostics) else { return nil }
        return CardLanguage.decode(map, named: name, seed: seed, files: options.files, into: &diagnostics)
    }

    private static func nodes(of cards: ValueReader) -> [String: NodeMap] {
        let nodes = cards.named.map { ($0.name.text, $0.value.map.node) }
        return Dictionary(nodes) { first, _ in first }
    }

    /// The value of the case, or else of the file; both are decoded so that both are checked.
    private mutating func replace<Value>(
        _ own: MapReader?, _ file: MapReader, _ key: ScenarioKey, _ decode: (ValueReader, inout Diagnostics) -> Value
    ) -> Value? {
        let inherited = file[key].map { decode($0, &diagnostics) }
        return own?[key].map { decode($0, &diagnostics) } ?? inherited
    }

    /// The phone of the file, with the changes of the case.
    private mutating func decodePhone(_ own: MapReader?, _ file: MapReader, _ names: CardNames) -> PhoneSpec? {
        let specs = [file, own].compactMap { $0?[.phone] }.map { value in
            PhoneLanguage.decode(value, names, files: options.files, into: &diagnostics)
        }
        guard let first = specs.first else { return nil }
        return specs.dropFirst().reduce(first) { $0.changed(by: $1) }
    }

    /// Decodes the valid parts of an invalid document, so that all errors are reported.
    private mutating func checkParts(of root: Node) {
        guard case .map(let cards)? = root[.cards],
            budget.allows(cards.entries.map { .scalar($0.key) }, into: &diagnostics)
        else { return }
        // Ignore errors that the check of the whole file has already reported.
        var partDiagnostics = Diagnostics()
        var names = CardNames(
            decodeValid(cards, &partDiagnostics),
            nodes: cards.entries.reduce(into: [:]) { nodes, entry in
                if case .map(let map) = entry.value { nodes[entry.key.text] = map }
            }, budget: budget)
        if case .map(let readers)? = root[.readers] { names.readers = readers.entries.map(\.key.text) }
        for part in [root, root[.cases]?[0]].compactMap(\.self) {
            if let client = part[.client], let map = ClientLanguage.table.keys.read(client, into: &partDiagnostics) {
                _ = ClientLanguage.decode(map, into: &diagnostics)
            }
            if let phone = part[.phone], let value = PhoneLanguage.shape.read(phone, into: &partDiagnostics) {
                _ = PhoneLanguage.decode(value, names, files: options.files, into: &diagnostics)
            }
            for step in part[.timeline]?.items ?? [] {
                guard let value = TimelineLanguage.shape.read(.list([step]), into: &partDiagnostics) else { continue }
                _ = TimelineLanguage.decode(value, names, into: &diagnostics)
            }
            for fault in part[.faults]?.items ?? [] {
                guard let value = FaultLanguage.shape.read(.list([fault]), into: &partDiagnostics) else { continue }
                _ = FaultLanguage.decode(value, names, into: &diagnostics)
            }
            for entry in part[.expect]?.entries ?? [] {
                guard let map = ExpectLanguage.table.keys.read(.map(NodeMap([entry])), into: &partDiagnostics) else {
                    continue
                }
                _ = ExpectDecoder.decode(map, names, into: &diagnostics)
            }
        }
    }

    /// The cards of a document; invalid cards have only a name.
    private mutating func decodeValid(
        _ cards: NodeMap, _ partDiagnostics: inout Diagnostics
    ) -> [(name: String, definition: CardDefinition?)] {
        var decoded: [(name: String, definition: CardDefinition?)] = []
        for entry in cards.entries where !entry.key.text.hasPrefix(KeyTable.freePrefix) {
            let name = entry.key.text
            var definition: CardDefinition?
            if let map = CardLanguage.table.read(entry.value, into: &partDiagnostics) {
                let seed = options.seed ?? ScenarioLoader.defaultSeed
                definition = decodeCard(map, name, seed)
            }
            decoded.append((name, definition))
        }
        return decoded
    }

    /// Reports a case name that an earlier case has.
    private mutating func checkName(_ node: Node?) {
        guard let node, let name = node.text else { return }
        if let first = nameRanges[name] {
            let related = first.map { [Diagnostic.Related("the first case with this name", at: $0)] } ?? []
            diagnostics.report(
                Diagnostic(
                    .nameTaken, "two cases have the name `\(name)`", at: Diagnostic.Place(node.range),
                    hint: "give each case a unique name", related: related))
        } else {
            nameRanges[name] = .some(node.range)
        }
    }

    /// The name of a file without its folder and extension.
    private static func stem(of file: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}

/// A file reduced to one case, with parameters substituted.
struct CaseDocument {
    /// The number of the case, counted from 1.
    let number: Int
    /// The document; its list of `cases`, if any, contains only this case.
    let root: Node
    let range: SourceRange?

    private init(number: Int, root: Node, range: SourceRange?) {
        self.number = number
        self.root = root
        self.range = range
    }

    func with(_ root: Node) -> CaseDocument { CaseDocument(number: number, root: root, range: range) }

    /// Builds one document for each case of a file, or a single one if it has no usable cases.
    ///
    /// Reports cases that are not maps, and too many or no cases. The rest of the file is checked regardless.
    ///
    /// - Parameter overriding: Parameter values that replace those of the file and its cases.
    static func all(
        of root: NodeMap, overriding: NodeMap? = nil, into diagnostics: inout Diagnostics
    ) -> [CaseDocument] {
        var parameters = Parameters()
        if case .map(let map)? = root[.params] { parameters.define(map) }
        let shared = ParameterUse.names(in: root.removing([.cases]))
        var documents: [CaseDocument] = []
        var valuesLeft = ScenarioLanguage.maximumCaseValues
        var isOver = false
        let filled = { (number: Int, item: NodeMap?, values: Parameters, diagnostics: inout Diagnostics) in
            var values = values
            if let overriding { values.define(overriding) }
            let names = shared + (item.map(ParameterUse.names) ?? [])
            guard ParameterUse.fits(names, values, in: root, into: &diagnostics) else { return }
            let document = CaseDocument(number, root, item, values, &diagnostics)
            guard document.fits(&valuesLeft) else {
                isOver = true
                return tooManyValues(upTo: number, root, into: &diagnostics)
            }
            documents.append(document)
        }
        for (index, item) in cases(of: root, into: &diagnostics).enumerated() {
            guard case .map(let map) = item else {
                diagnostics.report(
                    Diagnostic(
                        .wrongKind, "item \(index + 1) of `cases` is \(item.kind.noun)", at: item,
                        hint: "expected a case: a map of `key: value` entries"))
                continue
            }
            var own = parameters
            if case .map(let values)? = map[.params] { own.define(values) }
            filled(index + 1, map, own, &diagnostics)
            if isOver { break }
        }
        if documents.isEmpty { filled(1, nil, parameters, &diagnostics) }
        return documents
    }

    /// Subtracts the values of the document from those left; returns `false` if the document has more.
    private func fits(_ valuesLeft: inout Int) -> Bool {
        guard case .map(let map) = root else { return true }
        return Node.map(map.removing([.params])).node(after: &valuesLeft) == nil
    }

    private static func tooManyValues(upTo number: Int, _ root: NodeMap, into diagnostics: inout Diagnostics) {
        let most = ScenarioLanguage.maximumCaseValues
        diagnostics.report(
            Diagnostic(
                .limitExceeded, "cases 1 to \(number) together have more than \(most) values",
                at: root[.cases] ?? .map(root),
                hint: "split the file; shared content and parameters count once for each case"))
    }

    /// The items of `cases`, or an empty array if it is not a list, which the check of the whole file reports.
    private static func cases(of root: NodeMap, into diagnostics: inout Diagnostics) -> [Node] {
        guard let cases = root[.cases], cases.kind == .list else { return [] }
        let shape = Shape.list(of: .free, count: 1...ScenarioLanguage.maximumCases)
        return shape.read(cases, as: "`cases`", into: &diagnostics) == nil ? [] : cases.items
    }

    private init(
        _ number: Int, _ root: NodeMap, _ item: NodeMap?, _ parameters: Parameters, _ diagnostics: inout Diagnostics
    ) {
        self.number = number
        range = item?.range
        var entries: [NodeMap.Entry] = []
        for entry in root.entries {
            if entry.key.text == ScenarioKey.cases.rawValue, entry.value.kind == .list {
                guard let item else { continue }
                let filled = Node.map(Self.fill(item, parameters, &diagnostics))
                entries.append(NodeMap.Entry(entry.key, .list(NodeList([filled], range: entry.value.range))))
            } else {
                entries.append(Self.fill(entry, parameters, &diagnostics))
            }
        }
        self.root = .map(NodeMap(entries, range: root.range, under: root.under))
    }

    private static func fill(
        _ map: NodeMap, _ parameters: Parameters, _ diagnostics: inout Diagnostics
    ) -> NodeMap {
        NodeMap(map.entries.map { fill($0, parameters, &diagnostics) }, range: map.range)
    }

    /// Substitutes parameters, except in their own definitions.
    private static func fill(
        _ entry: NodeMap.Entry, _ parameters: Parameters, _ diagnostics: inout Diagnostics
    ) -> NodeMap.Entry {
        entry.key.text == ScenarioKey.params.rawValue ? entry : parameters.fill(entry, into: &diagnostics)
    }
}

/// The names of a case's cards and readers, for resolving references.
struct CardNames {
    /// The cards, in the order of the file; a card that could not be built has no definition.
    let cards: [(name: String, definition: CardDefinition?)]
    /// The cards as written in the file, by name.
    let nodes: [String: NodeMap]
    /// The seed of the run, from which generated parts of cards are drawn.
    let seed: UInt64
    /// The budget for cards that steps create.
    let budget: CardBudget
    var readers = [ReaderField.defaultName]

    init(
        _ cards: [(name: String, definition: CardDefinition?)], nodes: [String: NodeMap] = [:],
        seed: UInt64 = ScenarioLoader.defaultSeed, budget: CardBudget = CardBudget()
    ) {
        self.cards = cards
        self.nodes = nodes
        self.seed = seed
        self.budget = budget
    }

    /// The name of a card; reports a name that no card has.
    func card(_ value: ValueReader, into diagnostics: inout Diagnostics) -> String {
        let known = cards.isEmpty ? "the scenario has no cards" : "the cards are \(text)"
        return name(value, "card", among: cards.map(\.name), known, &diagnostics)
    }

    /// The name of a reader; reports a name that no reader has.
    func reader(_ value: ValueReader, into diagnostics: inout Diagnostics) -> String {
        let known =
            readers.count == 1
            ? "the only reader is `\(readers[0])`" : "the readers are \(readers.joined(separator: ", "))"
        return name(value, "reader", among: readers, known, &diagnostics)
    }

    private func name(
        _ value: ValueReader, _ kind: String, among names: [String], _ known: String, _ diagnostics: inout Diagnostics
    ) -> String {
        let name = value.text
        guard !names.contains(name) else { return name }
        let hint = Spelling.suggestion(for: name, among: names, before: known)
        diagnostics.report(Diagnostic(.unknownName, "there is no \(kind) `\(name)`", at: value.node, hint: hint))
        return name
    }

    /// The name of the only card, or `nil` if there are several.
    var only: String? { cards.count == 1 ? cards[0].name : nil }

    func family(of card: String) -> CardFamily? { cards.first { $0.name == card }?.definition?.family }

    /// The technology of a card, or `nil` if there is no such card.
    func technology(of card: String) -> String? {
        cards.first { $0.name == card }?.definition?.technologyName
    }

    var text: String { cards.map(\.name).joined(separator: ", ") }
}
