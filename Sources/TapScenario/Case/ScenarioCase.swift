import TapCards
import TapDocument
import TapField

/// A scenario file, ready to run: one test for each of its cases.
public struct Scenario: Sendable {
    /// Path of the file as the user named it; `--card` for a scenario made of arguments.
    public let file: String
    /// The name in reports: that of the file if it states none.
    public let name: String
    public let title: String?
    /// Words to choose it by.
    public let tags: [String]
    /// The seed of its runs.
    public let seed: UInt64
    /// Names of parameters that the file or a case defines or uses.
    public let parameterNames: [String]
    /// The tests, in the order of the file; at least one.
    public let cases: [ScenarioCase]

    /// The scenario with other cases, numbered anew from 1.
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
    /// A card and its name.
    public struct NamedCard: Hashable, Sendable {
        /// The name by which the scenario speaks of it.
        public let name: String
        public let definition: CardDefinition
    }

    /// Path of the file as the user named it.
    public let file: String
    /// Number of the case in its file, from 1.
    public internal(set) var number: Int
    /// What the case is called; nothing in a file without cases.
    public let name: String?
    /// Where the file states it.
    public let source: SourceReference?
    public let scenarioName: String
    /// What the scenario is about.
    public let title: String?
    /// Words to choose the case by, those of the file among them.
    public let tags: [String]
    /// Whether the file leaves the case out.
    public let isSkipped: Bool
    /// The cards, in the order of the file.
    public internal(set) var cards: [NamedCard]
    /// The readers before which they lie, in the order of the file; none if it leaves that to whoever runs it.
    public internal(set) var readers: [NamedReader]
    /// What reads the cards, or nothing if the file leaves that to whoever runs it.
    public internal(set) var client: ClientSpec?
    /// The visits of the cards to a client that stays, or nothing for one visit to a client that ends by itself.
    public let visits: VisitPlan?
    /// What happens by itself.
    public internal(set) var timeline: Timeline
    /// Whether every card lies before the reader from the start, since the file has no timeline.
    public let tapsAllAtStart: Bool
    /// Clock, pace and limits.
    public internal(set) var settings: ScenarioSettings
    /// The seed of the run.
    public let seed: UInt64
    /// What goes wrong.
    public internal(set) var plan: FaultPlan
    /// The phone of an app that reads the cards, if the file says anything about it; its shortcuts for faults are part of
    /// ``plan``.
    public internal(set) var phone: PhoneSpec?
    /// What has to come out.
    public internal(set) var expectations: Expectations
    /// Expectations that cannot be judged any more.
    public internal(set) var droppedExpectations: [DroppedExpectation] = []
    package var timelineNode: Node?
    package var faultsNode: Node?
    /// The cards as the file writes them, by name, parameters filled in.
    var cardNodes: [String: NodeMap]
    /// The file with this case alone, of all the files it is put together from; parameters filled in.
    let document: Node
    /// Where dumps of cards are found.
    let files: (any ReferencedFiles)?

    /// The name of the case, or that of the scenario where it has none.
    public var displayName: String { name ?? scenarioName }
    public var pace: ScenarioSettings.Pace { settings.pace }
    /// Bounds of the run.
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
        for card in cards { world.add(card.definition.makeEngine(), named: card.name) }
        return world
    }

    /// Lets happen what happens by itself, from now on.
    public func beginVisit(in world: inout World) {
        world.begin(timeline)
        if tapsAllAtStart { for card in cards { world.tap(card.name) } }
    }

    /// The case with another client.
    ///
    /// What was expected of the output of the client before is dropped: it was written for that client.
    public func replacingClient(_ spec: ClientSpec) -> ScenarioCase {
        var copy = self
        copy.client = spec
        copy.drop(.anotherClient, ["result", "client.stdout", "client.stderr"], where: \.isOnOutput)
        return copy
    }

    /// The case with real cards before a real reader.
    ///
    /// What was expected of the cards afterwards is dropped, since nobody can look into them, and what was expected of
    /// exchanges where the client is a program, since nobody hears them.
    public func onHardware() -> ScenarioCase {
        var copy = self
        copy.drop(.realCard, ["cards"], where: \.isOnCards)
        copy.drop(.realCard, ["client.verdict", "safety"], where: \.isOnOutcome)
        if case .program? = client {
            copy.drop(.realReader, ["exchanges", "counts", "never"], where: \.isOnExchanges)
        }
        return copy
    }

    /// Drops expectations, with the keys below `expect` under which the file has them.
    mutating func drop(
        _ reason: DroppedExpectation.Reason, _ keys: [String], where isDropped: (Expectation) -> Bool
    ) {
        for item in expectations.items where isDropped(item) {
            let key = item.path.split(separator: " ").first.map(String.init) ?? item.path
            let dropped = DroppedExpectation(key: key, reason: reason)
            if !droppedExpectations.contains(dropped) { droppedExpectations.append(dropped) }
        }
        expectations.items.removeAll(where: isDropped)
        for key in keys {
            expectations.node = expectations.node.removing(key.split(separator: ".").map(String.init)[...])
        }
    }
}

extension Node {
    /// A map without the value at a path of keys.
    fileprivate func removing(_ path: ArraySlice<String>) -> Node {
        guard case .map(let map) = self, let key = path.first else { return self }
        let rest = path.dropFirst()
        let entries = map.entries.compactMap { entry -> NodeMap.Entry? in
            guard entry.key.text == key else { return entry }
            return rest.isEmpty ? nil : NodeMap.Entry(entry.key, entry.value.removing(rest))
        }
        return .map(NodeMap(entries, range: map.range))
    }
}

extension ScenarioCase {
    /// The case with other faults, for runs that a program lays out.
    ///
    /// What a client must never do is still expected; what else is expected was written for the run without faults,
    /// and is judged by the outcome instead.
    public func disturbed(by plan: FaultPlan) -> ScenarioCase {
        var copy = self
        copy.plan = plan
        copy.phone = phone?.withoutFaults
        copy.faultsNode = plan.isEmpty ? nil : plan.node
        copy.expectations.items.removeAll { !$0.isOnSafety }
        let kept = expectations.node.entries.filter { ["never", "safety"].contains($0.key.text) }
        copy.expectations.node = .map(kept.map { (key: $0.key.text, value: $0.value) })
        return copy
    }

    /// The case with another time limit for its client.
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
    /// Whether the demand is on what a client must never do, whatever goes wrong.
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
        copy.plan = FaultPlan()
        copy.faultsNode = nil
        guard plan.isEmpty, let first = firstDisturbingStep else { return copy }
        copy.timeline = Timeline(Array(timeline.remaining.prefix(first)))
        copy.timelineNode = timelineNode.map { .list(Array($0.items.prefix(first))) }
        return copy
    }

    /// Whether something disturbs the client.
    package var isDisturbed: Bool { !plan.isEmpty || firstDisturbingStep != nil }

    private var firstDisturbingStep: Int? {
        timeline.remaining.firstIndex { $0.actions.contains(where: \.disturbs) }
    }

    /// What a run of the case depends on: two cases of equal keys have the same runs.
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
    /// Most visits of a run.
    public static let maximumCount = 1_000
    /// The time between two visits, unless a file says otherwise.
    public static let defaultGap = Duration.milliseconds(500)
    /// How long a client does nothing until it counts as done with a card, unless a file says otherwise.
    public static let defaultQuiet = Duration.seconds(1)

    /// How many there are.
    public var count: Int
    /// The time without cards between two of them.
    public var gap = defaultGap
    /// How long a client that has sent a frame neither sends nor prints anything until the visit is over.
    public var quiet = defaultQuiet
    /// What the client prints when it is done with a card; then the visit is over at once.
    public var done: LinePattern?

    public init(_ count: Int) {
        self.count = count
    }

    /// The plan as a file writes it.
    var node: Node {
        .map([
            "count": .number(count), "gap": .text(DurationRule.text(gap)), "quiet": .text(DurationRule.text(quiet)),
            "done": done.map { .text($0.description) },
        ])
    }
}

/// The keys of `taps`.
enum TapsLanguage {
    private static let count = Shape.integer(1...VisitPlan.maximumCount)

    static let shape = Shape.variants([count, .map(table)])

    private static let table = KeyTable(
        "a plan of visits",
        [
            Key("count", count, "How many visits.", isRequired: true, synonyms: ["n", "times", "visits"]),
            Key("gap", .duration, "The time without cards between two visits; 500ms without it.", synonyms: ["after"]),
            Key(
                "done", ClientOutputLanguage.ready, "A piece of a line the client prints when it is done with a card.",
                synonyms: ["until"]),
            Key(
                "quiet", .duration,
                "Without such a line, how long the client does nothing until a visit is over; 1s without it.",
                synonyms: ["idle"]),
        ])

    static func decode(_ value: ValueReader) -> VisitPlan {
        guard value.kind == .map else { return VisitPlan(value.integer) }
        let map = value.map
        var plan = VisitPlan(map.required("count").integer)
        plan.gap = map["gap"]?.duration ?? plan.gap
        plan.quiet = map["quiet"]?.duration ?? plan.quiet
        plan.done = map["done"]?.read(LinePatternRule.self)
        return plan
    }
}
