/// The two configuration pages of an NTAG21x.
///
/// ```
/// CFG0   MIRROR | RFUI | MIRROR_PAGE | AUTH0
/// CFG1   ACCESS | RFUI | RFUI | RFUI
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "configuration pages".
public struct NTAGConfiguration: Hashable, Sendable, CustomStringConvertible {
    /// Mirror settings and AUTH0.
    public var cfg0: PageData
    /// Access bits.
    public var cfg1: PageData

    @inlinable
    public init(cfg0: PageData, cfg1: PageData) {
        self.cfg0 = cfg0
        self.cfg1 = cfg1
    }

    /// What genuine tags hold at delivery: strong modulation on, nothing protected.
    ///
    /// The 05 lies in a byte that means nothing on NTAG21x. Seen in dumps of genuine tags.
    public static let delivered = NTAGConfiguration(cfg0: PageData(0x04, 0, 0, 0xFF), cfg1: PageData(0, 0x05, 0, 0))

    /// What the ASCII mirror shows.
    public enum MirrorKind: UInt8, Hashable, Sendable, CaseIterable {
        case none
        /// Fourteen digits of the UID.
        case uid
        /// Six digits of the NFC counter.
        case counter
        /// UID, `x`, counter.
        case uidAndCounter
    }

    /// MIRROR_CONF: what the ASCII mirror shows.
    public var mirrorKind: MirrorKind {
        @inlinable get { MirrorKind(rawValue: cfg0[0] >> 6) ?? .none }
        set { cfg0[0] = cfg0[0] & 0x3F | newValue.rawValue << 6 }
    }

    /// MIRROR_BYTE: first byte of the mirror in its page, 0 to 3.
    public var mirrorByte: UInt8 {
        @inlinable get { cfg0[0] >> 4 & 0x03 }
        set { cfg0[0] = cfg0[0] & 0xCF | (newValue & 0x03) << 4 }
    }

    /// STRG_MOD_EN: whether the tag modulates strongly.
    public var isModulationStrong: Bool {
        get { cfg0[0] & 0x04 != 0 }
        set { cfg0[0] = cfg0[0] & 0xFB | (newValue ? 0x04 : 0) }
    }

    /// MIRROR_PAGE: first page of the mirror; below 04 there is none.
    public var mirrorPage: UInt8 {
        @inlinable get { cfg0[2] }
        set { cfg0[2] = newValue }
    }

    /// AUTH0: first page that needs the password; behind the last page nothing does.
    public var auth0: UInt8 {
        @inlinable get { cfg0[3] }
        set { cfg0[3] = newValue }
    }

    /// The access bits.
    public var access: NTAGAccess {
        @inlinable get { NTAGAccess(rawValue: cfg1[0]) }
        set { cfg1[0] = newValue.rawValue }
    }

    /// Both pages in hexadecimal.
    public var description: String { "\(cfg0) \(cfg1)" }
}

/// The ACCESS byte of CFG1.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "configuration pages".
public struct NTAGAccess: Hashable, Sendable {
    public var rawValue: UInt8

    /// Creates access bits from their byte.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// PROT: pages from AUTH0 on need the password for reading too, not only for writing.
    public var prot: Bool {
        @inlinable get { self[bit: 7] }
        set { self[bit: 7] = newValue }
    }

    /// CFGLCK: CFG0 and CFG1 can never be written again.
    public var cfglck: Bool {
        @inlinable get { self[bit: 6] }
        set { self[bit: 6] = newValue }
    }

    /// NFC_CNT_EN: the NFC counter counts and can be read.
    public var isCounterEnabled: Bool {
        @inlinable get { self[bit: 4] }
        set { self[bit: 4] = newValue }
    }

    /// NFC_CNT_PWD_PROT: reading the NFC counter needs the password.
    public var isCounterProtected: Bool {
        @inlinable get { self[bit: 3] }
        set { self[bit: 3] = newValue }
    }

    /// AUTHLIM: how many wrong passwords lock the tag, 1 to 7; 0 for no limit.
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
