import TapField

/// Turns the document of a case into the case.
struct CaseDecoder {
    let file: String
    let surroundings: ScenarioLoader.Surroundings
    private(set) var diagnostics: Diagnostics
    private(set) var fileTags: [String] = []
    private var nameRanges: [String: SourceRange?] = [:]
    private let budget: CardBudget

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - file: The name of the file.
    ///   - surroundings: What the scenario meets besides its own document.
    ///   - budget: What the cards of the file may come to.
    ///   - diagnostics: What was found so far.
    init(file: String, _ surroundings: ScenarioLoader.Surroundings, _ budget: CardBudget, _ diagnostics: Diagnostics) {
        self.file = file
        self.surroundings = surroundings
        self.budget = budget
        self.diagnostics = diagnostics
    }

    /// The case, or nothing if there is an error.
    mutating func decode(_ document: CaseDocument) -> ScenarioCase? {
        checkName(document.root["cases"]?[0]?["name"])
        let isComplete = hasCards(document.root)
        guard let map = ScenarioLanguage.table.read(document.root, into: &diagnostics) else {
            checkParts(of: document.root)
            return nil
        }
        guard isComplete, let cardMap = map["cards"] else { return nil }
        let own = map["cases"]?.items.first?.map
        let settings = ScenarioSettings(map["settings"]?.map)
        let seed = surroundings.seed ?? settings.seed ?? ScenarioLoader.defaultSeed
        guard budget.allows(cardMap.named.map(\.name.node), into: &diagnostics) else { return nil }
        let cards = decodeCards(cardMap, seed)
        var names = CardNames(cards, nodes: Self.nodes(of: cardMap), seed: seed, budget: budget)
        let readers = ReaderLanguage.decode(one: map["reader"], several: map["readers"], names, into: &diagnostics)
        if !readers.isEmpty { names.readers = readers.map(\.name) }
        let visits = replace(own, map, "taps") { value, _ in TapsLanguage.decode(value) }
        let timeline = replace(own, map, "timeline") { TimelineLanguage.decode($0, names, into: &$1) }
        let plan = replace(own, map, "faults") { FaultLanguage.decode($0, names, into: &$1) }
        let phone = decodePhone(own, map, names)
        let client = replace(own, map, "client") { ClientLanguage.decode($0.map, into: &$1) }
        let expectations = replace(own, map, "expect") { ExpectDecoder.decode($0.map, names, into: &$1) }
        fileTags = map["tags"]?.items.map(\.text) ?? []
        let ownTags = own?["tags"]?.items.map(\.text).filter { !fileTags.contains($0) } ?? []
        let named = cards.compactMap { card in
            card.definition.map { ScenarioCase.NamedCard(name: card.name, definition: $0) }
        }
        guard named.count == cards.count else { return nil }
        let decoded = ScenarioCase(
            file: file, number: document.number, name: own?["name"]?.text, source: SourceReference(document.range),
            scenarioName: map["scenario"]?.text ?? Self.stem(of: file), title: map["title"]?.text,
            tags: fileTags + ownTags, isSkipped: own?["skip"]?.boolean ?? false, cards: named,
            readers: readers, client: client, visits: visits,
            timeline: timeline ?? Timeline([]), tapsAllAtStart: timeline == nil, settings: settings, seed: seed,
            plan: FaultPlan((plan?.entries ?? []) + (phone?.faults ?? [])), phone: phone,
            expectations: expectations ?? .none, timelineNode: (own?["timeline"] ?? map["timeline"])?.node,
            faultsNode: (own?["faults"] ?? map["faults"])?.node,
            cardNodes: Self.nodes(of: cardMap), document: document.root, files: surroundings.files)
        if let obstacle = client.flatMap({ decoded.obstacle(to: ClientKind($0)) }) {
            let place = own?[obstacle.key] ?? map[obstacle.key]
            diagnostics.report(
                Diagnostic(
                    .contradiction, obstacle.description, at: place?.node ?? document.root, hint: obstacle.hint))
        }
        return decoded
    }

    /// Whether there are cards, of whichever file; if not, and no misspelt key stands for them, that is reported.
    private mutating func hasCards(_ root: Node) -> Bool {
        guard root["cards"] == nil else { return true }
        let table = ScenarioLanguage.table
        let isMisspelt = root.entries.contains {
            table.key($0.key.text) == nil && KeySuggestion(for: $0.key.text, in: table).key == "cards"
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

    /// Makes a card, if there is memory left for it.
    private mutating func decodeCard(_ map: MapReader, _ name: String, _ seed: UInt64) -> CardDefinition? {
        guard budget.takes(map, into: &diagnostics) else { return nil }
        return CardLanguage.decode(map, named: name, seed: seed, files: surroundings.files, into: &diagnostics)
    }

    private static func nodes(of cards: ValueReader) -> [String: NodeMap] {
        let nodes = cards.named.map { ($0.name.text, $0.value.map.node) }
        return Dictionary(nodes) { first, _ in first }
    }

    /// What the case says, else what the file says; both are decoded, so that both are checked.
    private mutating func replace<Value>(
        _ own: MapReader?, _ file: MapReader, _ key: String, _ decode: (ValueReader, inout Diagnostics) -> Value
    ) -> Value? {
        let inherited = file[key].map { decode($0, &diagnostics) }
        return own?[key].map { decode($0, &diagnostics) } ?? inherited
    }

    /// The phone of the file, changed by what the case says of it.
    private mutating func decodePhone(_ own: MapReader?, _ file: MapReader, _ names: CardNames) -> PhoneSpec? {
        let specs = [file, own].compactMap { $0?["phone"] }.map { value in
            PhoneLanguage.decode(value, names, files: surroundings.files, into: &diagnostics)
        }
        guard let first = specs.first else { return nil }
        return specs.dropFirst().reduce(first) { $0.changed(by: $1) }
    }

    /// Decodes what is sound of a document that is not, so that all its errors are told.
    private mutating func checkParts(of root: Node) {
        guard case .map(let cards)? = root["cards"],
            budget.allows(cards.entries.map { .scalar($0.key) }, into: &diagnostics)
        else { return }
        // What is not sound was told by the check of the whole.
        var told = Diagnostics()
        var names = CardNames(
            decodeSound(cards, &told),
            nodes: cards.entries.reduce(into: [:]) { nodes, entry in
                if case .map(let map) = entry.value { nodes[entry.key.text] = map }
            }, budget: budget)
        if case .map(let readers)? = root["readers"] { names.readers = readers.entries.map(\.key.text) }
        for part in [root, root["cases"]?[0]].compactMap(\.self) {
            if let client = part["client"], let map = ClientLanguage.table.read(client, into: &told) {
                _ = ClientLanguage.decode(map, into: &diagnostics)
            }
            if let phone = part["phone"], let value = PhoneLanguage.shape.read(phone, into: &told) {
                _ = PhoneLanguage.decode(value, names, files: surroundings.files, into: &diagnostics)
            }
            for step in part["timeline"]?.items ?? [] {
                guard let value = TimelineLanguage.shape.read(.list([step]), into: &told) else { continue }
                _ = TimelineLanguage.decode(value, names, into: &diagnostics)
            }
            for fault in part["faults"]?.items ?? [] {
                guard let value = FaultLanguage.shape.read(.list([fault]), into: &told) else { continue }
                _ = FaultLanguage.decode(value, names, into: &diagnostics)
            }
            for entry in part["expect"]?.entries ?? [] {
                guard let map = ExpectLanguage.table.read(.map(NodeMap([entry])), into: &told) else { continue }
                _ = ExpectDecoder.decode(map, names, into: &diagnostics)
            }
        }
    }

    /// The cards of a document, those that are not sound by their names alone.
    private mutating func decodeSound(
        _ cards: NodeMap, _ told: inout Diagnostics
    ) -> [(name: String, definition: CardDefinition?)] {
        var decoded: [(name: String, definition: CardDefinition?)] = []
        for entry in cards.entries where !entry.key.text.hasPrefix(KeyTable.freePrefix) {
            let name = entry.key.text
            var definition: CardDefinition?
            if let map = CardLanguage.table.read(entry.value, into: &told) {
                let seed = surroundings.seed ?? ScenarioLoader.defaultSeed
                definition = decodeCard(map, name, seed)
            }
            decoded.append((name, definition))
        }
        return decoded
    }

    /// Refuses a name that a case before has.
    private mutating func checkName(_ node: Node?) {
        guard let node, let name = node.text else { return }
        if let first = nameRanges[name] {
            let related = first.map { [Diagnostic.Related("the first case of this name", at: $0)] } ?? []
            diagnostics.report(
                Diagnostic(
                    .nameTaken, "two cases are called `\(name)`", at: Diagnostic.Place(node.range),
                    hint: "give each case a name of its own", related: related))
        } else {
            nameRanges[name] = .some(node.range)
        }
    }

    /// The name of a file without its folder and ending.
    private static func stem(of file: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}
