import TapDocument
import TapPhone
import TapScenario
import TapServe
import Testing

/// The setup of a test: a case of a scenario and a phone.
struct PhonePlan: Sendable {
    let scenarioCase: ScenarioCase
    /// The order of `tapsim audit`, if any.
    let order: AuditOrder?
    let settings: PhoneSettings
    let leavesSessionOpen: Bool

    /// Returns the plan of a test, or `nil` after errors, which are reported at their trait or line.
    ///
    /// - Parameter parts: The contents of the traits, suites' traits first.
    static func make(
        _ parts: [PlanPart], at location: SourceLocation, into diagnostics: inout Diagnostics
    ) -> PhonePlan? {
        let document = PlanDocument(parts, at: location)
        for diagnostic in document.diagnostics.found { diagnostics.report(diagnostic) }
        guard let node = document.node else { return nil }
        let options = ScenarioLoader.Options(files: document.files, seed: parts.seed)
        let scenario = ScenarioLoader.scenario(from: node, file: document.file, options, into: &diagnostics)
        guard let scenario, !diagnostics.hasErrors else { return nil }
        let source = parts.scenarioSource ?? TraitSource("", at: location)
        let names = CaseNames(scenario.cases)
        guard let index = names.index(of: document.caseName, source, into: &diagnostics) else { return nil }
        let scenarioCase = scenario.cases[index].judgingFieldAlone(hasPhone: true)
        if let obstacle = scenarioCase.obstacle(to: .app) {
            diagnostics.report(source.error(.impossibleFault, obstacle.description, hint: obstacle.hint))
            return nil
        }
        let order: AuditOrder?
        do {
            order = try AuditOrder()
        } catch {
            diagnostics.report(source.error(.unknownName, error.message, hint: error.hint))
            return nil
        }
        return PhonePlan(
            scenarioCase: order?.applied(to: scenarioCase) ?? scenarioCase, order: order,
            settings: parts.settings(for: scenarioCase),
            leavesSessionOpen: parts.leavesSessionOpen)
    }
}

extension [PlanPart] {
    /// Returns the last value, which is the one closest to the test.
    private func last<Value>(_ value: (PlanPart.Content) -> Value?) -> Value? {
        for part in reversed() {
            if let said = value(part.content) { return said }
        }
        return nil
    }

    fileprivate var seed: UInt64? { last { if case .seed(let seed) = $0 { seed } else { nil } } }

    fileprivate func settings(for scenarioCase: ScenarioCase) -> PhoneSettings {
        var settings = PhoneSettings(scenarioCase)
        settings.clock = last { if case .clock(let clock) = $0 { clock } else { nil } } ?? settings.clock
        settings.idle = last { if case .idle(let idle) = $0 { idle } else { nil } } ?? settings.idle
        settings.policy = last { if case .policy(let policy) = $0 { policy } else { nil } } ?? settings.policy
        return settings
    }

    fileprivate var leavesSessionOpen: Bool {
        contains { if case .leavesSessionOpen = $0.content { true } else { false } }
    }

    fileprivate var scenarioSource: TraitSource? {
        for part in self {
            if case .scenario(let path, _) = part.content { return TraitSource(scenario: path, at: part.location) }
        }
        return nil
    }
}

extension CaseNames {
    /// Returns the index of the case that a trait names, or of the only case; errors are reported.
    fileprivate func index(of name: String?, _ source: TraitSource, into diagnostics: inout Diagnostics) -> Int? {
        guard let name else {
            if count == 1 { return 0 }
            let hint = "choose one: `.scenario(…, case: \"…\")`"
            diagnostics.report(source.error(.contradiction, "the file has several cases: \(self)", hint: hint))
            return nil
        }
        let index = indices(of: name).first
        if index == nil {
            diagnostics.report(source.error(.unknownName, "there is no case `\(name)`", hint: "there are: \(self)"))
        }
        return index
    }
}

/// The cards in the traits of a test.
struct PlanCards {
    private struct Card {
        let entry: NodeMap.Entry
        let isAway: Bool
        let location: SourceLocation
    }

    private var cards: [Card] = []
    /// The cards' errors, each at its trait.
    private(set) var diagnostics = Diagnostics()

    init(_ parts: [PlanPart], alongside taken: [String]) {
        for part in parts {
            guard case .card(let card, let name, let isAway) = part.content else { continue }
            add(card, name, isAway, at: part.location, alongside: taken)
        }
    }

    var entries: [NodeMap.Entry] { cards.map(\.entry) }
    /// The names of the cards that are present from the start.
    var present: [Scalar] { cards.filter { !$0.isAway }.map(\.entry.key) }
    var hasAway: Bool { cards.contains(where: \.isAway) }

    private mutating func add(
        _ card: VirtualCard, _ given: String?, _ isAway: Bool, at location: SourceLocation, alongside taken: [String]
    ) {
        let own: String
        let node: Node
        do throws(CardArgument.Problem) {
            (own, node) = try card.resolved()
        } catch {
            let source = TraitSource(".card", at: location)
            return diagnostics.report(source.error(.unknownName, error.description, hint: ""))
        }
        let count = (taken + cards.map(\.entry.key.text)).count { $0 == own || $0.hasPrefix("\(own)-") }
        let name = given ?? (count == 0 ? own : "\(own)-\(count + 1)")
        let source = TraitSource(".card(\(JSONWriter.text(node)))", at: location)
        if let same = cards.firstIndex(where: { $0.entry.key.text == name }) {
            // A test may replace a card of its suite, whose trait is at another location.
            if cards.remove(at: same).location.isOnSameLine(location) {
                diagnostics.report(
                    source.error(
                        .nameTaken, "two cards have the name `\(name)`", hint: "rename one of the two"))
            }
        }
        let placed = source.place(.map([(key: name, value: node)])).entries
        cards += placed.map { Card(entry: $0, isAway: isAway, location: location) }
    }
}

extension SourceLocation {
    /// Returns whether two traits belong to the same test: Swift gives the traits of one attribute the same line.
    fileprivate func isOnSameLine(_ other: SourceLocation) -> Bool {
        line == other.line && filePath == other.filePath
    }
}

/// The scenario that a test's traits form together, as a document.
///
/// It is read with the same tables of keys as files, so that both get the same checks. A scenario named by a trait is the
/// base for the other traits.
struct PlanDocument {
    private var root: NodeMap
    private(set) var file: String
    private(set) var caseName: String?
    private(set) var diagnostics = Diagnostics()
    let files: TestFiles

    init(_ parts: [PlanPart], at location: SourceLocation) {
        file = location.filePath
        files = TestFiles(around: location.filePath)
        root = NodeMap([NodeMap.Entry(Scalar("format"), 1), NodeMap.Entry(Scalar("cards"), [:])])
        takeScenario(of: parts)
        for part in parts { add(part) }
        addCards(of: parts)
    }

    /// The document; `nil` if a named scenario cannot be read.
    var node: Node? { diagnostics.hasErrors ? nil : .map(root) }

    // MARK: A scenario

    private mutating func takeScenario(of parts: [PlanPart]) {
        var isTaken = false
        for part in parts {
            guard case .scenario(let path, let name) = part.content else { continue }
            let source = TraitSource(scenario: path, at: part.location)
            guard !isTaken else {
                diagnostics.report(
                    source.error(
                        .contradiction, "the test has two scenarios", hint: "name one, or `include` one in the other"))
                return
            }
            isTaken = true
            caseName = name
            read(path, source, from: part.location.filePath)
        }
    }

    private mutating func read(_ path: String, _ source: TraitSource, from sourcePath: String) {
        let limit = DocumentLimits.scenario.maximumBytes
        let opened: ReferencedFile
        do throws(ReferencedFileProblem) {
            opened = try files.open(path, namedIn: sourcePath, maximumBytes: limit)
        } catch {
            diagnostics.report(
                source.error(.fileUnreadable, "cannot read `\(path)`: \(error.reason)", hint: error.hint))
            return
        }
        file = opened.name
        let text = SourceFile(name: opened.name, bytes: opened.bytes)
        guard let node = files.reader(for: opened.name).read(text, into: &diagnostics) else { return }
        // `check --resolved --json` writes a list with one scenario per case.
        if case .list(let list) = node, let chosen = choose(among: list.items, source) {
            root = chosen
            caseName = nil
        } else if case .map(let map) = node {
            root = map
        }
    }

    private mutating func choose(among items: [Node], _ source: TraitSource) -> NodeMap? {
        let names = items.map { $0["cases"]?[0]?[.name]?.text ?? $0["scenario"]?.text ?? "" }
        guard let index = CaseNames(names).index(of: caseName, source, into: &diagnostics),
            case .map(let map) = items[index]
        else { return nil }
        return map
    }

    // MARK: Other traits

    private mutating func add(_ part: PlanPart) {
        switch part.content {
        case .fault(let fault, let event, let nth, let times):
            let node: Node = .map([
                "when": (event ?? fault.defaultEvent)?.node(nth: nth), "do": fault.node,
                "times": times.map { .scalar(Scalar($0, form: .plain)) },
            ])
            append(part.place(node, as: "fault"), to: .faults)
        case .timeline(let steps): set(.timeline, part.place(steps, as: "timeline"))
        case .phone(let keys): merge(part.place(keys, as: "phone"), into: .phone)
        case .card, .scenario, .seed, .clock, .idle, .policy, .leavesSessionOpen: break
        }
    }

    private mutating func addCards(of parts: [PlanPart]) {
        let own = root[.cards]?.entries ?? []
        let cards = PlanCards(parts, alongside: own.map(\.key.text))
        for diagnostic in cards.diagnostics.found { diagnostics.report(diagnostic) }
        guard !cards.entries.isEmpty else { return }
        setRoot(.cards, .map(NodeMap(cards.entries + own, range: root[.cards]?.range)))
        // Without a timeline all cards would be present, even the ones that are away.
        if cards.hasAway, root[.timeline] == nil {
            setRoot(.timeline, .list(own.map { ["tap": .scalar($0.key)] }))
        }
        let timeline = root[.timeline].map { Self.tapping(cards.present, before: $0) }
        if let timeline { setRoot(.timeline, timeline) }
        changeCases(.timeline) { timeline in timeline.map { Self.tapping(cards.present, before: $0) } ?? [] }
    }

    /// Returns a timeline that begins by tapping the cards that none of its steps brings.
    private static func tapping(_ cards: [Scalar], before timeline: Node) -> Node {
        guard case .list(let steps) = timeline else { return timeline }
        let brought = steps.items.compactMap { step in
            (step["tap"]?["card"] ?? step["tap"] ?? step["swap"]?["in"])?.text
        }
        let taps = cards.filter { !brought.contains($0.text) }.map { ["tap": .scalar($0)] as Node }
        return .list(NodeList(taps + steps.items, range: steps.range))
    }

    // MARK: Entries

    private mutating func setRoot(_ key: ScenarioKey, _ value: Node) { root = root.replacing(key, with: value) }

    /// Sets a key of the file, and of the cases that have it.
    private mutating func set(_ key: ScenarioKey, _ value: Node) {
        setRoot(key, value)
        changeCases(key) { _ in value }
    }

    /// Appends an item to a list of the file, and of each case that has the list.
    private mutating func append(_ item: Node, to key: ScenarioKey) {
        let added = { (list: Node?) -> Node in .list(NodeList((list?.items ?? []) + [item], range: list?.range)) }
        setRoot(key, added(root[key]))
        changeCases(key, added)
    }

    /// Changes keys of a map of the file, and of each case that has the map.
    private mutating func merge(_ keys: Node, into key: ScenarioKey) {
        let merged = { (map: Node?) -> Node in
            .map(NodeMap(keys.entries + (map?.entries ?? []), range: map?.range ?? keys.range))
        }
        setRoot(key, merged(root[key]))
        changeCases(key, merged)
    }

    private mutating func changeCases(_ key: ScenarioKey, _ change: (Node?) -> Node) {
        guard case .list(let cases)? = root[.cases] else { return }
        let changed = cases.items.map { item -> Node in
            guard case .map(let map) = item, let value = map[key] else { return item }
            return .map(map.replacing(key, with: change(value)))
        }
        setRoot(.cases, .list(NodeList(changed, range: cases.range)))
    }
}

extension PlanPart {
    func place(_ node: Node, as name: String) -> Node {
        TraitSource(".\(name)(\(JSONWriter.text(node)))", at: location).place(node)
    }
}

extension NodeMap {
    /// Returns the map with a key replaced or appended.
    fileprivate func replacing(_ key: ScenarioKey, with value: Node) -> NodeMap {
        guard let index = entries.firstIndex(where: { $0.key.text == key.rawValue }) else {
            return NodeMap(entries + [Entry(Scalar(key.rawValue), value)], range: range)
        }
        var entries = entries
        entries[index] = Entry(entries[index].key, value)
        return NodeMap(entries, range: range)
    }
}
