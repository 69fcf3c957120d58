import TapCards
import TapDocument
import TapField
import TapWire

/// A scenario file that is ready to run, with one test for each of its cases.
public struct Scenario: Sendable {
    /// The placeholder file name of a scenario made from arguments.
    package static let argumentsFile = "--card"

    /// The path of the file as the user named it, or ``argumentsFile`` for a scenario made from arguments.
    public let file: String
    /// The name in reports (default: the name of the file).
    public let name: String
    public let title: String?
    /// Tags for selecting the scenario.
    public let tags: [String]
    public let seed: UInt64
    /// Names of parameters that the file or a case defines or uses.
    public let parameterNames: [String]
    /// The tests, in the order of the file; there is at least one.
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

/// A test: cards, a client, events and the expected outcome.
public struct ScenarioCase: Sendable {
    public struct NamedCard: Hashable, Sendable {
        public let name: String
        public internal(set) var definition: CardDefinition
        /// The card as written in the file, with parameters substituted.
        package var written: NodeMap

        /// Returns whether both are the same card, however they are written.
        public static func == (left: NamedCard, right: NamedCard) -> Bool {
            left.name == right.name && left.definition == right.definition
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(definition)
        }
    }

    /// The path of the file as the user named it.
    public let file: String
    /// The number of the case in its file, counted from 1.
    public internal(set) var number: Int
    /// The name of the case, or `nil` in a file without cases.
    public let name: String?
    /// The location of the case in the file.
    public let source: SourceReference?
    public let scenarioName: String
    public let title: String?
    /// Tags for selecting the case, including those of the file.
    public let tags: [String]
    /// A Boolean value that indicates whether the file skips the case.
    public let isSkipped: Bool
    public internal(set) var cards: [NamedCard]
    /// The readers that can see the cards, in the order of the file; empty if the file does not choose any.
    public internal(set) var readers: [NamedReader]
    /// The client that reads the cards, or `nil` if the file names none.
    public internal(set) var client: ClientSpec?
    /// The visits of the cards to a long-running client, or `nil` for one visit to a client that ends by itself.
    public internal(set) var visits: VisitPlan?
    /// The timeline as written in the file, or `nil` if there is none.
    var stated: WrittenTimeline?
    public internal(set) var settings: ScenarioSettings
    public let seed: UInt64
    /// The faults of the file, without those of its phone.
    var faults: FaultPlan
    /// The recorded exchanges from which a card answers, if the file has a recording.
    public let recording: CaseRecording?
    /// The phone of an app that reads the cards, if the file describes it.
    public internal(set) var phone: PhoneSpec?
    public internal(set) var expectations: Expectations
    /// The value of ``outputSuffices`` before the expectations about the output were removed, or `nil` if they were not.
    var leftOutputSuffices: Bool?
    /// Expectations that can no longer be judged.
    public internal(set) var droppedExpectations: [DroppedExpectation] = []
    /// A Boolean value that indicates whether a client may succeed without having read anything.
    public var allowsNoRead = false
    /// Expectations that are no longer judged; they still determine the clock, and when a waiting client is ended.
    package internal(set) var formerExpectations: [Expectation] = []
    /// A Boolean value that indicates whether each card is replaced by another card of its kind.
    var hasOtherCards = false
    /// A Boolean value that indicates whether visits bring the cards in order, one each, and then the first one again.
    var bringsCardsInTurn = false
    /// The only card to present at the start, or `nil` to present all.
    var onlyCard: String?
    /// The document of this case alone, merged from all its files, with parameters substituted.
    package let document: Node
    /// Resolves the paths of card dumps.
    let files: (any ReferencedFiles)?
    /// The names of stations in reports.
    public let stations: StationNames

    /// The name of the case (default: the name of the scenario).
    public var displayName: String { name ?? scenarioName }
    /// The name of the scenario, followed by the name of the case if it has one.
    public func name(in scenario: String) -> String { name.map { "\(scenario): \($0)" } ?? scenario }
    /// A Boolean value that indicates whether the case is made from arguments, so that no file states expectations.
    package var isFromArguments: Bool { file == Scenario.argumentsFile }
    public var pace: ScenarioSettings.Pace { settings.pace }
    public var timeline: Timeline { stated?.timeline ?? Timeline([]) }
    /// A Boolean value that indicates whether every card is present from the start because the file has no timeline.
    public var tapsAllAtStart: Bool { stated == nil }
    /// The faults of the file, then those of its phone.
    public var plan: FaultPlan { FaultPlan(faults.entries + (phone?.faults ?? []), keepsCalls: faults.keepsCalls) }
    public var limits: RunLimits { settings.limits }

    /// Creates the world at the beginning of a run.
    ///
    /// - Parameter trace: Receives events. The judge needs a trace that keeps them.
    public func makeWorld(trace: Trace = Trace()) -> World {
        var world = makeQuietWorld(trace: trace)
        beginVisit(in: &world)
        return world
    }

    /// Creates the world before any scheduled event: every card is away.
    ///
    /// - Parameter trace: Receives events. The judge needs a trace that keeps them.
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

    /// Starts the timeline, or presents the cards if there is none.
    ///
    /// - Parameter number: The number of the visit, from 1.
    public func beginVisit(in world: inout World, number: Int = 1) {
        world.begin(timeline)
        guard tapsAllAtStart else { return }
        if bringsCardsInTurn { return world.tap(cards[(number - 1) % cards.count].name) }
        for card in cards where onlyCard == nil || card.name == onlyCard { world.tap(card.name) }
    }

    /// The case with another client; drops expectations about the output of the previous client.
    public func replacingClient(_ spec: ClientSpec) -> ScenarioCase {
        var copy = self
        copy.client = spec
        copy.drop(.anotherClient, where: \.isOnOutput)
        return copy
    }

    /// A Boolean value that indicates whether a client that has printed the expected output may be ended once it only waits
    /// for another card.
    ///
    /// True if the case expects an output or a result, and no exit code.
    public var outputSuffices: Bool {
        leftOutputSuffices
            ?? (expectations.items.contains(where: \.isOnOutput) && !expectations.items.contains(where: \.isOnExit))
    }

    /// The case with a long-running client and this many visits.
    public func staying(for visitCount: Int) -> ScenarioCase {
        var copy = self
        copy.visits = VisitPlan(visitCount)
        return copy
    }

    /// The case with real cards on a real reader.
    ///
    /// Drops expectations about the cards after the run, which cannot be inspected, and, if the client is a program, about
    /// exchanges, which cannot be observed.
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

    /// The steps as the file writes them; cards that the steps create are written in full and need no template.
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
    /// The case with other faults, for runs that a program generates.
    ///
    /// Expectations about what a client must never do remain. Other expectations were written for the run without faults; the
    /// outcome is judged instead.
    public func disturbed(by plan: FaultPlan) -> ScenarioCase {
        var copy = self
        copy.faults = plan
        copy.phone = phone?.withoutFaults
        copy.leftOutputSuffices = outputSuffices
        copy.formerExpectations += copy.expectations.remove { !$0.isOnSafety }
        return copy
    }

    /// The case with its cards replaced by those that faults such as `rf.swap` bring.
    package var withOtherCards: ScenarioCase {
        var copy = self
        copy.hasOtherCards = true
        return copy
    }

    /// The names of the cards if several are presented at once, otherwise an empty array.
    package var cardsPresentedTogether: [String] { tapsAllAtStart && cards.count > 1 ? cards.map(\.name) : [] }

    /// The case with only one of the cards that are presented together; the others stay away.
    package func withCard(alone name: String) -> ScenarioCase {
        var copy = self
        copy.onlyCard = name
        return copy
    }

    /// The case with all cards away from its readers throughout.
    package var withoutCards: ScenarioCase {
        var copy = self
        copy.stated = WrittenTimeline(Timeline([]), .list([]))
        return copy
    }

    /// The case with a lie added to its other faults, or the unchanged case if the lie fits none of its cards.
    public func injecting(_ lie: Lie) -> ScenarioCase {
        guard cards.contains(where: { lie.fits($0.definition.makeEngine()) }) else { return self }
        var copy = self
        copy.faults = FaultPlan(faults.entries + lie.entries, keepsCalls: faults.keepsCalls)
        return copy
    }

    /// The case with the virtual clock, so that its runs do not depend on their speed, unless it states a clock or has
    /// timeline steps that wait for a time.
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

    /// The case with another limit of exchanges.
    package func limited(toExchanges count: Int) -> ScenarioCase {
        var copy = self
        copy.settings.limits.exchanges = count
        return copy
    }

    /// The case with tighter limits; limits that are already tighter stay.
    public func bounded(wall: Duration, exchanges: Int) -> ScenarioCase {
        var copy = self
        copy.settings.limits.wall = min(limits.wall, wall)
        copy.settings.limits.exchanges = min(limits.exchanges, exchanges)
        return copy
    }
}

extension Expectation {
    /// Returns whether it demands something that a client must never violate, whatever goes wrong.
    fileprivate var isOnSafety: Bool {
        switch demand {
        case .never, .safety: true
        default: false
        }
    }
}

extension ScenarioCase {
    /// The case without anything that disturbs its client: without its faults or, if it has none, without the timeline from
    /// the first step that takes a card away.
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

    /// Everything a run depends on; cases with equal keys have the same runs.
    public var runKey: Node {
        let told: Set = ["title", "tags", "expect", "cases", "scenario"]
        return .map(resolved.entries.filter { !told.contains($0.key.text) }.map { ($0.key.text, $0.value) })
    }
}

extension Timeline.Action {
    /// A Boolean value that indicates whether a client that is reading must notice the action.
    fileprivate var disturbs: Bool {
        switch self {
        case .tap, .note, .plug, .send: false
        case .remove, .swap, .set, .unplug: true
        }
    }
}

/// Visits of cards to one long-running client: their number, the gaps between them, and when a visit is over.
public struct VisitPlan: Hashable, Sendable {
    public static let maximumCount = 1_000
    /// The default time after which an idle client counts as done with a card.
    public static let defaultQuiet = Duration.seconds(1)

    public var count: Int
    public var gap = Duration.milliseconds(500)
    /// The time without frames and output after which a visit is over, once the client has sent a frame.
    public var quiet = defaultQuiet
    /// The line that the client prints when it is done with a card, which ends the visit at once.
    public var done: LinePattern?

    public init(_ count: Int) {
        self.count = count
    }

    static let shape = Shape.variants([count.shape, .map(table.keys)])

    private static let count = FieldForm<Int>.integer(1...maximumCount)

    static let table = FieldTable(
        "a plan of visits", VisitPlan(1),
        [
            Field(
                "count", \.count, count, "The number of visits.", isRequired: true, synonyms: ["n", "times", "visits"]),
            Field("gap", \.gap, .duration, "The time without cards between visits.", synonyms: ["after"]),
            Field(
                "done", \.done, .rule(LinePatternRule()),
                "Part of a line that the client prints when it is done with a card.", synonyms: ["until"]),
            Field(
                "quiet", \.quiet, .duration,
                "Without `done`, the idle time of the client after which a visit is over.",
                synonyms: ["idle"]),
        ])

    static func decode(_ value: ValueReader) -> VisitPlan {
        value.kind == .map ? table.value(value.map) : VisitPlan(value.integer)
    }
}
