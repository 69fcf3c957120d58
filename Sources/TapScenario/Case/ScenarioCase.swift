import TapCards
import TapDocument
import TapField
import TapWire

/// A scenario file, ready to run: one test for each of its cases.
public struct Scenario: Sendable {
    /// The file of a scenario made of arguments.
    package static let argumentsFile = "--card"

    /// Path of the file as the user named it; ``argumentsFile`` for a scenario made of arguments.
    public let file: String
    /// The name in reports: that of the file if it states none.
    public let name: String
    public let title: String?
    /// Words to choose it by.
    public let tags: [String]
    public let seed: UInt64
    /// Names of parameters that the file or a case defines or uses.
    public let parameterNames: [String]
    /// The tests, in the order of the file; at least one.
    public let cases: [ScenarioCase]

    /// The scenario with other cases, numbered from 1.
    func with(_ cases: [ScenarioCase], parameterNames: [String]) -> Scenario {
        let numbered = cases.enumerated().map { index, scenarioCase in
            var copy = scenarioCase
            copy.number = index + 1
            return copy
        }
        return Scenario(
            file: file, name: name, title: title, tags: tags, seed: seed, parameterNames: parameterNames,
            cases: numbered)
    }
}

/// One test: cards, a client, what happens and what has to come out.
public struct ScenarioCase: Sendable {
    public struct NamedCard: Hashable, Sendable {
        /// The name by which the scenario speaks of it.
        public let name: String
        public internal(set) var definition: CardDefinition
        /// The card as the file writes it, parameters filled in.
        package var written: NodeMap

        /// Whether both are the same card, however they are written.
        public static func == (left: NamedCard, right: NamedCard) -> Bool {
            left.name == right.name && left.definition == right.definition
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(definition)
        }
    }

    /// Path of the file as the user named it.
    public let file: String
    /// Number of the case in its file, from 1.
    public internal(set) var number: Int
    /// The name of the case; `nil` in a file without cases.
    public let name: String?
    /// Where the file states it.
    public let source: SourceReference?
    public let scenarioName: String
    public let title: String?
    /// Words to choose the case by, those of the file among them.
    public let tags: [String]
    /// Whether the file leaves the case out.
    public let isSkipped: Bool
    public internal(set) var cards: [NamedCard]
    /// The readers that can see them, in the order of the file; empty if the file does not choose.
    public internal(set) var readers: [NamedReader]
    /// The client that reads the cards, or `nil` if the file names none.
    public internal(set) var client: ClientSpec?
    /// The visits of the cards to a client that stays; `nil` for one visit to a client that ends by itself.
    public internal(set) var visits: VisitPlan?
    /// The timeline as the file writes it; `nil` if it has none.
    var stated: WrittenTimeline?
    public internal(set) var settings: ScenarioSettings
    public let seed: UInt64
    /// The faults of the file, without those of its phone.
    var faults: FaultPlan
    /// The exchanges by which a card answers, if the file has any.
    public let recording: CaseRecording?
    /// The phone of an app that reads the cards, if the file says anything about it.
    public internal(set) var phone: PhoneSpec?
    public internal(set) var expectations: Expectations
    /// A Boolean value that indicates whether the output suffices, of a case whose expectations on it are left out;
    /// `nil` if they are there.
    var leftOutputSuffices: Bool?
    /// Expectations that cannot be judged any more.
    public internal(set) var droppedExpectations: [DroppedExpectation] = []
    /// A Boolean value that indicates whether a client may end well without having read anything.
    public var allowsNoRead = false
    /// Expectations that are judged no more, but still decide how time passes, and when a client that waits is ended.
    package internal(set) var formerExpectations: [Expectation] = []
    /// Whether each card is replaced by another one of its kind.
    var hasOtherCards = false
    /// The only card to present at the start; `nil` presents all.
    var onlyCard: String?
    /// The file with this case alone, of all the files it is put together from; parameters filled in.
    package let document: Node
    /// Where dumps of cards are found.
    let files: (any ReferencedFiles)?
    /// The names by which reports show stations.
    public let stations: StationNames

    /// The name of the case, or that of the scenario where it has none.
    public var displayName: String { name ?? scenarioName }
    /// The name of the scenario, and that of the case where it has one.
    public func name(in scenario: String) -> String { name.map { "\(scenario): \($0)" } ?? scenario }
    /// A Boolean value that indicates whether the case is made of arguments, so that no file states what it expects.
    package var isFromArguments: Bool { file == Scenario.argumentsFile }
    public var pace: ScenarioSettings.Pace { settings.pace }
    public var timeline: Timeline { stated?.timeline ?? Timeline([]) }
    /// Whether every card is present from the start, because the file has no timeline.
    public var tapsAllAtStart: Bool { stated == nil }
    /// The faults of the file, then those of its phone.
    public var plan: FaultPlan { FaultPlan(faults.entries + (phone?.faults ?? []), keepsCalls: faults.keepsCalls) }
    public var limits: RunLimits { settings.limits }

    /// The world at the beginning of a run.
    ///
    /// - Parameter trace: Where events go; the judge needs one that keeps them.
    public func makeWorld(trace: Trace = Trace()) -> World {
        var world = makeQuietWorld(trace: trace)
        beginVisit(in: &world)
        return world
    }

    /// The world before anything happens by itself: every card is away.
    ///
    /// - Parameter trace: Where events go; the judge needs one that keeps them.
    public func makeQuietWorld(trace: Trace = Trace()) -> World {
        var world = World(seed: seed, plan: plan, trace: trace)
        world.place(readerFields)
        world.exchangeLimit = limits.exchanges
        world.limitRetries(limits.retriesPerCommand)
        for card in cards {
            world.add(makeEngine(of: card), named: card.name)
        }
        return world
    }

    private func makeEngine(of card: NamedCard) -> any CardEngine {
        let engine = card.definition.makeEngine()
        if hasOtherCards { return engine.another() }
        guard let recording, recording.card == card.name else { return engine }
        return RecordedCard(recording.recording, foundAs: engine)
    }

    /// Lets happen what happens by itself, from now on.
    public func beginVisit(in world: inout World) {
        world.begin(timeline)
        guard tapsAllAtStart else { return }
        for card in cards where onlyCard == nil || card.name == onlyCard { world.tap(card.name) }
    }

    /// The case with another client.
    ///
    /// Expectations about the output of the former client are dropped.
    public func replacingClient(_ spec: ClientSpec) -> ScenarioCase {
        var copy = self
        copy.client = spec
        copy.drop(.anotherClient, where: \.isOnOutput)
        return copy
    }

    /// A Boolean value that indicates whether a client that has left the expected output may be ended once it only
    /// waits for another card: the case states the output or the result, and no exit code.
    public var outputSuffices: Bool {
        leftOutputSuffices
            ?? (expectations.items.contains(where: \.isOnOutput) && !expectations.items.contains(where: \.isOnExit))
    }

    /// The case with a client that stays for as many visits.
    public func staying(for visitCount: Int) -> ScenarioCase {
        var copy = self
        copy.visits = VisitPlan(visitCount)
        return copy
    }

    /// The case with real cards before a real reader.
    ///
    /// Drops expectations about the cards afterwards, which cannot be inspected, and about exchanges where the client
    /// is a program, since they cannot be observed.
    public func onHardware() -> ScenarioCase {
        var copy = self
        copy.drop(.realCard) { $0.isOnCards || $0.isOnOutcome }
        if case .program? = client { copy.drop(.realReader, where: \.isOnExchanges) }
        return copy
    }

    mutating func drop(_ reason: DroppedExpectation.Reason, where isDropped: (Expectation) -> Bool) {
        for item in expectations.remove(where: isDropped) {
            let key = item.path.split(separator: " ").first.map(String.init) ?? item.path
            let dropped = DroppedExpectation(key: key, reason: reason)
            if !droppedExpectations.contains(dropped) { droppedExpectations.append(dropped) }
        }
    }
}

/// The steps of a timeline, and how the file writes each.
struct WrittenTimeline: Sendable {
    private(set) var timeline: Timeline
    private var written: [Node]

    init(_ timeline: Timeline, _ node: Node) {
        self.timeline = timeline
        written = node.items
    }

    func prefix(_ count: Int) -> WrittenTimeline {
        WrittenTimeline(Timeline(Array(timeline.remaining.prefix(count))), .list(Array(written.prefix(count))))
    }

    /// The steps as the file writes them; cards they make are written in full, so that they need no template.
    var node: Node {
        .list(
            zip(written, timeline.remaining).map { item, step in
                guard case .set(let name, let card)? = step.actions.first else { return item }
                let whole = TimelineVerb.whole(card, named: name)
                return .map(item.entries.map { $0.key.text == whole.key ? whole : ($0.key.text, $0.value) })
            })
    }
}

extension ScenarioCase {
    /// The case with other faults, for runs that a program lays out.
    ///
    /// What a client must never do is still expected; what else is expected was written for the run without faults,
    /// and is judged by the outcome instead.
    public func disturbed(by plan: FaultPlan) -> ScenarioCase {
        var copy = self
        copy.faults = plan
        copy.phone = phone?.withoutFaults
        copy.leftOutputSuffices = outputSuffices
        copy.formerExpectations += copy.expectations.remove { !$0.isOnSafety }
        return copy
    }

    /// The case with the cards that faults such as `rf.swap` bring, in the place of its own.
    package var withOtherCards: ScenarioCase {
        var copy = self
        copy.hasOtherCards = true
        return copy
    }

    /// The names of the cards if several are presented at once, else none.
    package var cardsPresentedTogether: [String] { tapsAllAtStart && cards.count > 1 ? cards.map(\.name) : [] }

    /// The case with one of the cards that are presented together, the others away.
    package func withCard(alone name: String) -> ScenarioCase {
        var copy = self
        copy.onlyCard = name
        return copy
    }

    /// The case with all cards away from its readers, where they stay.
    package var withoutCards: ScenarioCase {
        var copy = self
        copy.stated = WrittenTimeline(Timeline([]), .list([]))
        return copy
    }

    /// The case with cards that tell a lie besides what else goes wrong; the same if it fits none of them.
    public func telling(_ lie: Lie) -> ScenarioCase {
        guard cards.contains(where: { lie.fits($0.definition.makeEngine()) }) else { return self }
        var copy = self
        copy.faults = FaultPlan(faults.entries + lie.entries, keepsCalls: faults.keepsCalls)
        return copy
    }

    /// The case by the virtual clock, so that its runs are the same however fast they are, unless it states a clock or
    /// has steps of its own that wait for a time.
    public var byVirtualClock: ScenarioCase {
        guard settings.clock == .auto, !timeline.remaining.contains(where: \.trigger.isTimed) else { return self }
        var copy = self
        copy.settings.clock = .virtual
        return copy
    }

    public func limited(to wall: Duration) -> ScenarioCase {
        var copy = self
        copy.settings.limits.wall = wall
        return copy
    }

    /// The case with closer bounds; a bound that is closer already stays.
    public func bounded(wall: Duration, exchanges: Int) -> ScenarioCase {
        var copy = self
        copy.settings.limits.wall = min(limits.wall, wall)
        copy.settings.limits.exchanges = min(limits.exchanges, exchanges)
        return copy
    }
}

extension Expectation {
    /// Whether it demands what a client must never do, whatever goes wrong.
    fileprivate var isOnSafety: Bool {
        switch demand {
        case .never, .safety: true
        default: false
        }
    }
}

extension ScenarioCase {
    /// The case without what disturbs its client: its faults, or, where it has none, all that the timeline does from
    /// the first step on that takes a card away.
    public var undisturbed: ScenarioCase {
        var copy = self
        copy.faults = FaultPlan()
        copy.phone = phone?.withoutFaults
        if plan.isEmpty, let first = firstDisturbingStep { copy.stated = stated?.prefix(first) }
        return copy
    }

    package var isDisturbed: Bool { !plan.isEmpty || firstDisturbingStep != nil }

    private var firstDisturbingStep: Int? {
        timeline.remaining.firstIndex { $0.actions.contains(where: \.disturbs) }
    }

    /// Everything a run depends on: cases with equal keys have the same runs.
    public var runKey: Node {
        let told: Set = ["title", "tags", "expect", "cases", "scenario"]
        return .map(resolved.entries.filter { !told.contains($0.key.text) }.map { ($0.key.text, $0.value) })
    }
}

extension Timeline.Action {
    /// Whether a client that is reading has to notice it.
    fileprivate var disturbs: Bool {
        switch self {
        case .tap, .note, .plug, .send: false
        case .remove, .swap, .set, .unplug: true
        }
    }
}

/// Visits of cards to one client that stays: how many, how far apart, and when one is over.
public struct VisitPlan: Hashable, Sendable {
    public static let maximumCount = 1_000
    /// How long a client is idle until it counts as done with a card, by default.
    public static let defaultQuiet = Duration.seconds(1)

    public var count: Int
    public var gap = Duration.milliseconds(500)
    /// How long a client that has sent a frame neither sends nor prints anything until the visit is over.
    public var quiet = defaultQuiet
    /// What the client prints when it is done with a card, which ends the visit at once.
    public var done: LinePattern?

    public init(_ count: Int) {
        self.count = count
    }

    static let shape = Shape.variants([count.shape, .map(table.keys)])

    private static let count = FieldForm<Int>.integer(1...maximumCount)

    static let table = FieldTable(
        "a plan of visits", VisitPlan(1),
        [
            Field("count", \.count, count, "How many visits.", isRequired: true, synonyms: ["n", "times", "visits"]),
            Field("gap", \.gap, .duration, "The time without cards between two visits.", synonyms: ["after"]),
            Field(
                "done", \.done, .rule(LinePatternRule()),
                "A piece of a line the client prints when it is done with a card.", synonyms: ["until"]),
            Field(
                "quiet", \.quiet, .duration,
                "Without such a line, how long the client does nothing until a visit is over.",
                synonyms: ["idle"]),
        ])

    static func decode(_ value: ValueReader) -> VisitPlan {
        value.kind == .map ? table.value(value.map) : VisitPlan(value.integer)
    }
}
