import TapWire

/// An IC of the NTAG21x family.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "memory organization".
public enum NTAGProduct: String, Hashable, Sendable, CaseIterable {
    /// 144 bytes of user memory.
    case ntag213 = "NTAG213"
    /// 504 bytes of user memory.
    case ntag215 = "NTAG215"
    /// 888 bytes of user memory.
    case ntag216 = "NTAG216"

    /// Where what lies in memory.
    public var layout: NTAGLayout {
        switch self {
        case .ntag213: NTAGLayout(lastUserPage: 0x27, pagesPerLockBit: 2)
        case .ntag215: NTAGLayout(lastUserPage: 0x81, pagesPerLockBit: 16)
        case .ntag216: NTAGLayout(lastUserPage: 0xE1, pagesPerLockBit: 16)
        }
    }

    /// The capability container at delivery; byte 2 counts eight bytes, on NTAG215 and NTAG216 less than there are.
    public var deliveredCapabilityContainer: PageData {
        switch self {
        case .ntag213: PageData(0xE1, 0x10, 0x12, 0x00)
        case .ntag215: PageData(0xE1, 0x10, 0x3E, 0x00)
        case .ntag216: PageData(0xE1, 0x10, 0x6D, 0x00)
        }
    }

    /// The first user pages at delivery: an empty NDEF message, on NTAG213 behind a Lock Control TLV; the rest is zero.
    public var deliveredUserPages: [PageData] {
        switch self {
        case .ntag213: [PageData(0x01, 0x03, 0xA0, 0x0C), PageData(0x34, 0x03, 0x00, 0xFE)]
        case .ntag215, .ntag216: [PageData(0x03, 0x00, 0xFE, 0x00)]
        }
    }

    /// The answer to GET_VERSION.
    public var version: GetVersion.Response {
        switch self {
        case .ntag213: GetVersion.Response(0x0004_0402_0100_0F03)
        case .ntag215: GetVersion.Response(0x0004_0402_0100_1103)
        case .ntag216: GetVersion.Response(0x0004_0402_0100_1303)
        }
    }
}

/// Where what lies in the memory of an NTAG21x.
///
/// Pages 00–02 hold UID and static lock bytes, 03 the capability container, 04 to ``lastUserPage`` user memory, and
/// five pages of configuration end the memory. Source: NTAG213/215/216 data sheet rev. 3.2, "memory organization" and
/// "dynamic lock bytes".
public struct NTAGLayout: Hashable, Sendable {
    /// Last page of user memory.
    public let lastUserPage: Int
    /// User pages that one dynamic lock bit locks.
    public let pagesPerLockBit: Int

    /// The page that holds BCC1 and the static lock bytes.
    public static let staticLockPage = 0x02
    /// The page of the capability container.
    public static let capabilityContainerPage = 0x03
    /// First page of user memory.
    public static let firstUserPage = 0x04
    /// First page with a dynamic lock bit.
    public static let firstDynamicallyLockedPage = 16

    /// The page of the dynamic lock bytes.
    public var dynamicLockPage: Int { lastUserPage + 1 }
    /// The page of mirror settings and AUTH0.
    public var cfg0Page: Int { lastUserPage + 2 }
    /// The page of the access bits.
    public var cfg1Page: Int { lastUserPage + 3 }
    /// The page of the password.
    public var passwordPage: Int { lastUserPage + 4 }
    /// The page of PACK.
    public var packPage: Int { lastUserPage + 5 }
    /// Number of pages.
    public var pageCount: Int { lastUserPage + 6 }
    /// Number of bytes.
    public var byteCount: Int { pageCount * PageData.byteCount }
    /// Bytes of user memory.
    public var userByteCount: Int { (lastUserPage + 1 - Self.firstUserPage) * PageData.byteCount }
    /// Number of dynamic lock bits.
    public var dynamicLockBitCount: Int {
        (lastUserPage - Self.firstDynamicallyLockedPage) / pagesPerLockBit + 1
    }
    /// Number of bits that freeze two dynamic lock bits each.
    public var blockLockBitCount: Int { (dynamicLockBitCount + 1) / 2 }
}
