import TapDocument
import TapField

/// How a scenario runs: its seed, its clock and its bounds.
public struct ScenarioSettings: Hashable, Sendable {
    public enum Clock: String, Hashable, Sendable, CaseIterable {
        /// Virtual in process, real with a transport open.
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

    /// The outcome of a run in which a fault was never injected.
    public enum UnusedFaults: String, Hashable, Sendable, CaseIterable {
        /// It fails: a fault that was not reached tests nothing.
        case fail
        /// The report names the fault, and the run is judged without it.
        case report
    }

    public var seed: UInt64?
    /// The path of a list of stations, as it is written.
    var stationsPath: String?
    public var clock = Clock.auto
    public var pace = Pace.asap
    public var limits = RunLimits()
    /// The outcome of a run in which a fault was never injected.
    public var unusedFaults = UnusedFaults.fail
    public var isStrict = false

    static let table = FieldTable(
        "a map of settings", ScenarioSettings(),
        [
            Field(
                "seed", \.seed, .integer(0...Int.max), "The seed of everything drawn by chance.",
                standard: ScenarioLoader.defaultSeed),
            Field(stations, \.stationsPath),
            Field("clock", \.clock, .word, "What card time follows."),
            Field("pace", \.pace, .word, "Whether answers go out at once or after the time the card needs."),
            Field("limits", \.limits, .map(RunLimits.table), "Bounds of a run.", synonyms: ["limit", "timeout"]),
            Field(
                "unused_faults", \.unusedFaults, .word, "Whether a fault that was never injected fails the run.",
                synonyms: ["unused", "unfired_faults"]),
            Field(strict, \.isStrict),
        ])

    static let strict = TypedKey(
        "strict", .boolean, "Whether warnings about the file are errors.", standard: false,
        synonyms: ["warnings_as_errors", "werror"])

    static let stations = TypedKey(
        "stations", .text(ScenarioLanguage.path),
        "A CSV file of names of stations, by which histories may name them and reports show them.",
        synonyms: ["station_names", "names"])

    /// All settings as a file writes them, but for the list of stations: what it names has its codes.
    ///
    /// - Parameter seed: The seed of the run.
    func node(seed: UInt64) -> Node {
        var settings = self
        settings.seed = seed
        settings.stationsPath = nil
        return Self.table.node(settings)
    }
}

/// Bounds of a run, so that none goes on for ever.
public struct RunLimits: Hashable, Sendable {
    /// The time limit of the client that a file or an option states; `nil` if none does.
    public private(set) var statedWall: Duration?
    private static let defaultWall = Duration.seconds(60)
    /// How long the client may run.
    public var wall: Duration {
        get { statedWall ?? Self.defaultWall }
        set { statedWall = newValue }
    }
    /// How many frames readers may send.
    public var exchanges = World.defaultExchangeLimit
    /// How long a program may neither print nor send a frame; `nil` for no limit.
    public var idle: Duration?
    /// How often in a row readers may send the same command without progress; `nil` for no limit.
    public var retriesPerCommand: Int?

    public init() {}

    static let table = FieldTable(
        "a map of limits", RunLimits(),
        [
            Field(
                "wall", \.statedWall, .duration, "How long the client may run.", standard: defaultWall,
                synonyms: ["timeout", "time"]),
            Field("exchanges", \.exchanges, .integer(1...10_000_000), "How many frames readers may send."),
            Field(
                "idle", \.idle, .duration,
                "How long the client may print nothing and send no frame; no bound without it.",
                synonyms: ["hang", "inactivity"]),
            Field(
                "retries_per_command", \.retriesPerCommand, .integer(2...1_000_000),
                "How often in a row readers may send the same command and get nowhere; no bound without it.",
                synonyms: ["retries", "livelock"]),
        ])
}
