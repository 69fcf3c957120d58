import TapCards
import TapWire

/// A dump of a FeliCa Lite or Lite-S: the blocks that were read.
package struct LiteImage: Hashable, Sendable {
    package var idm: IDm
    package var pmm: PMm
    package var blocks: [LiteBlock: BlockData]

    init(idm: IDm, pmm: PMm, blocks: [LiteBlock: BlockData]) {
        self.idm = idm
        self.pmm = pmm
        self.blocks = blocks
    }

    /// Creates the dump of a card, with CK as readers see it.
    package init(_ card: FeliCaLiteDefinition) {
        self.init(idm: card.idm, pmm: card.pmm, blocks: [:])
        for (number, block) in card.pads.enumerated() { blocks[LiteBlock(UInt16(number))] = block }
        let identity = card.idm.rawValue.octets
        blocks[.registers] = card.registers
        blocks[.identification] = BlockData(identity + card.userID.octets)
        blocks[.deviceIdentification] = BlockData(identity + card.pmm.rawValue.octets)
        blocks[.serviceCode] = card.serviceCode
        blocks[.systemCode] = BlockData([0x88, 0xB4])
        blocks[.keyVersion] = card.keyVersion
        blocks[.cardKey] = .zero
        blocks[.memoryConfiguration] = card.configurationBlock
        for block in [LiteBlock.challenge, .mac] { blocks[block] = .zero }
        guard card.model.hasMACA else { return }
        blocks[.writeCounter] = BlockData(card.writeCounter.octets)
        for block in [LiteBlock.macA, .state, .memoryCheck] { blocks[block] = .zero }
    }

    /// The chip, by the IC code of the PMm.
    package var ic: FeliCaLiteIC? { Self.ic(of: pmm) }

    static func ic(of pmm: PMm) -> FeliCaLiteIC? { FeliCaLiteIC.catalogue.first { $0.icCode == pmm.icType } }

    private static let pads = (0..<LiteBlock.padCount).map { LiteBlock(UInt16($0)) }
    /// The blocks that a card stores, except for CK, which reads as zeros.
    private static let keptBlocks =
        pads + [.registers, .identification, .serviceCode, .keyVersion, .memoryConfiguration]
}

extension LiteImage {
    /// Builds a card with a given chip and these blocks; blocks that were not read are as shipped.
    package func card(_ ic: FeliCaLiteIC) -> FeliCaLiteDefinition {
        var card = FeliCaLiteDefinition(ic.model, idm: idm, pmm: pmm, profile: ic.profile)
        card.assumptions = ic.assumptions
        for (number, block) in Self.pads.enumerated() { if let data = blocks[block] { card.pads[number] = data } }
        if let data = blocks[.registers] { card.registers = data }
        if let data = blocks[.identification] { card.userID = UInt64(octets: data.bytes.dropFirst(8)) }
        if let data = blocks[.serviceCode] { card.serviceCode = data }
        if let data = blocks[.keyVersion] { card.keyVersion = data }
        if let data = blocks[.cardKey] { card.cardKey = data }
        if let data = blocks[.memoryConfiguration] { card.configurationBlock = data }
        if let data = blocks[.writeCounter] {
            card.writeCounter = data.bytes.prefix(card.model.counterLength).reversed().reduce(0) {
                $0 << 8 | UInt32($1)
            }
        }
        return card
    }

    /// The parts of the card that are missing from the dump.
    var notes: [ImageNote] {
        guard let ic, ic.model.hasBlocks else { return [] }
        var notes: [ImageNote] = []
        let unread = Self.keptBlocks.filter { blocks[$0] == nil } + (lacksCounter(ic) ? [.writeCounter] : [])
        if !unread.isEmpty {
            notes.append(
                ImageNote(
                    .unread, "blocks that were not read: \(Self.names(of: unread))",
                    hint: "they have their delivery state; write them under `blocks` next to `image`"))
        }
        if blocks[.cardKey] ?? .zero == .zero {
            notes.append(
                ImageNote(
                    .secret, "the dump does not contain the card key: CK always reads as zeros",
                    hint: "the key is zeros, as at delivery; to change it, write `card_key` next to `image`"))
        }
        return notes
    }

    private func lacksCounter(_ ic: FeliCaLiteIC) -> Bool { ic.model.hasMACA && blocks[.writeCounter] == nil }

    static func names(of blocks: [LiteBlock]) -> String {
        let pads = RangeText.of(blocks.filter { $0 < .registers }.map { Int($0.rawValue) })
        return ((pads.isEmpty ? [] : [pads]) + blocks.compactMap(\.shortName)).joined(separator: ", ")
    }
}

extension UInt32 {
    /// The bytes, low byte first.
    var octets: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}
