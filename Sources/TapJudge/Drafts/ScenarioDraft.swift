import TapDocument
import TapField
import TapScenario
import TapWire

/// A scenario that states what happened in runs of a client.
///
/// It states only what all runs share. Each expectation is first judged on those runs, so the scenario passes as long as the
/// client and the cards behave the same.
public struct ScenarioDraft: Sendable {
    public enum Detail: Hashable, Sendable {
        /// The result without list items, the commands never sent, and the cards.
        case brief
        /// Additionally the exchanges, the counts of commands, and the full result or, without one, the output.
        case full
    }

    /// Notes for the reader of the draft.
    public enum Note: Hashable, Sendable, CustomStringConvertible {
        case printsNothing
        /// No line of the output is the same in all runs.
        case printsNothingStable
        /// The number of lines that differ between the runs, and the first of these lines.
        case linesDiffer(Int, String)
        /// The client sends nothing to a card once it has found it.
        case readsIdentityOnly

        /// A Boolean value that indicates whether the scenario cannot check what the client makes of the card.
        public var isWarning: Bool { self == .printsNothing || self == .printsNothingStable }

        public var description: String {
            switch self {
            case .printsNothing:
                "TapSim saw no output of the client, so the scenario does not check its result; print and flush "
                    + "it, or state another expectation under `expect`"
            case .printsNothingStable:
                "no line of the output is the same in both runs, so the scenario does not check the client's result; "
                    + "state the expected output under `expect: {client: {prints: …}}`"
            case .linesDiffer(let count, let line):
                "\(CountText.of(count, "line")) of the output "
                    + "\(count == 1 ? "differs" : "differ") between the runs and \(count == 1 ? "is" : "are") left "
                    + "out of `expect`, such as \(ClientJudge.quote(line))"
            case .readsIdentityOnly:
                "the client reads only the UID or IDm, so the scenario expects just that, without any command"
            }
        }
    }

    /// The number of exchanges that a person can still read.
    public static let maximumExchanges = 40

    public let name: String
    public let cards: Node
    public let reader: ReaderSpec?
    public var client: ClientSpec
    public let seed: UInt64
    /// The number of visits to a client that TapSim has to end; `nil` for a client that exits by itself.
    public var visits: Int?
    public let files: (any ReferencedFiles)?

    public init(
        name: String, cards: Node, reader: ReaderSpec?, client: ClientSpec, seed: UInt64,
        files: (any ReferencedFiles)? = nil
    ) {
        self.name = name
        self.cards = cards
        self.reader = reader
        self.client = client
        self.seed = seed
        self.files = files
    }

    /// Returns the scenario with what the runs share, and notes on it.
    ///
    /// - Parameter records: At least one run, with traces.
    public func document(of records: [RunRecord], _ detail: Detail) -> (document: Node, notes: [Note]) {
        guard let first = records.first else { return (document(expecting: nil), []) }
        var notes: [Note] = []
        var client: [(key: String, value: Node)] = []
        if case .exit(let code) = first.client.end, code != 0 { client.append(("exit", .number(code))) }
        let judged = Judged(draft: self, records: records, base: client)
        let result = judged.result(isBrief: detail == .brief)
        if detail == .full, result.isEmpty, case .program = self.client {
            let output = judged.output()
            client += output.stated
            notes += output.notes
        }
        var stated: [(key: String, value: Node)] = client.isEmpty ? [] : [("client", .map(client))]
        if detail == .full { stated += judged.exchanges(of: first) }
        stated += result
        // The number of commands depends on how long TapSim lets such a client run.
        if detail == .full, visits == nil { stated += judged.counts(of: first) }
        stated += judged.never() + judged.cards()
        if detail == .full, judged.readsIdentityOnly { notes.append(.readsIdentityOnly) }
        return (document(expecting: stated.isEmpty ? nil : .map(stated)), notes)
    }

    public var scenarioCase: ScenarioCase? { scenarioCase(expecting: nil) }

    fileprivate func scenarioCase(expecting expectation: Node?) -> ScenarioCase? {
        var diagnostics = Diagnostics()
        return ScenarioLoader.scenario(
            from: document(expecting: expectation), file: name, .init(files: files, seed: seed), into: &diagnostics)?
            .cases.first
    }

    private func document(expecting expectation: Node?) -> Node {
        .map([
            "format": 1, "scenario": .text(name),
            "settings": seed == ScenarioLoader.defaultSeed ? nil : ["seed": .number(seed)],
            "cards": cards, "reader": reader?.node, "client": client.node, "taps": visits.map { .number($0) },
            "expect": expectation,
        ])
    }
}

/// Builds expectations and keeps those that hold in all runs.
private struct Judged {
    let draft: ScenarioDraft
    let records: [RunRecord]
    let base: [(key: String, value: Node)]

    private func holds(_ key: String, _ value: Node) -> Bool {
        holds((base.isEmpty ? [] : [("client", .map(base))]) + [(key, value)])
    }

    private func holds(_ expectation: [(key: String, value: Node)]) -> Bool {
        guard let test = draft.scenarioCase(expecting: .map(expectation)) else { return false }
        return records.allSatisfy { Judge.judge(test, $0).isPassed }
    }

    /// Returns the output that the runs share: standard output or, if none of it is stable, standard error.
    func output() -> (stated: [(key: String, value: Node)], notes: [ScenarioDraft.Note]) {
        let streams = [
            ("stdout", records.map(\.client.standardOutput)), ("stderr", records.map(\.client.standardError)),
        ]
        for (key, outputs) in streams {
            let shared = OutputDraft(outputs)
            let texts = shared.texts(repeating: draft.visits != nil).filter {
                holds([("client", .map(base + [(key, .text($0))]))])
            }.map { Node.scalar(Scalar($0, form: .literal)) }
            guard !texts.isEmpty else { continue }
            let value = texts.count == 1 ? texts[0] : .list(texts)
            return ([(key, value)], shared.unstable.first.map { [.linesDiffer(shared.unstable.count, $0)] } ?? [])
        }
        return ([], [streams.allSatisfy { $0.1.allSatisfy(\.isEmpty) } ? .printsNothing : .printsNothingStable])
    }

    /// A Boolean value that indicates whether all commands were only searches for a card.
    var readsIdentityOnly: Bool {
        let exchanges = records.flatMap { $0.world.trace.exchanges.map(SeenExchange.init) }
        return exchanges.contains(where: \.isFindingACard) && exchanges.allSatisfy(\.isSearching)
    }

    /// Returns the exchanges of a run in order; repeated exchanges are stated once.
    func exchanges(of record: RunRecord) -> [(key: String, value: Node)] {
        var patterns: [Node] = []
        let isIdentity = readsIdentityOnly
        for exchange in record.world.trace.exchanges where patterns.count < ScenarioDraft.maximumExchanges {
            let pattern = isIdentity ? PatternDraft.node(ofIdentity: exchange) : PatternDraft.node(of: exchange)
            guard let pattern, pattern != patterns.last else { continue }
            // A client that TapSim ends reads again as often as time allows.
            if draft.visits != nil, patterns.contains(pattern) { continue }
            patterns.append(pattern)
        }
        let value = { (patterns: [Node]) -> Node in ["order": "subsequence", "list": .list(patterns)] }
        if patterns.isEmpty || holds("exchanges", value(patterns)) {
            return patterns.isEmpty ? [] : [("exchanges", value(patterns))]
        }
        // The runs differ: find the shared exchanges one at a time.
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

    /// Returns the number of times each command was sent, without the reader's own searches for cards.
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

enum PatternDraft {
    /// Returns the pattern as a file contains it; `nil` for empty frames and for selection, which depends on the reader.
    static func node(of exchange: Exchange) -> Node? {
        let seen = SeenExchange(exchange)
        guard let name = seen.command.name, name.layer != .selection else { return nil }
        var entries: [(key: String, value: Node)] = [("command", .text(name.rawValue))]
        entries += arguments(of: seen.command, name)
        if let reply = reply(seen.reply) { entries.append(("reply", reply)) }
        return .map(entries)
    }

    private static let anticollision = CommandName("a3.anticollision")

    /// Returns a pattern with the whole answer for an exchange in which a reader learns a UID or IDm; `nil` for other
    /// exchanges.
    static func node(ofIdentity exchange: Exchange) -> Node? {
        let seen = SeenExchange(exchange)
        guard let name = seen.command.name, seen.isFindingACard, exchange.answers.count == 1 else { return nil }
        // The answers to WUPA and SELECT only reveal the kind of card.
        guard name.feliCaCode == .polling || name == anticollision else { return nil }
        let answer = exchange.answers[0].frame
        return .map([("command", .text(name.rawValue)), ("reply", ["hex": hex(answer.bytes)])])
    }

    private static func arguments(of command: CommandFacts, _ name: CommandName) -> [(key: String, value: Node)] {
        var entries: [(key: String, value: Node)] = []
        if let system = command.system { entries.append(("system", code(system.rawValue))) }
        switch command.services.count {
        case 0: break
        case 1: entries.append(("service", code(command.services[0].rawValue)))
        default: entries.append(("service", .list(command.services.map { code($0.rawValue) })))
        }
        if !command.blocks.isEmpty { entries.append(("blocks", numbers(command.blocks.map(\.number)))) }
        if let pages = command.pages {
            let isOne = pages.count == 1
            entries.append((isOne ? "page" : "pages", isOne ? .number(pages.lowerBound) : range(pages)))
        }
        if let password = command.password { entries.append(("pwd", hex(password))) }
        if let data = command.data, name.opcode != .compatibilityWrite { entries.append(("data", hex(data))) }
        return entries
    }

    private static func reply(_ reply: ReplyFacts) -> Node? {
        switch reply {
        case .silence: "silence"
        case .acknowledgement(let value): value.isAck ? "ack" : ["nak": .number(value.rawValue)]
        case .status(let flags, let count, _):
            .map([
                "status": hex([flags.flag1, flags.flag2]), "blocks": flags.isSuccess ? count.map(Node.number) : nil,
            ])
        case .data: "ok"
        case .collision, .damaged: nil
        }
    }

    private static func numbers(_ numbers: [Int]) -> Node {
        guard let first = numbers.first, let last = numbers.last else { return [] }
        guard zip(numbers, numbers.dropFirst()).allSatisfy({ $1 == $0 + 1 }) else {
            return .list(numbers.map(Node.number))
        }
        return range(first...last)
    }

    private static func range(_ range: ClosedRange<Int>) -> Node {
        range.count == 1 ? .number(range.lowerBound) : .text("\(range.lowerBound)..\(range.upperBound)")
    }

    private static func code(_ code: UInt16) -> Node { .text(Hex.digits(code, width: 4)) }

    private static func hex(_ bytes: [UInt8]) -> Node { .text(Hex.text(bytes, separator: " ")) }
}

/// The values of a result that a scenario can expect, by JSON pointer.
enum ResultDraft {
    /// The number of list items stated individually; the length covers the rest.
    private static let statedItems = 2

    /// Returns the values that all results share, in the order of the first result.
    ///
    /// - Parameter isBrief: Whether to state only the length of lists.
    static func entries(of results: [Node], isBrief: Bool) -> [(key: String, value: Node)] {
        guard let first = results.first else { return [] }
        let all = results.map { entries(of: $0, at: "", isBrief: isBrief) }
        return all[0].filter { entry in
            first.kind != .scalar && all.allSatisfy { $0.contains { $0.key == entry.key && $0.value == entry.value } }
        }
    }

    private static func entries(of node: Node, at path: String, isBrief: Bool) -> [(key: String, value: Node)] {
        switch node {
        case .scalar:
            return [(path, node)]
        case .list(let list):
            let items = isBrief ? [] : Array(list.items.prefix(statedItems).enumerated())
            return [("\(path)/length", .number(list.items.count))]
                + items.flatMap { entries(of: $0.element, at: "\(path)/\($0.offset)", isBrief: isBrief) }
        case .map(let map):
            return map.entries.flatMap { entry in
                let name = JSONPointer.escaped(entry.key.text)
                return entries(of: entry.value, at: "\(path)/\(name)", isBrief: isBrief)
            }
        }
    }
}
