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

    private let fixed: Int
    private let perUnit: Int

    init(_ pmm: PMm, _ commandClass: PMm.CommandClass) {
        let none = pmm.maximumResponsePeriods(commandClass, count: 0)
        fixed = none / Self.shareOfMaximum
        perUnit = (pmm.maximumResponsePeriods(commandClass, count: 1) - none) / Self.shareOfMaximum
    }

    /// The time for a count of nodes or blocks.
    func duration(count: Int) -> Duration {
        AirTime.carrierPeriods(max(Self.minimumPeriods, fixed &+ perUnit &* count))
    }
}

/// When a card answers a Polling.
enum FeliCaTimeSlot {
    /// The time until the first slot, in carrier periods.
    ///
    /// Source: FeliCa Card User's Manual, excerpted edition, "Polling", 2.417 ms.
    static let firstPeriods = 512 * 64
    /// The length of a slot, in carrier periods.
    ///
    /// Source: FeliCa Card User's Manual, excerpted edition, "Polling", 1.208 ms.
    static let periods = 256 * 64

    /// Chooses a slot.
    ///
    /// The time slot byte is 00, 01, 03, 07 or 0F, one less than the number of slots. Other values depend on the
    /// product; here the low four bits are a mask of the slots a card may take, which is inferred.
    static func draw(_ timeSlot: UInt8, from random: inout SeededGenerator) -> Int {
        let mask = Int(timeSlot & 0x0F)
        return mask == 0 ? 0 : random.next(below: 16) & mask
    }

    /// When the answer in a slot begins.
    static func delay(_ slot: Int) -> Duration {
        AirTime.carrierPeriods(firstPeriods + slot * periods)
    }
}
