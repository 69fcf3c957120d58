import TapWire

// What a write makes of lock bits: they only ever gain ones, and frozen ones not even that.

extension StaticLockBits {
    /// The bits after a write of `written`: what was frozen before keeps its value, nothing is cleared.
    ///
    /// - Parameters:
    ///   - written: The bits of the command.
    ///   - bl94MissesL8L9: Whether L8 and L9 are frozen by the block-lock bit above instead of their own.
    func gaining(_ written: StaticLockBits, bl94MissesL8L9: Bool) -> StaticLockBits {
        let (low, middle, high): (UInt16, UInt16, UInt16) =
            bl94MissesL8L9 ? (0x0008, 0x00F0, 0xFF00) : (0x0008, 0x03F0, 0xFC00)
        var frozen: UInt16 = 0
        if rawValue & 0x01 != 0 { frozen |= low }
        if rawValue & 0x02 != 0 { frozen |= middle }
        if rawValue & 0x04 != 0 { frozen |= high }
        return StaticLockBits(rawValue: rawValue | written.rawValue & ~frozen)
    }
}

extension DynamicLockBits {
    /// The bits after a write of `written`: what was frozen before keeps its value, nothing is cleared.
    ///
    /// - Parameters:
    ///   - written: The bits of the command.
    ///   - layout: How many bits mean something.
    ///   - storesReserved: Whether bits that mean nothing are kept like the others.
    func gaining(_ written: DynamicLockBits, of layout: NTAGLayout, storesReserved: Bool) -> DynamicLockBits {
        var frozen: UInt16 = 0
        for bit in 0..<layout.blockLockBitCount where blockLocks >> UInt8(bit) & 1 == 1 {
            frozen |= 3 << UInt16(2 * bit)
        }
        let groupMask = storesReserved ? .max : UInt16(truncatingIfNeeded: (1 << layout.dynamicLockBitCount) - 1)
        let blockMask = storesReserved ? .max : UInt8(truncatingIfNeeded: (1 << layout.blockLockBitCount) - 1)
        return DynamicLockBits(
            groups: groups | written.groups & ~frozen & groupMask,
            blockLocks: blockLocks | written.blockLocks & blockMask)
    }
}
