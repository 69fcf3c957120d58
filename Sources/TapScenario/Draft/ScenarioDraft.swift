import TapField
import TapWire

/// A scenario that states what happened in runs of a client.
///
/// Only what every run has in common is stated, and every expectation is judged on those runs before it is taken: what
/// comes out passes as long as client and cards do what they did.
public struct ScenarioDraft: Sendable {
    /// How much is stated.
    public enum Detail: Hashable, Sendable {
        /// The result without the items of its lists, what is never sent, and the cards.
        case brief
        /// The exchanges, the result and how many commands were sent, too.
        case full
    }

    /// Most exchanges that are stated, so that a person can read them.
    public static let maximumExchanges = 40

    public let name: String
    /// The cards by name, as a file writes them.
    public let cards: Node
    /// The reader, if one is stated.
    public let reader: ReaderSpec?
    /// Who reads the cards.
    public let client: ClientSpec
    /// The seed of the runs.
    public let seed: UInt64
    /// The files that cards may name.
    public let files: (any CompanionFiles)?

    public init(
        name: String, cards: Node, reader: ReaderSpec?, client: ClientSpec, seed: UInt64,
        files: (any CompanionFiles)? = nil
    ) {
        self.name = name
        self.cards = cards
        self.reader = reader
        self.client = client
        self.seed = seed
        self.files = files
    }

    /// The scenario with what the runs have in common.
    ///
    /// - Parameters:
    ///   - records: The runs, at least one, with their traces.
    ///   - detail: How much is stated.
    public func document(of records: [RunRecord], _ detail: Detail) -> Node {
        guard let first = records.first else { return document(expecting: nil) }
        var stated: [(key: String, value: Node)] = []
        if case .exit(let code) = first.client.end, code != 0 {
            stated.append(("client", ["exit": .number(code)]))
        }
        let judged = Judged(draft: self, records: records, base: stated)
        if detail == .full { stated += judged.exchanges(of: first) }
        stated += judged.result(isBrief: detail == .brief)
        if detail == .full { stated += judged.counts(of: first) }
        stated += judged.never() + judged.cards()
        return document(expecting: stated.isEmpty ? nil : .map(stated))
    }

    /// The scenario with an expectation.
    func document(expecting expectation: Node?) -> Node {
        .map([
            "format": 1, "scenario": .text(name),
            "settings": seed == ScenarioLoader.defaultSeed ? nil : ["seed": .number(seed)],
            "cards": cards, "reader": reader?.node, "client": client.node, "expect": expectation,
        ])
    }
}

/// Expectations that were tried on the runs.
private struct Judged {
    let draft: ScenarioDraft
    let records: [RunRecord]
    /// What is expected besides.
    let base: [(key: String, value: Node)]

    /// Whether an expectation is met by every run.
    private func holds(_ key: String, _ value: Node) -> Bool {
        var diagnostics = Diagnostics()
        let document = draft.document(expecting: .map(base + [(key, value)]))
        guard
            let scenario = ScenarioLoader.scenario(
                from: document, file: draft.name, .init(files: draft.files, seed: draft.seed), into: &diagnostics),
            let test = scenario.cases.first
        else { return false }
        return records.allSatisfy { Judge.judge(test, $0).isPassed }
    }

    /// The exchanges of a run in their order; the same one after the other is stated once.
    func exchanges(of record: RunRecord) -> [(key: String, value: Node)] {
        var patterns: [Node] = []
        for exchange in record.world.trace.exchanges where patterns.count < ScenarioDraft.maximumExchanges {
            guard let pattern = PatternDraft.node(of: exchange), pattern != patterns.last else { continue }
            patterns.append(pattern)
        }
        let value = { (patterns: [Node]) -> Node in ["order": "subsequence", "list": .list(patterns)] }
        if patterns.isEmpty || holds("exchanges", value(patterns)) {
            return patterns.isEmpty ? [] : [("exchanges", value(patterns))]
        }
        // The runs differ somewhere: what they have in common is found one by one.
        var common: [Node] = []
        for pattern in patterns where holds("exchanges", value(common + [pattern])) { common.append(pattern) }
        return common.isEmpty ? [] : [("exchanges", value(common))]
    }

    func result(isBrief: Bool) -> [(key: String, value: Node)] {
        let results = records.compactMap(\.client.result)
        guard results.count == records.count else { return [] }
        let entries = ResultDraft.entries(of: results, isBrief: isBrief).filter { entry in
            holds("result", .map([(key: entry.key, value: entry.value)]))
        }
        return entries.isEmpty ? [] : [("result", .map(entries))]
    }

    /// How many commands were sent; how often a reader looks for cards is its own affair.
    func counts(of record: RunRecord) -> [(key: String, value: Node)] {
        var names: [CommandName] = []
        for exchange in record.world.trace.exchanges {
            guard let name = CommandName(of: exchange.command), name.layer != .selection else { continue }
            if name.feliCaCode != .polling, !names.contains(name) { names.append(name) }
        }
        let entries = names.map { name in
            let trace = record.world.trace
            let count = trace.exchanges.count { CommandName(of: $0.command) == name }
            return (key: name.rawValue, value: Node.number(count + (trace.omission?.count(of: name) ?? 0)))
        }.filter { holds("counts", .map([(key: $0.key, value: $0.value)])) }
        return entries.isEmpty ? [] : [("counts", .map(entries))]
    }

    /// The write commands that were not sent to cards that have them.
    func never() -> [(key: String, value: Node)] {
        let technologies = records.flatMap(\.world.trace.exchanges).compactMap { CommandName(of: $0.command)?.layer }
        let names = [(CommandName.Layer.felica, "felica.write"), (.ntag, "ntag.write")]
            .filter { technologies.contains($0.0) }.map { Node.text($0.1) }
            .filter { holds("never", [$0]) }
        return names.isEmpty ? [] : [("never", .list(names))]
    }

    func cards() -> [(key: String, value: Node)] {
        let names = draft.cards.entries.map(\.key.text).filter {
            holds("cards", .map([(key: $0, value: "unchanged")]))
        }
        return names.isEmpty ? [] : [("cards", .map(names.map { (key: $0, value: "unchanged") }))]
    }
}
