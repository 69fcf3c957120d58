/// The static lock bytes as a word, low byte first: bit n locks page n, bits 0–2 freeze lock bits.
///
/// Lock bits only ever gain ones. Source: NTAG213/215/216 data sheet rev. 3.2, "static lock bytes".
public struct StaticLockBits: Hashable, Sendable {
    /// Both bytes, the one at the lower address low.
    public let rawValue: UInt16

    /// Creates lock bits.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Reads the lock bytes from their page.
    @inlinable
    public init(_ page: PageData) {
        rawValue = UInt16(page[2]) | UInt16(page[3]) << 8
    }

    /// The page with these lock bytes and the other bytes of `page`.
    @inlinable
    public func page(over page: PageData) -> PageData {
        PageData(page[0], page[1], UInt8(truncatingIfNeeded: rawValue), UInt8(rawValue >> 8))
    }

    /// Whether a page from 3 to 15 is locked.
    @inline(always)
    public func locks(_ page: Int) -> Bool {
        3...15 ~= page && rawValue >> UInt16(page) & 1 == 1
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
    @inlinable
    public init(groups: UInt16, blockLocks: UInt8) {
        self.groups = groups
        self.blockLocks = blockLocks
    }

    /// Reads the lock bytes from their page.
    @inlinable
    public init(_ page: PageData) {
        groups = UInt16(page[0]) | UInt16(page[1]) << 8
        blockLocks = page[2]
    }

    /// The page with these lock bytes and the last byte of `page`.
    @inlinable
    public func page(over page: PageData) -> PageData {
        PageData(UInt8(truncatingIfNeeded: groups), UInt8(groups >> 8), blockLocks, page[3])
    }

    /// Whether a page is locked.
    @inline(always)
    public func locks(_ page: Int, of layout: NTAGLayout) -> Bool {
        guard NTAGLayout.firstDynamicallyLockedPage...layout.lastUserPage ~= page else { return false }
        let group = (page - NTAGLayout.firstDynamicallyLockedPage) / layout.pagesPerLockBit
        return groups >> UInt16(group) & 1 == 1
    }
}
