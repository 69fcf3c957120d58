import TapCards
import TapField

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
    var timelineNode: Node?
    var faultsNode: Node?
    /// The cards as the file writes them, by name, parameters filled in.
    var cardNodes: [String: NodeMap]
    /// The file with this case alone, of all the files it is put together from; parameters filled in.
    let document: Node
    /// Where dumps of cards are found.
    let files: (any CompanionFiles)?

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
