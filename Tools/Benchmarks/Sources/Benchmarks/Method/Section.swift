/// A part of the report that can be measured alone.
struct Section: Sendable {
    /// The word by which it is asked for.
    let name: String
    let measure: @Sendable (_ report: Report) throws -> Void

    /// Instructions, allocations and memory, which are the same on every run.
    static let counts = Section(name: "counts", measure: CountBenchmark.measure)

    /// All parts, in the order of the report.
    static let all: [Section] = [
        Section(name: "engines", measure: EngineBenchmark.measure),
        counts,
        Section(name: "peers", measure: PeerBenchmark.measure),
        Section(name: "growth", measure: GrowthBenchmark.measure),
        Section(name: "doors", measure: DoorBenchmark.measure),
        Section(name: "start", measure: StartBenchmark.measure),
        Section(name: "memory", measure: MemoryBenchmark.measure),
    ]
}
