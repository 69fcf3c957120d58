import TapWire

/// The static lock bytes as a word, low byte first: bit n locks page n, bits 0–2 freeze lock bits.
///
/// Lock bits only ever gain ones. Source: NTAG213/215/216 data sheet rev. 3.2, "static lock bytes".
public struct StaticLockBits: Hashable, Sendable {
    /// Both bytes, the one at the lower address low.
    public let rawValue: UInt16

    /// Creates lock bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Reads the lock bytes from their page.
    init(_ page: PageData) {
        rawValue = UInt16(page[2]) | UInt16(page[3]) << 8
    }

    /// The page with these lock bytes and the other bytes of `page`.
    func page(over page: PageData) -> PageData {
        PageData(page[0], page[1], UInt8(truncatingIfNeeded: rawValue), UInt8(rawValue >> 8))
    }

    /// Whether a page from 3 to 15 is locked.
    public func locks(_ page: Int) -> Bool {
        3...15 ~= page && rawValue >> UInt16(page) & 1 == 1
    }

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

/// The dynamic lock bytes: bit n of the word locks a group of user pages, bit n of the third byte freezes word bits 2n
/// and 2n + 1.
///
/// Lock bits only ever gain ones. Source: NTAG213/215/216 data sheet rev. 3.2, "dynamic lock bytes".
public struct DynamicLockBits: Hashable, Sendable {
    /// The lock bits, the byte at the lower address low.
    public let groups: UInt16
    /// The block-lock bits.
    public let blockLocks: UInt8

    /// Creates lock bits.
    public init(groups: UInt16, blockLocks: UInt8) {
        self.groups = groups
        self.blockLocks = blockLocks
    }

    /// Reads the lock bytes from their page.
    init(_ page: PageData) {
        groups = UInt16(page[0]) | UInt16(page[1]) << 8
        blockLocks = page[2]
    }

    /// The page with these lock bytes and the last byte of `page`.
    func page(over page: PageData) -> PageData {
        PageData(UInt8(truncatingIfNeeded: groups), UInt8(groups >> 8), blockLocks, page[3])
    }

    /// Whether a page is locked.
    public func locks(_ page: Int, of layout: NTAGLayout) -> Bool {
        guard NTAGLayout.firstDynamicallyLockedPage...layout.lastUserPage ~= page else { return false }
        let group = (page - NTAGLayout.firstDynamicallyLockedPage) / layout.pagesPerLockBit
        return groups >> UInt16(group) & 1 == 1
    }

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
