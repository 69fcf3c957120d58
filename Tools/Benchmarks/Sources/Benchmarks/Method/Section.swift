/// A part of the report that can be measured alone.
struct Section: Sendable {
    /// The word by which it is asked for.
    let name: String
    /// What it measures, for the help.
    let summary: String
    let measure: @Sendable (_ report: Report) throws -> Void

    /// The part that is the same on every run.
    static let counts = Section(
        name: "counts", summary: "instructions and allocations of an exchange, beside C",
        measure: CountBenchmark.measure)

    /// All parts, in the order of the report.
    static let all: [Section] = [
        Section(name: "engines", summary: "time of an exchange, beside C", measure: EngineBenchmark.measure),
        Section(
            name: "radio", summary: "the same with CRC checked and added", measure: EngineBenchmark.measureOnAir),
        counts,
        Section(name: "peers", summary: "the card emulation of nfcpy beside ours", measure: PeerBenchmark.measure),
        Section(
            name: "doors", summary: "round trips through sockets and PC/SC, beside C", measure: DoorBenchmark.measure),
    ]
}
