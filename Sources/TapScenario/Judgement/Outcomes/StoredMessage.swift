import TapCards
import TapField
import TapWire

/// The NDEF message that a card holds, as a reader finds it.
enum StoredMessage: Hashable, Sendable {
    /// The bytes of a message; none for an empty tag.
    case message([UInt8])
    /// A write was begun and the card says so, as NFC Forum Type 3 Tags do.
    case beingWritten
    /// Nothing that a reader takes for a message.
    case unreadable

    /// The message in the pages of a Type 2 Tag.
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

    /// The message in the blocks of a Type 3 Tag.
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

    /// A message only if its records fill it.
    private static func checked(_ bytes: [UInt8]) -> StoredMessage {
        bytes.isEmpty || (try? NDEFMessage(parsing: bytes)) != nil ? .message(bytes) : .unreadable
    }
}
