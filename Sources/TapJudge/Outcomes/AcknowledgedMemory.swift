import TapCards
import TapField
import TapWire

enum StoredMessage: Hashable, Sendable {
    /// An NDEF message; empty for an empty tag.
    case message([UInt8])
    /// A write that was started and not finished, as NFC Forum Type 3 Tags mark it.
    case beingWritten
    case unreadable

    init(pages: [UInt8]) {
        let address = CapabilityContainer.address
        guard pages.count >= address + CapabilityContainer.byteCount,
            let container = try? CapabilityContainer(
                parsing: Array(pages[address..<address + CapabilityContainer.byteCount])), container.announcesNDEF,
            let found = try? Type2DataArea(container).ndefMessageBlock(in: pages)
        else {
            self = .unreadable
            return
        }
        self = Self.checked(found.block.value)
    }

    init(blocks: [BlockData]) {
        guard let first = blocks.first else {
            self = .unreadable
            return
        }
        let attributes = AttributeInformationBlock(first)
        guard attributes.hasValidChecksum else {
            self = .unreadable
            return
        }
        guard attributes.writeFlag == .finished else {
            self = .beingWritten
            return
        }
        let length = Int(attributes.messageLength)
        let bytes = blocks.dropFirst().flatMap(\.bytes)
        self = length <= bytes.count ? Self.checked(Array(bytes.prefix(length))) : .unreadable
    }

    /// Returns the bytes as a message if its records fill them exactly.
    private static func checked(_ bytes: [UInt8]) -> StoredMessage {
        bytes.isEmpty || (try? NDEFMessage(parsing: bytes)) != nil ? .message(bytes) : .unreadable
    }
}

struct WrittenMessage: Hashable, Sendable {
    let before: StoredMessage
    let after: StoredMessage
}

/// The contents of a card if exactly the acknowledged writes were carried out.
///
/// A client is responsible for these contents only: a fault that tears a page, or acknowledges a write without performing it,
/// leaves other contents through no fault of the client.
enum AcknowledgedMemory {
    /// Returns `nil` for a card without NDEF or without writes.
    static func message(of slot: CardSlot, _ exchanges: [SeenExchange]) -> WrittenMessage? {
        switch slot.original {
        case let tag as NTAGCard: message(of: tag, named: slot.name, exchanges)
        case let card as any FeliCaEngine: message(of: card, named: slot.name, exchanges)
        default: nil
        }
    }

    /// Returns the message that the card actually contains after the run.
    static func stored(on slot: CardSlot) -> StoredMessage? {
        switch slot.engine {
        case let tag as NTAGCard: StoredMessage(pages: bytes(of: tag))
        case let card as any FeliCaEngine: blocks(of: card).map(StoredMessage.init)
        default: nil
        }
    }

    private static func bytes(of tag: NTAGCard) -> [UInt8] {
        (0..<tag.template.definition.product.layout.pageCount).flatMap { tag[page: $0].bytes }
    }

    private static func blocks(of card: any FeliCaEngine) -> [BlockData]? {
        let services = [Type3Services.read, Type3Services.write]
        guard card.systemCodes.contains(.ndef) else { return nil }
        return services.lazy.compactMap { card.blocks(of: $0, in: .ndef) }.first
    }

    private static func message(
        of tag: NTAGCard, named name: String, _ exchanges: [SeenExchange]
    ) -> WrittenMessage? {
        let count = tag.template.definition.product.layout.pageCount
        let before = bytes(of: tag)
        var pages = before
        for item in exchanges where item.isWrite && item.isAccepted && item.wasAnswered(by: name) {
            // COMPATIBILITY_WRITE sends its data in a separate frame, which no oracle follows.
            guard let page = item.command.pages?.lowerBound, let data = item.command.data, page < count else {
                return nil
            }
            pages.replaceSubrange(page * PageData.byteCount..<(page + 1) * PageData.byteCount, with: data)
        }
        let user = Type2DataArea.firstAddress
        guard pages[user...] != before[user...] else { return nil }
        return WrittenMessage(before: StoredMessage(pages: before), after: StoredMessage(pages: pages))
    }

    private static func message(
        of card: any FeliCaEngine, named name: String, _ exchanges: [SeenExchange]
    ) -> WrittenMessage? {
        guard let before = blocks(of: card) else { return nil }
        var blocks = before
        for item in exchanges where item.isWrite && item.isAccepted && item.wasAnswered(by: name) {
            guard item.command.services == [Type3Services.write], let data = item.command.data else { continue }
            for (index, block) in item.command.blocks.enumerated() where blocks.indices.contains(block.number) {
                let start = index * BlockData.byteCount
                blocks[block.number] = BlockData(data[start..<start + BlockData.byteCount])
            }
        }
        return blocks == before
            ? nil : WrittenMessage(before: StoredMessage(blocks: before), after: StoredMessage(blocks: blocks))
    }
}
