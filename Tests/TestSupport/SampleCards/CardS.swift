import TapCards
import TapWire

/// Sample card S: two systems of a transit card, its history, random, cyclic and purse services, and electronic money.
///
/// A card for tests with the profile `vector-s`; its keys are test keys.
public enum CardS {
    /// The definition, which tests can change.
    public static var definition: FeliCaCardDefinition {
        var definition = FeliCaCardDefinition(
            idm: IDm(0x0101_0A10_2030_4050), pmm: PMm(0x100B_4B42_8485_D0FF), systems: [transit, commonArea])
        definition.challenge = hex("1112131415161718")
        return definition
    }

    /// The card with a profile.
    public static func card(_ profile: FeliCaProfile = FeliCaProfile()) throws -> FeliCaCard {
        var definition = definition
        definition.profile = profile
        return try FeliCaCard(definition)
    }

    private static let transit = FeliCaSystemDefinition(
        code: .transit, keys: FeliCaKeys(desVersion: 0x0100, desKey: hex("1122334455667788")),
        issue: FeliCaIssue(id: 0x2122_2324_2526_2728, parameter: 0x3132_3334_3536_3738),
        areas: [
            .root(keys: key(version: 1, from: 0xA0)),
            FeliCaAreaDefinition(NodeCode(0x0040), end: NodeCode(0x07FF), keys: key(version: 2, from: 0xB0)),
            FeliCaAreaDefinition(NodeCode(0x0800), end: NodeCode(0x0FBF), keys: key(version: 2, from: 0xB8)),
            FeliCaAreaDefinition(NodeCode(0x1000), end: NodeCode(0x17BF), keys: key(version: 6, from: 0xA8)),
        ],
        services: [
            service(0x0048, key(version: 3, from: 0xC0), ["000102030405060708090A0B0C0D0E0F", count(from: 0x10)]),
            service(0x004A, key(version: 3, from: 0xC8)),
            service(0x0088, key(version: 4, from: 0xD0), ["0000000000000000 20 0000 E803 00 002A"]),
            service(0x008B, FeliCaKeys(desVersion: 5)),
            FeliCaServiceDefinition(NodeCode(0x090C), keys: key(version: 3, from: 0xD8), blocks: history),
            service(0x090F, FeliCaKeys(desVersion: 4)),
            service(0x1009, version1, [0xA0, 0xB0, 0xC0, 0xD0].map(count)),
            service(0x100B, version1),
            service(0x104D, version1, ["03", "02", "01"].map { String(repeating: $0, count: 16) }),
            service(0x104F, version1),
            service(0x1091, version1, ["E8030000 00000000 55667788 00000000", "FAFFFFFF 0A000000 00000000 00000001"]),
            service(0x1093, version1),
            service(0x1095, version1),
            service(0x1097, version1),
        ])

    private static let commonArea = FeliCaSystemDefinition(
        code: .commonArea,
        areas: [.root(), FeliCaAreaDefinition(NodeCode(0x1000), end: NodeCode(0x1717))],
        services: [
            service(0x110B, FeliCaKeys(), ["0000 1234567890123456 000000000000", ""]),
            service(0x1317, FeliCaKeys(), ["9E010000 4A020000 00000000 00000400"]),
            service(0x170F, FeliCaKeys(), ["20000004 2E02AE41 0000024A 0000019E"] + Array(repeating: "", count: 5)),
        ])

    private static let version1 = FeliCaKeys(desVersion: 1)

    /// Twenty gate exits, newest first: serial numbers decrease from 2A, balances increase from 1000 yen by 150.
    private static let history = (0..<20).map { index in
        var block = BlockData(hex("16010002 0000 0107 0108 0000 00 0000 00"))
        let date = 0x3200 + 0x20 + 20 - index
        let balance = 1000 + 150 * index
        block[4] = UInt8(date >> 8)
        block[5] = UInt8(date & 0xFF)
        block[10] = UInt8(balance & 0xFF)
        block[11] = UInt8(balance >> 8)
        block[14] = UInt8(0x2A - index)
        return block
    }

    private static func service(_ code: UInt16, _ keys: FeliCaKeys, _ blocks: [String] = []) -> FeliCaServiceDefinition
    {
        FeliCaServiceDefinition(NodeCode(code), keys: keys, blocks: blocks.map { BlockData(hex($0)) })
    }

    /// A key of eight bytes that count upward.
    private static func key(version: UInt16, from first: UInt8) -> FeliCaKeys {
        FeliCaKeys(desVersion: version, desKey: (0..<8).map { first + $0 })
    }

    /// Sixteen bytes that count upward, in hexadecimal.
    private static func count(from first: UInt8) -> String {
        Hex.text((0..<16).map { first + $0 })
    }

    private static func hex(_ text: String) -> [UInt8] {
        guard let bytes = try? Hex.bytes(text) else { fatalError("`\(text)` in sample card S is not hexadecimal") }
        return bytes
    }
}
