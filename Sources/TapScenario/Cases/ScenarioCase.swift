import TapCards
import TapField

/// One test: cards, a client, what happens and what has to come out.
public struct ScenarioCase: Sendable {
    /// A card and its name.
    public struct NamedCard: Hashable, Sendable {
        /// The name by which the scenario speaks of it.
        public let name: String
        /// The card.
        public let definition: CardDefinition
    }

    /// Number of the case in its file, from 1.
    public let number: Int
    /// What the case is called; nothing in a file without cases.
    public let name: String?
    /// Where the file states it.
    public let source: SourceReference?
    /// The name of the scenario.
    public let scenarioName: String
    /// What the scenario is about.
    public let title: String?
    /// Words to choose the case by, those of the file among them.
    public let tags: [String]
    /// Whether the file leaves the case out.
    public let isSkipped: Bool
    /// The cards, in the order of the file.
    public internal(set) var cards: [NamedCard]
    /// The reader before which they lie, or nothing if the file leaves that to whoever runs it.
    public internal(set) var reader: ReaderSpec?
    /// What reads the cards, or nothing if the file leaves that to whoever runs it.
    public internal(set) var client: ClientSpec?
    /// What happens by itself.
    public let timeline: Timeline
    /// Whether every card lies before the reader from the start, since the file has no timeline.
    public let tapsAllAtStart: Bool
    /// Clock, pace and limits.
    public let settings: ScenarioSettings
    /// The seed of the run.
    public let seed: UInt64
    /// What has to come out.
    public internal(set) var expectations: Expectations
    /// Expectations that were dropped with the client for which they were written, such as `expect.result`.
    public internal(set) var droppedExpectations: [String] = []
    let timelineNode: Node?
    /// The cards as the file writes them, by name, parameters filled in.
    var cardNodes: [String: NodeMap]

    /// The name of the case, or that of the scenario where it has none.
    public var displayName: String { name ?? scenarioName }
    /// When answers go out over a door.
    public var pace: ScenarioSettings.Pace { settings.pace }
    /// Bounds of the run.
    public var limits: RunLimits { settings.limits }

    /// The world at the beginning of a run.
    ///
    /// - Parameter trace: Where events go; the judge needs one that keeps them.
    public func makeWorld(trace: Trace = Trace()) -> World {
        var world = World(seed: seed, timeline: timeline, trace: trace)
        for card in cards { world.add(card.definition.makeEngine(), named: card.name) }
        if tapsAllAtStart { for card in cards { world.tap(card.name) } }
        return world
    }

    /// The case with another reader.
    public func replacingReader(_ reader: ReaderSpec) -> ScenarioCase {
        var copy = self
        copy.reader = reader
        return copy
    }

    /// The case with another client.
    ///
    /// What was expected of the output of the client before is dropped: it was written for that client.
    public func replacingClient(_ spec: ClientSpec) -> ScenarioCase {
        var copy = self
        copy.client = spec
        copy.droppedExpectations += copy.expectations.removeOutput()
        return copy
    }
}

extension Expectations {
    /// Removes expectations on output and gives their keys.
    fileprivate mutating func removeOutput() -> [String] {
        var keys: [String] = []
        for item in items where item.isOnOutput {
            let key = item.path.split(separator: " ").first.map(String.init) ?? item.path
            if !keys.contains(key) { keys.append(key) }
        }
        items.removeAll(where: \.isOnOutput)
        node = node.removing("result").replacing("client") { $0.removing("stdout").removing("stderr") }
        return keys
    }
}

extension Node {
    /// A map without a key.
    fileprivate func removing(_ key: String) -> Node {
        guard case .map(let map) = self else { return self }
        return .map(NodeMap(map.entries.filter { $0.key.text != key }, range: map.range))
    }

    /// A map with another value for a key, if it has one.
    fileprivate func replacing(_ key: String, _ change: (Node) -> Node) -> Node {
        guard case .map(let map) = self else { return self }
        let entries = map.entries.map { $0.key.text == key ? NodeMap.Entry($0.key, change($0.value)) : $0 }
        return .map(NodeMap(entries, range: map.range))
    }
}
