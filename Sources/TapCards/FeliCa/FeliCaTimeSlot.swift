import TapWire

/// When a card answers a Polling.
enum FeliCaTimeSlot {
    /// The time until the first slot, in carrier periods.
    ///
    /// Source: FeliCa Card User's Manual, excerpted edition, "Polling", 2.417 ms.
    static let firstPeriods: UInt32 = 512 * 64
    /// The length of a slot, in carrier periods.
    ///
    /// Source: FeliCa Card User's Manual, excerpted edition, "Polling", 1.208 ms.
    static let periods: UInt32 = 256 * 64

    /// Chooses a slot.
    ///
    /// The time slot byte is 00, 01, 03, 07 or 0F, one less than the number of slots. Other values depend on the
    /// product; here the low four bits are a mask of the slots a card may take, which is inferred.
    @inline(__always)
    static func draw(_ timeSlot: UInt8, from random: inout SeededGenerator) -> Int {
        let mask = Int(timeSlot & 0x0F)
        return mask == 0 ? 0 : random.next(below: 16) & mask
    }

    /// When the answer in a slot begins.
    @inline(__always)
    static func delay(_ slot: Int) -> Duration {
        AirTime.carrierPeriods(Int(firstPeriods &+ UInt32(truncatingIfNeeded: slot) &* periods))
    }
}
