import TapWire

/// How long a card takes for a command: `fixed + perUnit · n` carrier periods for n nodes or blocks.
struct FeliCaResponseTime: Hashable, Sendable {
    /// The part of its maximum response time a card takes, one over this number.
    ///
    /// No source tells how long chips really take; a quarter of what they allow themselves is inferred.
    static let shareOfMaximum: UInt32 = 4
    /// The shortest time between the end of a command and an answer, in carrier periods.
    ///
    /// Source: JIS X 6319-4, as the FeliCa listener of the Flipper firmware keeps it.
    static let minimumPeriods: UInt32 = 2_672

    private let fixed: UInt32
    private let perUnit: UInt32

    init(_ pmm: PMm, _ commandClass: PMm.CommandClass) {
        // Maxima are multiples of 4,096, which the share divides. Even that of 255 blocks is far below 2³² periods, so
        // that 32 bits need no check of overflow.
        let maximum = (0...1).map { UInt32(pmm.maximumResponsePeriods(commandClass, count: $0)) }
        fixed = maximum[0] / Self.shareOfMaximum
        perUnit = (maximum[1] - maximum[0]) / Self.shareOfMaximum
    }

    /// The time for a count of nodes or blocks.
    @inline(__always)
    func duration(count: Int) -> Duration {
        AirTime.carrierPeriods(Int(max(Self.minimumPeriods, periods(count))))
    }

    /// The maximum response time for a count of nodes or blocks, as a reader computes it from the PMm.
    func maximum(count: Int) -> Duration {
        AirTime.carrierPeriods(Int(max(Self.minimumPeriods, Self.shareOfMaximum &* periods(count))))
    }

    @inline(__always)
    private func periods(_ count: Int) -> UInt32 { fixed &+ perUnit &* UInt32(truncatingIfNeeded: count) }
}
