import TapCards
import TapWire

/// The NTAG21x tags of the vectors, built for tests only.
public enum SampleTags {
    /// PWD of T1 to T3.
    public static let password = PageData(0x12, 0x34, 0x56, 0x78)
    /// PACK of T1 to T3.
    public static let pack: UInt16 = 0xABCD

    /// Unprotected, with the URI https://example.com/nfc, and a pattern in the rest of user memory.
    public static func t0(_ product: NTAGProduct = .ntag215) -> NTAGDefinition {
        guard let uid = UID(NTAGDefinition.sampleUID), var tag = try? NTAGDefinition(product, uid: uid) else {
            fatalError("the sample UID has seven bytes")
        }
        let message = "D1 01 10 55 04 65 78 61 6D 70 6C 65 2E 63 6F 6D 2F 6E 66 63"
        guard let record = try? Hex.bytes(message) else { fatalError("the sample record is hexadecimal") }
        tag.userMemory = [0x03, UInt8(record.count)] + record + [0xFE, 0x00]
        for page in 0x0A...product.layout.lastUserPage {
            let number = UInt8(page)
            tag[page: page] = PageData(number, 0xFF - number, number ^ 0x5A, 7 &* number)
        }
        return tag
    }

    /// Protected from page 04 on, including reads.
    public static func t1() -> NTAGDefinition {
        var tag = NTAGPreset.protected.applied(to: t0())
        tag.password = password
        tag.pack = pack
        return tag
    }

    /// Protected from page 10 on, for writes only.
    public static func t2() -> NTAGDefinition {
        var tag = t1()
        tag.configuration.auth0 = 0x10
        tag.configuration.access.prot = false
        return tag
    }

    /// T1 with three wrong passwords allowed.
    public static func t3() -> NTAGDefinition {
        var tag = t1()
        tag.configuration.access.authlim = 3
        return tag
    }

    /// T0 with the NFC counter enabled.
    public static func t4() -> NTAGDefinition {
        var tag = t0()
        tag.configuration.access.isCounterEnabled = true
        tag.counter = 0x3F30
        return tag
    }

    /// T0 with the given CFG0 and ACCESS bytes, for the mirror; with a counter if it is enabled.
    public static func t5(cfg0: PageData, access: UInt8) -> NTAGDefinition {
        var tag = t0()
        tag.configuration.cfg0 = cfg0
        tag.configuration.access = NTAGAccess(rawValue: access)
        tag.counter = tag.configuration.access.isCounterEnabled ? 0x3F30 : 0
        return tag
    }

    /// T1 with PWD and PACK of zeros.
    public static func t6() -> NTAGDefinition {
        var tag = t1()
        tag.password = .zero
        tag.pack = 0
        return tag
    }
}
