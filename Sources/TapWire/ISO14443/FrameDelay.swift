/// Frame delay time of type A: from the last bit a reader sends to the first bit of the answer.
///
/// A card answers on its own bit grid, `(n·128 + 84)/fc` after a last bit 1 and `(n·128 + 20)/fc` after a last bit 0.
/// REQA, WUPA, ANTICOLLISION and SELECT are answered at exactly n = 9, other commands at 9 or later.
/// Source: ISO/IEC 14443-3, type A, "frame delay time".
public enum FrameDelay {
    /// The delay at n = 9 after a last bit 1: 1236/fc.
    @inlinable
    public static var afterOne: Duration { AirTime.carrierPeriods(periodsAfterOne) }
    /// ``afterOne`` in carrier periods.
    @inlinable
    public static var periodsAfterOne: Int { 9 * 128 + 84 }
    /// The delay at n = 9 after a last bit 0: 1172/fc.
    @inlinable
    public static var afterZero: Duration { AirTime.carrierPeriods(9 * 128 + 20) }

    /// The delay at n = 9 after a command.
    ///
    /// The last bit on air is the parity of the last byte, or the last data bit of a frame that ends inside a byte.
    ///
    /// - Parameters:
    ///   - command: The frame without CRC.
    ///   - bitCount: Its number of bits.
    public static func minimum(after command: Span<UInt8>, bitCount: Int) -> Duration {
        endsWithOne(command, bitCount: bitCount) ? afterOne : afterZero
    }

    private static func endsWithOne(_ command: Span<UInt8>, bitCount: Int) -> Bool {
        var last: UInt8 = 0
        if TypeAFraming.hasCRC(command, bitCount: bitCount) {
            last = UInt8(truncatingIfNeeded: CRCA.checksum(of: command) >> 8)
        } else if bitCount > 0, command.count > (bitCount - 1) / 8 {
            last = command[(bitCount - 1) / 8]
        }
        let usedBits = bitCount % 8
        return usedBits == 0 ? last.nonzeroBitCount % 2 == 0 : last >> UInt8(usedBits - 1) & 1 == 1
    }
}
