/// An IC of the NTAG21x family.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "memory organization".
public enum NTAGProduct: String, Hashable, Sendable, CaseIterable {
    /// 144 bytes of user memory.
    case ntag213 = "NTAG213"
    /// 504 bytes of user memory.
    case ntag215 = "NTAG215"
    case ntag216 = "NTAG216"

    /// The IC identified by a GET_VERSION answer, or `nil` for another IC.
    ///
    /// Only product type and storage size count, because vendor and versions differ on clones with the same memory.
    package init?(_ version: GetVersion.Response) {
        let product = Self.allCases.first {
            $0.version.productType == version.productType && $0.version.storageSize == version.storageSize
        }
        guard let product else { return nil }
        self = product
    }

    @inlinable
    public var layout: NTAGLayout {
        switch self {
        case .ntag213: NTAGLayout(lastUserPage: 0x27, pagesPerLockBit: 2)
        case .ntag215: NTAGLayout(lastUserPage: 0x81, pagesPerLockBit: 16)
        case .ntag216: NTAGLayout(lastUserPage: 0xE1, pagesPerLockBit: 16)
        }
    }

    /// The capability container at delivery; byte 2 counts units of eight bytes, on NTAG215 and NTAG216 fewer than there are.
    public var deliveredCapabilityContainer: PageData {
        switch self {
        case .ntag213: PageData(0xE1, 0x10, 0x12, 0x00)
        case .ntag215: PageData(0xE1, 0x10, 0x3E, 0x00)
        case .ntag216: PageData(0xE1, 0x10, 0x6D, 0x00)
        }
    }

    /// The first user pages at delivery: an empty NDEF message, on NTAG213 after a Lock Control TLV; the rest is zero.
    public var deliveredUserPages: [PageData] {
        switch self {
        case .ntag213: [PageData(0x01, 0x03, 0xA0, 0x0C), PageData(0x34, 0x03, 0x00, 0xFE)]
        case .ntag215, .ntag216: [PageData(0x03, 0x00, 0xFE, 0x00)]
        }
    }

    public var version: GetVersion.Response {
        switch self {
        case .ntag213: GetVersion.Response(0x0004_0402_0100_0F03)
        case .ntag215: GetVersion.Response(0x0004_0402_0100_1103)
        case .ntag216: GetVersion.Response(0x0004_0402_0100_1303)
        }
    }
}

/// The memory layout of an NTAG21x.
///
/// Pages 00–02 contain UID and static lock bytes, page 03 the capability container, pages 04 to ``lastUserPage`` user memory,
/// and the last pages dynamic lock bytes, CFG0, CFG1, PWD and PACK. Cards and readers share this layout. Source:
/// NTAG213/215/216 data sheet rev. 3.2, "memory organization" and "dynamic lock bytes".
public struct NTAGLayout: Hashable, Sendable {
    public let lastUserPage: Int
    public let pagesPerLockBit: Int

    @usableFromInline
    init(lastUserPage: Int, pagesPerLockBit: Int) {
        self.lastUserPage = lastUserPage
        self.pagesPerLockBit = pagesPerLockBit
    }

    /// The page with BCC1 and the static lock bytes.
    @inlinable public static var staticLockPage: Int { 0x02 }
    @inlinable public static var capabilityContainerPage: Int { 0x03 }
    @inlinable public static var firstUserPage: Int { 0x04 }
    @inlinable public static var firstDynamicallyLockedPage: Int { 16 }

    // Unchecked additions are safe: the last user page is one of three known numbers.

    @inlinable
    public func isUserPage(_ page: Int) -> Bool { page >= Self.firstUserPage && page <= lastUserPage }

    @inlinable public var dynamicLockPage: Int { lastUserPage &+ 1 }
    /// The page with the mirror settings and AUTH0.
    @inlinable public var cfg0Page: Int { lastUserPage &+ 2 }
    @inlinable public var cfg1Page: Int { lastUserPage &+ 3 }
    @inlinable public var passwordPage: Int { lastUserPage &+ 4 }
    @inlinable public var packPage: Int { lastUserPage &+ 5 }
    @inlinable public var pageCount: Int { lastUserPage &+ 6 }
    @inlinable public var byteCount: Int { pageCount * PageData.byteCount }
    @inlinable public var userByteCount: Int { (lastUserPage + 1 - Self.firstUserPage) * PageData.byteCount }
    @inlinable
    public var dynamicLockBitCount: Int {
        (lastUserPage - Self.firstDynamicallyLockedPage) / pagesPerLockBit + 1
    }
    /// The number of bits that each freeze two dynamic lock bits.
    @inlinable public var blockLockBitCount: Int { (dynamicLockBitCount + 1) / 2 }
}

/// The two configuration pages of an NTAG21x.
///
/// ```
/// CFG0   MIRROR | RFUI | MIRROR_PAGE | AUTH0
/// CFG1   ACCESS | RFUI | RFUI | RFUI
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "configuration pages".
public struct NTAGConfiguration: Hashable, Sendable, CustomStringConvertible {
    public var cfg0: PageData
    public var cfg1: PageData

    @inlinable
    public init(cfg0: PageData, cfg1: PageData) {
        self.cfg0 = cfg0
        self.cfg1 = cfg1
    }

    /// The configuration of genuine tags at delivery: strong modulation on, nothing protected.
    ///
    /// The 05 is in a byte that NTAG21x does not use. Observed in dumps of genuine tags.
    public static let delivered = NTAGConfiguration(cfg0: PageData(0x04, 0, 0, 0xFF), cfg1: PageData(0, 0x05, 0, 0))

    /// The contents of the ASCII mirror.
    public enum MirrorKind: UInt8, Hashable, Sendable, CaseIterable {
        case none
        case uid
        case counter
        case uidAndCounter
    }

    public var mirrorKind: MirrorKind {
        @inlinable get { MirrorKind(rawValue: cfg0[0] >> 6) ?? .none }
        set { cfg0[0] = cfg0[0] & 0x3F | newValue.rawValue << 6 }
    }

    /// MIRROR_BYTE: the first byte of the mirror within its page, 0 to 3.
    public var mirrorByte: UInt8 {
        @inlinable get { cfg0[0] >> 4 & 0x03 }
        set { cfg0[0] = cfg0[0] & 0xCF | (newValue & 0x03) << 4 }
    }

    /// STRG_MOD_EN: strong modulation.
    package var isModulationStrong: Bool {
        get { cfg0[0] & 0x04 != 0 }
        set { cfg0[0] = cfg0[0] & 0xFB | (newValue ? 0x04 : 0) }
    }

    /// MIRROR_PAGE: the first page of the mirror; a value below 04 disables it.
    public var mirrorPage: UInt8 {
        @inlinable get { cfg0[2] }
        set { cfg0[2] = newValue }
    }

    /// AUTH0: the first page that needs the password; a value past the last page disables protection.
    public var auth0: UInt8 {
        @inlinable get { cfg0[3] }
        set { cfg0[3] = newValue }
    }

    public var access: NTAGAccess {
        @inlinable get { NTAGAccess(rawValue: cfg1[0]) }
        set { cfg1[0] = newValue.rawValue }
    }

    public var description: String { "\(cfg0) \(cfg1)" }
}

/// The ACCESS byte of CFG1.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "configuration pages".
public struct NTAGAccess: Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// PROT: pages from AUTH0 need the password for reading as well as for writing.
    public var prot: Bool {
        @inlinable get { self[bit: 7] }
        set { self[bit: 7] = newValue }
    }

    /// CFGLCK: CFG0 and CFG1 are permanently write-protected.
    public var cfglck: Bool {
        @inlinable get { self[bit: 6] }
        set { self[bit: 6] = newValue }
    }

    /// NFC_CNT_EN: the NFC counter is active and can be read.
    public var isCounterEnabled: Bool {
        @inlinable get { self[bit: 4] }
        set { self[bit: 4] = newValue }
    }

    /// NFC_CNT_PWD_PROT: reading the NFC counter needs the password.
    public var isCounterProtected: Bool {
        @inlinable get { self[bit: 3] }
        set { self[bit: 3] = newValue }
    }

    /// AUTHLIM: the number of wrong passwords that locks the tag, 1 to 7; 0 for no limit.
    public var authlim: UInt8 {
        @inlinable get { rawValue & 0x07 }
        set { rawValue = rawValue & 0xF8 | newValue & 0x07 }
    }

    @usableFromInline
    subscript(bit bit: UInt8) -> Bool {
        @inlinable get { rawValue >> bit & 1 == 1 }
        set { rawValue = rawValue & ~(1 << bit) | (newValue ? 1 << bit : 0) }
    }
}

/// The static lock bytes as a 16-bit number, low byte first: bit n locks page n, bits 0–2 freeze lock bits.
///
/// Lock bits can be set but never cleared. Source: NTAG213/215/216 data sheet rev. 3.2, "static lock bytes".
public struct StaticLockBits: Hashable, Sendable {
    /// Both bytes, the byte at the lower address in the low half.
    public let rawValue: UInt16

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

    /// Returns whether a page from 3 to 15 is locked.
    @inline(always)
    public func locks(_ page: Int) -> Bool {
        3...15 ~= page && rawValue >> UInt16(page) & 1 == 1
    }
}

/// The dynamic lock bytes: bit n of the first two bytes locks a group of user pages, bit n of the third byte freezes bits 2n
/// and 2n + 1 of the first two.
///
/// Lock bits can be set but never cleared. Source: NTAG213/215/216 data sheet rev. 3.2, "dynamic lock bytes".
public struct DynamicLockBits: Hashable, Sendable {
    /// The lock bits, the byte at the lower address in the low half.
    public let groups: UInt16
    public let blockLocks: UInt8

    @inlinable
    public init(groups: UInt16, blockLocks: UInt8) {
        self.groups = groups
        self.blockLocks = blockLocks
    }

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

    @inline(always)
    public func locks(_ page: Int, of layout: NTAGLayout) -> Bool {
        guard NTAGLayout.firstDynamicallyLockedPage...layout.lastUserPage ~= page else { return false }
        let group = (page - NTAGLayout.firstDynamicallyLockedPage) / layout.pagesPerLockBit
        return groups >> UInt16(group) & 1 == 1
    }
}
