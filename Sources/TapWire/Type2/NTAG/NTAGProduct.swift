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

    /// The IC that a GET_VERSION answer tells of, or nothing if it tells of another one.
    ///
    /// Product type and storage size decide; vendor and versions differ on clones, which have the same memory.
    public init?(_ version: GetVersion.Response) {
        let product = Self.allCases.first {
            $0.version.productType == version.productType && $0.version.storageSize == version.storageSize
        }
        guard let product else { return nil }
        self = product
    }

    /// Where what lies in memory.
    @inlinable
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

    public var version: GetVersion.Response {
        switch self {
        case .ntag213: GetVersion.Response(0x0004_0402_0100_0F03)
        case .ntag215: GetVersion.Response(0x0004_0402_0100_1103)
        case .ntag216: GetVersion.Response(0x0004_0402_0100_1303)
        }
    }
}
