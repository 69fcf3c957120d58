import TapCards
import TapWire

/// The cards under test, built for this purpose; their keys are test keys.
public struct SampleCards {
    /// A card with two systems for each FeliCa Standard chip.
    public let standard: [FeliCaCard]
    /// A card for each FeliCa Lite, Lite-S, Plug and Link, with and without locks.
    public let lite: [FeliCaLiteCard]
    /// Every product as delivered and with every preset.
    public let tags: [NTAGCard]

    public init() {
        standard = FeliCaIC.catalogue.compactMap(Self.standard)
        lite = FeliCaLiteIC.catalogue.flatMap { [Self.lite($0, isLocked: false), Self.lite($0, isLocked: true)] }
        tags = NTAGProduct.allCases.flatMap(Self.tags)
        precondition(!standard.isEmpty && !lite.isEmpty && !tags.isEmpty, "the samples are cards")
    }

    private static func standard(_ ic: FeliCaIC) -> FeliCaCard? {
        var definition = standard
        definition.profile = ic.profile
        return try? FeliCaCard(definition)
    }

    private static func lite(_ ic: FeliCaLiteIC, isLocked: Bool) -> FeliCaLiteCard {
        let pmm = PMm(0x00F1_0000_0001_4300)
        var definition = FeliCaLiteDefinition(ic.model, idm: idm, pmm: pmm, profile: ic.profile)
        definition.pads = blocks(14)
        definition.configurationBlock = BlockData(
            isLocked ? [0xF0, 0x0F, 0x00, 0x01, 0x07, 0xFF, 0x00, 0xFF] : [0xFF, 0xFF, 0xFF, 0x01, 0x07])
        return FeliCaLiteCard(definition)
    }

    private static func tags(_ product: NTAGProduct) -> [NTAGCard] {
        guard let uid = UID(NTAGDefinition.sampleUID), var tag = try? NTAGDefinition(product, uid: uid) else {
            return []
        }
        tag.password = PageData(0x12, 0x34, 0x56, 0x78)
        tag.pack = 0xABCD
        return [NTAGCard(tag)] + NTAGPreset.allCases.map { NTAGCard($0.applied(to: tag)) }
    }

    private static let idm = IDm(0x0101_0A10_2030_4050)

    private static var standard: FeliCaCardDefinition {
        let keys = FeliCaKeys(
            desVersion: 1, desKey: Array(1...8), aesVersion: 7, aesKey: Array(repeating: 0x5A, count: 16))
        let transit = FeliCaSystemDefinition(
            code: .transit, keys: keys,
            areas: [.root(keys: keys), FeliCaAreaDefinition(NodeCode(0x0040), end: NodeCode(0x1FFF), keys: keys)],
            services: [
                FeliCaServiceDefinition(NodeCode(0x0048), keys: keys, blocks: blocks(4)),
                FeliCaServiceDefinition(NodeCode(0x008B), keys: keys, blocks: blocks(1)),
                FeliCaServiceDefinition(NodeCode(0x090F), keys: keys, blocks: blocks(20)),
                FeliCaServiceDefinition(NodeCode(0x1009), keys: keys, blocks: blocks(7)),
                FeliCaServiceDefinition(NodeCode(0x104D), keys: keys, blocks: blocks(4)),
                FeliCaServiceDefinition(
                    NodeCode(0x1091), keys: keys, blocks: [BlockData([0xE8, 0x03])], purseLimits: PurseLimits()),
                FeliCaServiceDefinition(NodeCode(0x1095), keys: keys, blocks: []),
            ])
        let common = FeliCaSystemDefinition(
            code: .commonArea, keys: keys, areas: [.root(keys: keys)],
            services: [FeliCaServiceDefinition(NodeCode(0x110B), keys: keys, blocks: blocks(2))])
        var card = FeliCaCardDefinition(idm: idm, pmm: PMm(0x0531_4345_4682_B7FF), systems: [transit, common])
        card.container = FeliCaContainer(idm: idm)
        card.challenge = Array(0x11...0x20)
        card.rewriteLimit = 64
        return card
    }

    private static func blocks(_ count: Int) -> [BlockData] {
        (0..<count).map { number in
            BlockData((0..<BlockData.byteCount).map { UInt8(truncatingIfNeeded: 16 * number + 7 * $0) })
        }
    }
}
