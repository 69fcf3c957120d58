import TapWire

/// How long a card takes for a command: `fixed + perUnit · n` carrier periods for n nodes or blocks.
struct FeliCaResponseTime: Hashable, Sendable {
    /// The part of its maximum response time a card takes, one over this number.
    ///
    /// No source tells how long chips really take; a quarter of what they allow themselves is inferred.
    static let shareOfMaximum = 4
    /// The shortest time between the end of a command and an answer, in carrier periods.
    ///
    /// Source: JIS X 6319-4, as the FeliCa listener of the Flipper firmware keeps it.
    static let minimumPeriods = 2_672

    private let maximumFixed: Int
    private let maximumPerUnit: Int
    private let fixed: Int
    private let perUnit: Int

    init(_ pmm: PMm, _ commandClass: PMm.CommandClass) {
        maximumFixed = pmm.maximumResponsePeriods(commandClass, count: 0)
        maximumPerUnit = pmm.maximumResponsePeriods(commandClass, count: 1) - maximumFixed
        fixed = maximumFixed / Self.shareOfMaximum
        perUnit = maximumPerUnit / Self.shareOfMaximum
    }

    /// The time for a count of nodes or blocks.
    func duration(count: Int) -> Duration {
        AirTime.carrierPeriods(max(Self.minimumPeriods, fixed &+ perUnit &* count))
    }

    /// The maximum response time for a count of nodes or blocks, as a reader computes it from the PMm.
    func maximum(count: Int) -> Duration {
        AirTime.carrierPeriods(max(Self.minimumPeriods, maximumFixed &+ maximumPerUnit &* count))
    }
}
