import TapDocument
import TapField

/// How a scenario runs: its seed, its clock and its bounds.
public struct ScenarioSettings: Hashable, Sendable {
    /// What card time follows.
    public enum Clock: String, Hashable, Sendable, CaseIterable {
        /// Virtual in process, real with a door open.
        case auto
        /// Time jumps to the next event.
        case virtual
        /// Time passes as it does outside.
        case real
    }

    public enum Pace: String, Hashable, Sendable, CaseIterable {
        /// At once.
        case asap
        /// After the time the card needs.
        case card
    }

    /// What becomes of a run in which a fault was never injected.
    public enum UnusedFaults: String, Hashable, Sendable, CaseIterable {
        /// It fails: a fault that was not reached tests nothing.
        case fail
        /// The report names the fault, and the run is judged without it.
        case report
    }

    /// The seed, if the file states one.
    public var seed: UInt64?
    /// What card time follows.
    public var clock = Clock.auto
    public var pace = Pace.asap
    /// Bounds of a run.
    public var limits = RunLimits()
    /// What becomes of a run in which a fault was never injected.
    public var unusedFaults = UnusedFaults.fail
    /// Whether warnings about the file are errors.
    public var isStrict = false

    static let table = KeyTable(
        "a map of settings",
        [
            Key("seed", .integer(0...Int.max), "The seed of everything drawn by chance; 1 without it.", standard: "1"),
            Key("clock", .word(Clock.self), "What card time follows.", standard: "auto"),
            Key(
                "pace", .word(Pace.self), "Whether answers go out at once or after the time the card needs.",
                standard: "asap"),
            Key("limits", .map(RunLimits.table), "Bounds of a run.", synonyms: ["limit", "timeout"]),
            Key(
                "unused_faults", .word(UnusedFaults.self), "Whether a fault that was never injected fails the run.",
                standard: "fail", synonyms: ["unused", "unfired_faults"]),
            Key(
                "strict", .boolean, "Whether warnings about the file are errors.",
                standard: "false", synonyms: ["warnings_as_errors", "werror"]),
        ])

    init(_ map: MapReader?) {
        guard let map else { return }
        seed = map["seed"].map { UInt64($0.integer) }
        clock = map["clock"]?.word() ?? .auto
        pace = map["pace"]?.word() ?? .asap
        limits = RunLimits(map["limits"]?.map)
        unusedFaults = map["unused_faults"]?.word() ?? .fail
        isStrict = map["strict"]?.boolean ?? false
    }

    /// The settings as a file writes them, nothing left out.
    ///
    /// - Parameter seed: The seed of the run.
    func node(seed: UInt64) -> Node {
        [
            "seed": .number(seed), "clock": .text(clock.rawValue), "pace": .text(pace.rawValue),
            "limits": limits.node,
            "unused_faults": .text(unusedFaults.rawValue), "strict": .boolean(isStrict),
        ]
    }
}

/// Bounds of a run, so that none goes on for ever.
public struct RunLimits: Hashable, Sendable {
    /// How long the client may run.
    public var wall: Duration = .seconds(60)
    /// How many frames readers may send.
    public var exchanges = World.defaultExchangeLimit
    /// How long a program may print nothing and send no frame, or nothing for as long as it likes.
    public var idle: Duration?
    /// How often in a row readers may send the same command and get nowhere, or nothing for as often as they like.
    public var retriesPerCommand: Int?

    /// The default bounds.
    public init() {}

    static let table = KeyTable(
        "a map of limits",
        [
            Key("wall", .duration, "How long the client may run.", standard: "60s", synonyms: ["timeout", "time"]),
            Key("exchanges", .integer(1...10_000_000), "How many frames readers may send.", standard: "100000"),
            Key(
                "idle", .duration, "How long the client may print nothing and send no frame; no bound without it.",
                synonyms: ["hang", "inactivity"]),
            Key(
                "retries_per_command", .integer(2...1_000_000),
                "How often in a row readers may send the same command and get nowhere; no bound without it.",
                synonyms: ["retries", "livelock"]),
        ])

    init(_ map: MapReader?) {
        wall = map?["wall"]?.duration ?? wall
        exchanges = map?["exchanges"]?.integer ?? exchanges
        idle = map?["idle"]?.duration
        retriesPerCommand = map?["retries_per_command"]?.integer
    }
    /// The bounds as a file writes them.
    var node: Node {
        .map([
            "wall": .text(DurationRule.text(wall)), "exchanges": .number(exchanges),
            "idle": idle.map { .text(DurationRule.text($0)) },
            "retries_per_command": retriesPerCommand.map(Node.number),
        ])
    }
}
