import TapCards
import TapCrypto
import TapDocument
import TapImages
import TapWire

extension CardDecoder {
    /// Builds a FeliCa Lite in this order: a dump or a card as shipped, NDEF, blocks, keys for parts of blocks.
    mutating func lite(_ ic: FeliCaLiteIC, _ template: CardTemplate?, _ image: CardImage?) -> CardDefinition? {
        var card = ground(ic, image)
        if let idm = map[CardLanguage.idm] { card.idm = idm }
        if let pmm = map[CardLanguage.pmm] { card.pmm = pmm }
        card.time = map[CardLanguage.time] ?? .typical
        checkBlocks(of: ic)
        let message = message(of: template)
        addBlocks(to: &card)
        configure(&card, ic, hasMessage: message != nil)
        if let message { write(message, to: &card) }
        if let key = map[LiteTables.cardKey] { card.cardKey = BlockData(key) }
        if let version = map[LiteTables.cardKeyVersion] {
            card.keyVersion = BlockData([UInt8(truncatingIfNeeded: version), UInt8(version >> 8)])
        }
        if let data = map[LiteTables.idData] { card.userID = UInt64(octets: data) }
        count(&card, ic, isNew: image == nil)
        set(&card.profile, &card.assumptions, of: .lite)
        checkCiphers(for: card)
        return isClean ? .lite(FeliCaLiteTemplate(card), ic: ic.name) : nil
    }

    /// The card of a dump, or a card as shipped with a random IDm.
    private mutating func ground(_ ic: FeliCaLiteIC, _ image: CardImage?) -> FeliCaLiteDefinition {
        if let image, case .lite(let dump) = image.content {
            reportUnread(
                of: image, CatalogueIC(product: .lite(ic)), isSecretTold: map[LiteTables.cardKey] != nil)
            return dump.card(ic)
        }
        let pmm = ic.pmm.value ?? PMm(0xFFFF_FFFF_FFFF_FFFF)
        var card = FeliCaLiteDefinition(ic.model, idm: drawnLiteIDm(ic.model), pmm: pmm, profile: ic.profile)
        card.assumptions = ic.assumptions
        return card
    }

    /// An IDm that starts with `01 2E`, as on such cards, or with the prefix of a Plug or an NFC-DEP target, followed by six
    /// random bytes.
    private func drawnLiteIDm(_ model: FeliCaLiteDefinition.Model) -> IDm {
        var random = random.fork("idm")
        let prefix: UInt64 =
            switch model {
            case .plug: 0x03FE
            case .nfcDEP: 0x01FE
            case .lite, .liteS, .linkLiteS: 0x012E
            }
        return IDm(prefix << 48 | random.next() >> 16)
    }

    /// Reports keys for blocks on a chip that has no blocks of its own, and keys that the chip does not have.
    private mutating func checkBlocks(of ic: FeliCaLiteIC) {
        let keys = LiteTables.keys.map(\.name) + [CardLanguage.ndef.name, CardLanguage.template.name]
        guard ic.model.hasBlocks else {
            for entry in map.node.entries where keys.contains(entry.key.text) {
                report(
                    .misplacedKey, "`\(entry.key.text)` does not belong to \(ic.name)", at: .scalar(entry.key),
                    hint: "its blocks are in the host; use FeliCa Lite-S for a card with its own blocks")
            }
            return
        }
        if !ic.model.hasMACA, let counter = map.node.entry(LiteTables.writeCounter.name) {
            report(
                .misplacedKey, "`write_counter` does not belong to \(ic.name)", at: .scalar(counter.key),
                hint: "only FeliCa Lite-S and Link have this")
        }
    }

    private mutating func addBlocks(to card: inout FeliCaLiteDefinition) {
        var runs = NumberedRuns(
            noun: "block", end: "the last block of user data",
            hint: "the last number is 13; use the name REG for the register block")
        for (name, value) in map[LiteTables.blocks]?.named ?? [] {
            let first = name.read(LiteBlockRule.self)
            let blocks = value.itemsOrSelf
            guard first < .registers || blocks.count == 1 else {
                report(
                    .wrongCount, "`\(name.text)` is one block, but the list has \(blocks.count)", at: value.node,
                    hint: "only numbers can have several blocks")
                continue
            }
            let last = first < .registers ? LiteBlock.registers.rawValue - 1 : first.rawValue
            for (number, block) in place(blocks, name, from: Int(first.rawValue), to: Int(last), in: &runs) {
                put(BlockData(block), LiteBlock(UInt16(number)), on: &card)
            }
        }
    }

    private func put(_ block: BlockData, _ number: LiteBlock, on card: inout FeliCaLiteDefinition) {
        switch number {
        case .registers: card.registers = block
        case .identification: card.userID = UInt64(octets: block.bytes.dropFirst(8))
        case .serviceCode: card.serviceCode = block
        case .keyVersion: card.keyVersion = block
        case .cardKey: card.cardKey = block
        case .memoryConfiguration: card.configurationBlock = block
        default: card.pads[Int(number.rawValue)] = block
        }
    }

    /// Sets MC in this order: the value as shipped or among the blocks, the NDEF bit if the card holds a message, the written
    /// value.
    private mutating func configure(_ card: inout FeliCaLiteDefinition, _ ic: FeliCaLiteIC, hasMessage: Bool) {
        if hasMessage { card.memoryConfiguration.systemOption = 1 }
        guard let stated = map[LiteTables.memoryConfiguration] else { return }
        switch stated.kind {
        case .map:
            LiteTables.configuration.read(stated.map, into: &card.memoryConfiguration)
            guard !ic.model.hasMACA, card.memoryConfiguration.needsKey else { return }
            report(
                .impossibleCard, "\(ic.name) has no external authentication and no MAC_A", at: stated.node,
                hint: "only FeliCa Lite-S and Link have this")
        case .scalar, .list: card.configurationBlock = BlockData(stated.bytes)
        }
    }

    /// - Parameter isNew: A Boolean value that indicates whether the card is not from a dump; a dump has its own counter.
    private mutating func count(_ card: inout FeliCaLiteDefinition, _ ic: FeliCaLiteIC, isNew: Bool) {
        guard let counter = map[LiteTables.writeCounter] else {
            if isNew { card.writeCounter = LiteTables.usualCounter(of: card) }
            return
        }
        card.writeCounter = counter
        let most = ic.model.counterLength == 3 ? 0xFF_FFFF : UInt32.max
        guard counter > most else { return }
        report(
            .outOfRange, "`write_counter` exceeds the counter of \(ic.name)", at: value(LiteTables.writeCounter.name),
            hint: "expected \(IntegerRule.need(0...Int(most)))")
    }

    /// Reports a card whose key this build cannot use; otherwise the card would stay silent for no visible reason.
    private mutating func checkCiphers(for card: FeliCaLiteDefinition) {
        guard !BlockCiphers.isAvailable else { return }
        let stated = [LiteTables.cardKey.name, LiteTables.memoryConfiguration.name].first { map.node[$0] != nil }
        guard let stated, card.cardKey != .zero || card.memoryConfiguration.needsKey else { return }
        report(.withoutCiphers(stated, at: value(stated)))
    }
}

extension Diagnostic {
    /// The diagnostic for a key that this build cannot use, under the name of the entry that contains or requires the key.
    static func withoutCiphers(_ name: String, at node: Node) -> Diagnostic {
        Diagnostic(
            .impossibleCard, "`\(name)` needs ciphers, but this build of TapSim has none", at: node,
            hint: "build it with libcrypto (package libssl-dev), or remove the key")
    }
}

// NDEF messages on FeliCa: NFC Forum Type 3 Tags.

extension CardDecoder {
    /// The message that the file or the template puts on a FeliCa card, or `nil` if there is none or it is invalid.
    mutating func message(of template: CardTemplate?) -> [UInt8]? {
        if let value = map[CardLanguage.ndef] { return message(value) }
        guard template?.isNDEF ?? false else { return nil }
        return (try? NDEFRecord(.uri(NDEFURI(CardTemplate.defaultURI)))).map { NDEFMessage([$0]).bytes }
    }

    private mutating func write(_ message: [UInt8], to card: inout FeliCaLiteDefinition) {
        let limits = Type3Limits(
            read: card.profile.liteMaxReadBlocks, write: 1, blocks: LiteBlock.padCount - 1,
            isReadOnly: !card.memoryConfiguration.writable.contains(0))
        guard let blocks = type3(message, limits) else { return }
        // Blocks written by number override the message.
        let stated = statedPads
        for (number, block) in blocks.enumerated() where !stated.contains(number) { card.pads[number] = block }
    }

    private var statedPads: Set<Int> {
        var stated: Set<Int> = []
        for (name, value) in map[LiteTables.blocks]?.named ?? [] {
            let first = Int(name.read(LiteBlockRule.self).rawValue)
            for offset in value.itemsOrSelf.indices { stated.insert(first + offset) }
        }
        return stated
    }

    /// Adds an NDEF message to a FeliCa Standard card, in its written system 12FC or in a new one.
    mutating func addNDEF(to card: inout FeliCaCardDefinition, _ template: CardTemplate?) {
        guard let message = message(of: template) else { return }
        let index = card.systems.firstIndex { $0.code == .ndef }
        var system =
            index.map { card.systems[$0] } ?? FeliCaSystemDefinition(code: .ndef, areas: [.root()], services: [])
        for service in [Type3Services.write, Type3Services.read]
        where !system.services.contains(where: { $0.code == service }) {
            system.services.append(FeliCaServiceDefinition(service, blocks: []))
        }
        let place = system.services.firstIndex { $0.code.store == Type3Services.write.store && !$0.blocks.isEmpty }
        let room = place.map { system.services[$0].blocks.count - 1 }
        let needed = (message.count + BlockData.byteCount - 1) / BlockData.byteCount
        let limits = Type3Limits(
            read: card.profile.maxReadBlocks, write: card.profile.maxWriteBlocks,
            blocks: room ?? max(Type3Limits.usualBlocks, needed), isReadOnly: false)
        guard let blocks = type3(message, limits) else { return }
        let owner = place ?? system.services.firstIndex { $0.code.store == Type3Services.write.store } ?? 0
        system.services[owner].blocks = blocks
        if let index { card.systems[index] = system } else { card.systems.append(system) }
    }

    /// The blocks of a Type 3 Tag with a message; reports a message that does not fit, and returns `nil`.
    private mutating func type3(_ message: [UInt8], _ limits: Type3Limits) -> [BlockData]? {
        let room = limits.blocks * BlockData.byteCount
        guard message.count <= room, limits.blocks > 0 else {
            report(
                .impossibleCard,
                "the message has \(message.count) bytes, but the card only has room for \(max(0, room))",
                at: value(CardLanguage.ndef.name), hint: "shorten it, or use a card with more blocks")
            return nil
        }
        do {
            let attributes = try AttributeInformationBlock(
                blocksPerRead: UInt8(clamping: limits.read), blocksPerWrite: UInt8(clamping: limits.write),
                blockCount: UInt16(clamping: limits.blocks), accessFlag: limits.isReadOnly ? .readOnly : .readWrite,
                messageLength: UInt32(clamping: message.count))
            let data = (0..<limits.blocks).map { BlockData(message.dropFirst($0 * BlockData.byteCount)) }
            return [attributes.stored] + data
        } catch {
            report(error, at: value(CardLanguage.ndef.name))
            return nil
        }
    }
}

/// The values of an attribute information block that depend on the card.
private struct Type3Limits {
    /// The number of blocks for a message on a FeliCa Standard card that does not state one: as many as a Lite-S has.
    static let usualBlocks = 13

    let read: Int
    let write: Int
    /// The number of blocks for the message.
    let blocks: Int
    let isReadOnly: Bool
}
