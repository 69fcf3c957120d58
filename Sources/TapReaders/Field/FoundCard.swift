import TapField
import TapWire

/// A card that a reader has found: what it said of itself, and which one of the world it is.
public struct FoundCard: Hashable, Sendable {
    /// What the card said of itself.
    public enum Identity: Hashable, Sendable {
        /// A type A card.
        case typeA(TypeATag)
        /// A system of a FeliCa card, and the bit rate it was found at.
        case felica(Polling.Response, Technology)
    }

    /// What it said of itself.
    public var identity: Identity
    /// The card, an index into the cards of the world.
    public let index: Int
    /// The visit of the card.
    public let visit: Int

    /// Whether the card has been before the reader that acts ever since it was found.
    func isPresent(in world: World) -> Bool {
        world.isWithinReach(index) && world.cards[index].visit == visit
    }

    /// The technology at which it was found.
    var technology: Technology {
        switch identity {
        case .typeA: .typeA106
        case .felica(_, let technology): technology
        }
    }

    /// The UID of a type A card, the IDm of a FeliCa system.
    var identifier: [UInt8] {
        switch identity {
        case .typeA(let tag): tag.uid.bytes
        case .felica(let polling, _): polling.idm.rawValue.octets
        }
    }

    /// The slot content with an ATR.
    func inSlot(_ atr: ContactlessATR) -> SlotContent {
        .card(SlotCard(card: index, visit: visit, atr: atr.bytes))
    }

    /// The storage card that PC/SC part 3 has for it.
    var storageCard: StorageCard {
        switch identity {
        case .typeA: .ultralight
        case .felica: .felica
        }
    }
}
