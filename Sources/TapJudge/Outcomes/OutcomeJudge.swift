import TapCards
import TapDocument
import TapField
import TapScenario
import TapWire

/// Finds out what became of a client.
struct OutcomeJudge: Sendable {
    private let resultSpec: ResultSpec
    private let clearError: ClearErrorSpec?
    private let policy: SafetyPolicy
    /// Exit codes with which a clean run may end.
    private let exits: [IntegerRange]
    /// Keys of misdeeds that the file asks for.
    private let asked: Set<String>

    init(_ test: ScenarioCase) {
        resultSpec = test.resultSpec
        clearError = test.clearErrorSpec
        policy = test.safetyPolicy
        exits = test.expectations.items.compactMap { item in
            if case .exit(let range) = item.demand { range } else { nil }
        }
        asked = Set(test.expectations.items.flatMap(\.writesAskedFor))
    }

    /// The result of a run without what may differ.
    func result(of record: RunRecord) -> Node {
        resultSpec.comparable(record.client.result, standardOutput: record.client.standardOutput)
    }

    /// Whether the result of a run is lines of text.
    func hasLines(_ record: RunRecord) -> Bool {
        record.client.result == nil || resultSpec.place == .standardOutput
    }

    /// How a clean run ended, and what is wrong if it may not end so.
    func cleanEnd(of record: RunRecord) -> (exit: Int32, finding: OutcomeFinding?) {
        let end = EndOracle(record, clearError)
        if let finding = end.crash ?? end.endless(cleanExchanges: nil) { return (0, finding) }
        guard let code = end.exit else { return (0, Self.unseen) }
        if let early = Self.earlyEnd(of: record) { return (code, early) }
        if code == 0 { return (code, end.clearError(code)) }
        guard exits.contains(where: { $0.contains(Int(code)) }) else {
            return (code, OutcomeFinding(.clearError, "exit \(code)\(end.lastWords)"))
        }
        return (code, nil)
    }

    /// All that is to say of a run, the most serious first.
    func findings(of record: RunRecord, against baseline: Baseline) -> [OutcomeFinding] {
        let end = EndOracle(record, clearError)
        let misdeeds = Misdeed.all(in: record).filter { $0.amount > baseline.habits[$0.key] ?? 0 }
        var found = findings(from: misdeeds)
        if policy.forbidden.contains(.halfWritten) {
            found += HalfWrittenOracle(record, messages: baseline.messages).findings
        }
        if let numbers = record.world.trace.omission?.numbers { found.append(Self.untold(numbers)) }
        let hasCrashed = end.crash.map { found.append($0) } != nil
        if !hasCrashed { found.append(ending(of: record, end, against: baseline)) }
        return Self.sorted(found)
    }

    /// Findings of misdeeds that are not allowed, each kind once at its first place.
    func findings(from misdeeds: [Misdeed]) -> [OutcomeFinding] {
        let counted = misdeeds.filter { misdeed in
            !asked.contains(misdeed.key) && misdeed.rule.map(policy.forbidden.contains) ?? true
        }
        return Self.sorted(counted.map { OutcomeFinding($0.outcome, at: $0.exchange, $0.reason) })
    }

    /// How a run under faults ended, without a crash.
    private func ending(of record: RunRecord, _ end: EndOracle, against baseline: Baseline) -> OutcomeFinding {
        guard let endless = end.endless(cleanExchanges: baseline.exchangeCount) else {
            return end.exit.map { judged(record, end, exit: $0, against: baseline) } ?? Self.unseen
        }
        // A client that stays by design is to be right, or to say that it is not; that it stays is no hang.
        guard baseline.stays, end.isOutOfTime else { return endless }
        let finding = judged(record, end, exit: baseline.exit, against: baseline)
        return finding.outcome.isOK ? finding : endless
    }

    /// What a run under faults that came to an end came to.
    private func judged(
        _ record: RunRecord, _ end: EndOracle, exit code: Int32, against baseline: Baseline
    ) -> OutcomeFinding {
        if code == 0, let told = end.clearError(code) { return told }
        guard code == baseline.exit else { return end.error(code, cleanExit: baseline.exit) }
        if let early = Self.earlyEnd(of: record) { return early }
        // Where cards hold something else than in the clean runs, nobody knows what is right.
        let hasOtherContent = record.world.plan.hasChangedContent
        let differences =
            hasOtherContent ? [] : ResultDifference.all(between: baseline.result, and: result(of: record))
        if let first = differences.first {
            // A client that always ends with an error has no result to lose.
            if code != 0 { return end.error(code, cleanExit: 0) }
            if differences.isSilentLoss {
                return OutcomeFinding(.silentLoss, at: record.place, "\(first.text), and it exits 0")
            }
            let shown = differences.first { !$0.isLoss } ?? first
            return OutcomeFinding(.wrongResult, at: record.place, "\(shown.text), and it exits \(code)")
        }
        if let place = baseline.written.first(where: { !$0.isMet(in: record.world) }) {
            return OutcomeFinding(
                .wrongResult, at: record.place,
                "\(place.target.text) of \(place.card) does not hold what it holds after the clean run, "
                    + "and it exits \(code)")
        }
        let result = hasOtherContent ? "a result of other content" : "the result of the clean runs"
        return OutcomeFinding(.correct, "exit \(code) and \(result)")
    }

    /// What there is to say of a client that somebody else started.
    private static let unseen = OutcomeFinding(.hang, "nobody here sees how the client ends")

    /// What there is to say of a run that is too long for all of it to be looked at.
    static func untold(_ numbers: ClosedRange<Int>) -> OutcomeFinding {
        OutcomeFinding(
            .livelock, at: numbers.lowerBound,
            "exchanges \(numbers.lowerBound) to \(numbers.upperBound) are not kept, so that nobody can tell")
    }

    /// A client that ended by itself although more cards were to come.
    private static func earlyEnd(of record: RunRecord) -> OutcomeFinding? {
        guard case .exit = record.client.end, let visits = record.client.visits, visits.finished < visits.planned else {
            return nil
        }
        return OutcomeFinding(
            .wrongResult, at: record.place,
            "it ended in visit \(visits.finished + 1) of \(visits.planned)")
    }

    /// The order in which findings are told.
    private static let severity: [Outcome] = [
        .safety, .crash, .hang, .livelock, .wrongResult, .silentLoss, .protocolMisuse, .leak, .flaky, .clearError,
        .correct,
    ]

    /// Most serious first; within an outcome in the order of the run.
    private static func sorted(_ findings: [OutcomeFinding]) -> [OutcomeFinding] {
        severity.flatMap { outcome in
            findings.filter { $0.outcome == outcome }.enumerated()
                .sorted { ($0.element.exchange ?? .max, $0.offset) < ($1.element.exchange ?? .max, $1.offset) }
                .map(\.element)
        }
    }
}

/// Holds what became of a client against what its case expects.
struct OutcomeExpectation {
    private let test: ScenarioCase
    private let record: RunRecord

    init(_ test: ScenarioCase, _ record: RunRecord) {
        self.test = test
        self.record = record
    }

    /// What was not met; nothing if nobody has found out what became of the client, or the case does not ask.
    ///
    /// They stand in place of failures about how the client ended, which an outcome tells as well.
    var failures: [Failure]? {
        guard case .success(let finding)? = record.outcome else { return nil }
        guard let (outcomes, item) = test.expectedOutcomes else { return breach(finding) }
        guard !record.hasMissedEveryDoor else { return nil }
        guard !outcomes.contains(finding.outcome) else { return [] }
        let expected = Self.text(outcomes)
        return [
            item.map { $0.failure(expected, got: "\(finding)", nearest: finding.exchange) }
                ?? Failure(path: "client", expected: expected, got: "\(finding)", nearest: finding.exchange)
        ]
    }

    /// A breach of the rules that the case states; how the client ends is judged beside it.
    private func breach(_ finding: OutcomeFinding) -> [Failure]? {
        guard finding.outcome == .safety else { return nil }
        let item = test.expectations.items.first { if case .safety = $0.demand { true } else { false } }
        return item.map { [$0.failure("a client that keeps to it", got: finding.reason, nearest: finding.exchange)] }
    }

    /// Outcomes for a sentence: `a right result or a clear error`.
    private static func text(_ outcomes: [Outcome]) -> String {
        ListText.choice(
            outcomes.map { outcome in
                switch outcome {
                case .correct: "the result of the clean runs"
                case .clearError: "a clear error"
                default: outcome.rawValue
                }
            })
    }
}

/// The exchanges of a run with what oracles ask of them, read once.
struct RunFacts {
    /// One exchange.
    struct Item {
        let exchange: Exchange
        let command: CommandFacts
        let reply: ReplyFacts
        /// States of the cards that heard the command and did not answer.
        var silentStates: [TraceEvent.CardState] = []

        init(_ exchange: Exchange) {
            self.exchange = exchange
            command = CommandFacts(exchange.command)
            reply = ReplyFacts(exchange, command.name)
        }

        var number: Int { exchange.number }

        /// Whether the command writes to a card.
        var isWrite: Bool {
            command.name?.opcode == .write || command.name?.opcode == .compatibilityWrite
                || command.name?.feliCaCode == .writeWithoutEncryption
        }

        /// Whether the client was told that its command was carried out; data are no answer to a write.
        var isAccepted: Bool {
            switch reply {
            case .acknowledgement(let value): value.isAck
            case .status(let flags, _, _): flags.isSuccess
            case .data: !isWrite
            case .silence, .collision, .damaged: false
            }
        }

        /// Whether the client was told that its command was not carried out.
        var isRefused: Bool {
            switch reply {
            case .acknowledgement(let value): !value.isAck
            case .status(let flags, _, _): !flags.isSuccess
            case .data, .silence, .collision, .damaged: false
            }
        }
    }

    let items: [Item]
    let world: World

    init(_ world: World) {
        self.world = world
        var items = world.trace.exchanges.map(Item.init)
        var index = -1
        for event in world.trace.events {
            switch event.kind {
            case .command: index += 1
            case .silence(let states) where items.indices.contains(index): items[index].silentStates = states
            default: break
            }
        }
        self.items = items
    }
}

/// What a card holds if every write it acknowledged was carried out and no other one.
///
/// This is what a client is answerable for: a fault that tears a page, or acknowledges what it does not write, leaves
/// another memory, which is no misdeed of the client.
enum AcknowledgedMemory {
    /// The message of a card before the run and after it; nothing where it is none for NDEF or nothing was written.
    static func messages(of slot: CardSlot, _ facts: RunFacts) -> (before: StoredMessage, after: StoredMessage)? {
        switch slot.original {
        case let tag as NTAGCard: messages(of: tag, named: slot.name, facts)
        case let card as FeliCaCard: messages(of: card, named: slot.name, facts)
        default: nil
        }
    }

    /// The message that a card really holds after the run.
    static func stored(on slot: CardSlot) -> StoredMessage? {
        switch slot.engine {
        case let tag as NTAGCard: StoredMessage(pages: bytes(of: tag))
        case let card as FeliCaCard: blocks(of: card).map(StoredMessage.init)
        default: nil
        }
    }

    private static func bytes(of tag: NTAGCard) -> [UInt8] {
        (0..<tag.template.definition.product.layout.pageCount).flatMap { tag[page: $0].bytes }
    }

    private static func blocks(of card: FeliCaCard) -> [BlockData]? {
        let services = [Type3Services.read, Type3Services.write]
        guard card.template.definition.systems.contains(where: { $0.code == .ndef }) else { return nil }
        return services.lazy.compactMap { card.blocks(of: $0, in: .ndef) }.first
    }

    private static func messages(
        of tag: NTAGCard, named name: String, _ facts: RunFacts
    ) -> (before: StoredMessage, after: StoredMessage)? {
        let count = tag.template.definition.product.layout.pageCount
        let before = bytes(of: tag)
        var pages = before
        for item in facts.items where item.isWrite && item.isAccepted && item.wasAnswered(by: name) {
            // The data of a COMPATIBILITY_WRITE come in a frame of their own, which no oracle follows.
            guard let page = item.command.pages?.lowerBound, let data = item.command.data, page < count else {
                return nil
            }
            pages.replaceSubrange(page * PageData.byteCount..<(page + 1) * PageData.byteCount, with: data)
        }
        let user = Type2DataArea.firstAddress
        guard pages[user...] != before[user...] else { return nil }
        return (StoredMessage(pages: before), StoredMessage(pages: pages))
    }

    private static func messages(
        of card: FeliCaCard, named name: String, _ facts: RunFacts
    ) -> (before: StoredMessage, after: StoredMessage)? {
        guard let before = blocks(of: card) else { return nil }
        var blocks = before
        for item in facts.items where item.isWrite && item.isAccepted && item.wasAnswered(by: name) {
            guard item.command.services == [Type3Services.write], let data = item.command.data else { continue }
            for (index, block) in item.command.blocks.enumerated() where blocks.indices.contains(block.number) {
                let start = index * BlockData.byteCount
                blocks[block.number] = BlockData(data[start..<start + BlockData.byteCount])
            }
        }
        return blocks == before ? nil : (StoredMessage(blocks: before), StoredMessage(blocks: blocks))
    }
}

extension RunFacts.Item {
    /// Whether a card of a name answered.
    func wasAnswered(by name: String) -> Bool {
        exchange.answers.contains { $0.cards.contains { $0 == name || $0.split(separator: ", ").contains(name[...]) } }
    }
}
