import TapDocument
import TapField

/// The way a scenario runs: its seed, its clock and its limits.
public struct ScenarioSettings: Hashable, Sendable {
    public enum Clock: String, Hashable, Sendable, CaseIterable {
        /// Virtual in process, real if a transport is open.
        case auto
        /// Time jumps to the next event.
        case virtual
        /// Time passes as in the real world.
        case real
    }

    public enum Pace: String, Hashable, Sendable, CaseIterable {
        /// Answers go out at once.
        case asap
        /// Answers go out after the time the card needs.
        case card
    }

    /// The outcome of a run in which a fault was never injected.
    public enum UnusedFaults: String, Hashable, Sendable, CaseIterable {
        /// The run fails: a fault that was not reached tests nothing.
        case fail
        /// The report names the fault, and the run is judged without it.
        case report
    }

    public var seed: UInt64?
    /// The path of a list of stations, as written.
    var stationsPath: String?
    public var clock = Clock.auto
    public var pace = Pace.asap
    public var limits = RunLimits()
    public var unusedFaults = UnusedFaults.fail
    public var isStrict = false

    static let table = FieldTable(
        "a map of settings", ScenarioSettings(),
        [
            Field(
                "seed", \.seed, .integer(0...Int.max), "The seed for all random values.",
                standard: ScenarioLoader.defaultSeed),
            Field(stations, \.stationsPath),
            Field(
                "clock", \.clock, .word,
                "The clock for card time: `virtual`, `real`, or `auto` (virtual in process, real with a transport)."),
            Field("pace", \.pace, .word, "Answer at once, or after the time that the card needs."),
            Field("limits", \.limits, .map(RunLimits.table), "The limits of a run.", synonyms: ["limit", "timeout"]),
            Field(
                "unused_faults", \.unusedFaults, .word,
                "The treatment of faults that were never injected: fail the run, or only report them.",
                synonyms: ["unused", "unfired_faults"]),
            Field(strict, \.isStrict),
        ])

    static let strict = TypedKey(
        "strict", .boolean, "Treat warnings about the file as errors.", standard: false,
        synonyms: ["warnings_as_errors", "werror"])

    static let stations = TypedKey(
        "stations", .text(ScenarioLanguage.path),
        "A CSV file with station names, for use in histories and reports.",
        synonyms: ["station_names", "names"])

    /// All settings as a file writes them, except for the list of stations, whose names are already replaced by codes.
    ///
    /// - Parameter seed: The seed of the run.
    func node(seed: UInt64) -> Node {
        var settings = self
        settings.seed = seed
        settings.stationsPath = nil
        return Self.table.node(settings)
    }
}

/// Limits that ensure that every run ends.
public struct RunLimits: Hashable, Sendable {
    /// The time limit of the client from a file or an option, or `nil` if neither states one.
    public private(set) var statedWall: Duration?
    private static let defaultWall = Duration.seconds(60)
    /// The maximum run time of the client.
    public var wall: Duration {
        get { statedWall ?? Self.defaultWall }
        set { statedWall = newValue }
    }
    /// The maximum number of frames that readers may send.
    public var exchanges = World.defaultExchangeLimit
    /// The maximum time a program may neither print nor send a frame, or `nil` for no limit.
    public var idle: Duration?
    /// The maximum number of times in a row that readers may send the same command without progress, or `nil` for no limit.
    public var retriesPerCommand: Int?

    public init() {}

    static let table = FieldTable(
        "a map of limits", RunLimits(),
        [
            Field(
                "wall", \.statedWall, .duration, "The maximum run time of the client.", standard: defaultWall,
                synonyms: ["timeout", "time"]),
            Field(
                "exchanges", \.exchanges, .integer(1...10_000_000),
                "The maximum number of frames that readers may send."),
            Field(
                "idle", \.idle, .duration,
                "The maximum time in which the client neither prints nor sends a frame. Default: no limit.",
                synonyms: ["hang", "inactivity"]),
            Field(
                "retries_per_command", \.retriesPerCommand, .integer(2...1_000_000),
                "The maximum number of consecutive times that readers may send a command without progress. Default: no limit.",
                synonyms: ["retries", "livelock"]),
        ])
}
