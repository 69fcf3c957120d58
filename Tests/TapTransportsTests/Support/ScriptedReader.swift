import TapField
import TapReaders
import TapWire

/// A reader with answers from a table and a volatile mark, for tests of transports.
///
/// | command | answer |
/// |---|---|
/// | `FF CA 00 00 00` | one byte, the card's place in the world, 9000 |
/// | `FF E0 hi lo` | so many bytes, 9000 |
/// | `FF E1` | sets the mark, 9000 |
/// | `FF E2` | the mark, 9000 |
/// | `FF E3` | the card leaves, and the exchange fails |
/// | `FF E4` | the exchange fails |
struct ScriptedReader: PCSCReader {
    /// The name without the numbers of the service.
    var name = "TapSim Test Reader"
    /// The ATR of each card, by its index in the world.
    var atrs = [StorageCardATR.ntag, StorageCardATR.felica]
    /// The results of commands to the reader.
    var controlAnswer = ReaderAnswer.unsupported
    private var mark: UInt8 = 0

    func look(in world: inout World) -> SlotContent {
        guard let card = world.cards.indices.first(where: { world.cards[$0].isPresent }) else { return .empty }
        return .card(SlotCard(card: card, visit: world.cards[card].visit, atr: atrs[card]))
    }

    mutating func reset(in world: inout World) -> SlotContent {
        mark = 0
        return look(in: &world)
    }

    mutating func powerDown(in world: inout World) {
        mark = 0
    }

    mutating func transmit(_ command: [UInt8], in world: inout World) -> ReaderAnswer {
        guard case .card(let content) = look(in: &world) else { return .noCard }
        guard command.count >= 4, command[0] == 0xFF else { return .answer([0x6E, 0x00]) }
        switch command[1] {
        case 0xCA: return .answer([UInt8(content.card), 0x90, 0x00])
        case 0xE0:
            let count = Int(command[2]) << 8 | Int(command[3])
            return .answer((0..<count).map { UInt8(truncatingIfNeeded: $0) } + [0x90, 0x00])
        case 0xE1: mark = 1
        case 0xE2: return .answer([mark, 0x90, 0x00])
        case 0xE3:
            world.remove(world.cards[content.card].name)
            return .failed
        case 0xE4: return .failed
        default: return .answer([0x6D, 0x00])
        }
        return .answer([0x90, 0x00])
    }

    mutating func control(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer { controlAnswer }

    func attribute(_ id: UInt32) -> [UInt8]? { nil }
}

/// ATRs of contactless storage cards.
///
/// Source: PC/SC part 3, section 3.1.3.2.3, and its supplement of registered identifiers.
enum StorageCardATR {
    /// An NTAG or MIFARE Ultralight.
    static let ntag: [UInt8] = [
        0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0, 0, 0x03, 0x06, 0x03, 0, 0x03, 0, 0, 0, 0, 0x68,
    ]
    /// A FeliCa card.
    static let felica: [UInt8] = [
        0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0, 0, 0x03, 0x06, 0x11, 0, 0x3B, 0, 0, 0, 0, 0x42,
    ]
}
