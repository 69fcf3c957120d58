import TapCards
import TapField
import TapWire

/// What a card holds if every write it acknowledged was carried out and no other one.
///
/// This is what a client is answerable for: a fault that tears a page, or acknowledges what it does not write, leaves
/// another memory, which is no misdeed of the client.
enum AcknowledgedMemory {
    /// The message of a card before the run and after it; nothing where it is none for NDEF or nothing was written.
    static func messages(of slot: CardSlot, _ facts: RunFacts) -> (before: StoredMessage, after: StoredMessage)? {
        switch slot.original {
        case let tag as NTAGCard: messages(of: tag, named: slot.name, facts)
        case let card as FeliCaCard: messages(of: card, named: slot.name, facts)
        default: nil
        }
    }

    /// The message that a card really holds after the run.
    static func stored(on slot: CardSlot) -> StoredMessage? {
        switch slot.engine {
        case let tag as NTAGCard: StoredMessage(pages: bytes(of: tag))
        case let card as FeliCaCard: blocks(of: card).map(StoredMessage.init)
        default: nil
        }
    }

    private static func bytes(of tag: NTAGCard) -> [UInt8] {
        (0..<tag.template.definition.product.layout.pageCount).flatMap { tag[page: $0].bytes }
    }

    private static func blocks(of card: FeliCaCard) -> [BlockData]? {
        let services = [Type3Services.read, Type3Services.write]
        guard card.template.definition.systems.contains(where: { $0.code == .ndef }) else { return nil }
        return services.lazy.compactMap { card.blocks(of: $0, in: .ndef) }.first
    }

    private static func messages(
        of tag: NTAGCard, named name: String, _ facts: RunFacts
    ) -> (before: StoredMessage, after: StoredMessage)? {
        let count = tag.template.definition.product.layout.pageCount
        let before = bytes(of: tag)
        var pages = before
        for item in facts.items where item.isWrite && item.isAccepted && item.wasAnswered(by: name) {
            // The data of a COMPATIBILITY_WRITE come in a frame of their own, which no oracle follows.
            guard let page = item.command.pages?.lowerBound, let data = item.command.data, page < count else {
                return nil
            }
            pages.replaceSubrange(page * PageData.byteCount..<(page + 1) * PageData.byteCount, with: data)
        }
        let user = Type2DataArea.firstAddress
        guard pages[user...] != before[user...] else { return nil }
        return (StoredMessage(pages: before), StoredMessage(pages: pages))
    }

    private static func messages(
        of card: FeliCaCard, named name: String, _ facts: RunFacts
    ) -> (before: StoredMessage, after: StoredMessage)? {
        guard let before = blocks(of: card) else { return nil }
        var blocks = before
        for item in facts.items where item.isWrite && item.isAccepted && item.wasAnswered(by: name) {
            guard item.command.services == [Type3Services.write], let data = item.command.data else { continue }
            for (index, block) in item.command.blocks.enumerated() where blocks.indices.contains(block.number) {
                let start = index * BlockData.byteCount
                blocks[block.number] = BlockData(data[start..<start + BlockData.byteCount])
            }
        }
        return blocks == before ? nil : (StoredMessage(blocks: before), StoredMessage(blocks: blocks))
    }
}

extension RunFacts.Item {
    /// Whether a card of a name answered.
    func wasAnswered(by name: String) -> Bool {
        exchange.answers.contains { $0.cards.contains { $0 == name || $0.split(separator: ", ").contains(name[...]) } }
    }
}
