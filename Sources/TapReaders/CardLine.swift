import TapField
import TapWire

/// The line from a reader to the one card in its slot: finds it, keeps it selected, and exchanges frames with it.
///
/// A type A card that answers with a NAK or not at all falls back to IDLE. This line selects it anew before the next
/// command, as readers that watch for cards by themselves do; what the card forgot by that, it stays without.
struct CardLine: Sendable {
    /// What it looks for, in this order.
    var technologies: [Technology]
    /// The card in the slot.
    private(set) var card: FoundCard?
    private var isSelected = false

    init(_ technologies: [Technology]) {
        self.technologies = technologies
    }

    /// Looks whether the card is still there, and for another one if it is not.
    ///
    /// - Parameters:
    ///   - world: Where the cards are.
    ///   - isSearching: Whether the reader sends frames to find one; without it a card can only be lost.
    mutating func look(in world: inout World, isSearching: Bool = true) {
        if let card, card.isPresent(in: world) { return }
        card = isSearching ? world.findCard(technologies) : nil
        isSelected = card != nil
    }

    /// Takes power from the card and looks for one again.
    mutating func reset(in world: inout World) {
        powerDown(in: &world)
        card = nil
        look(in: &world)
    }

    /// Takes power from the card.
    mutating func powerDown(in world: inout World) {
        world.switchField(on: false)
        isSelected = false
    }

    /// Makes the next command select the card anew.
    mutating func deselect() {
        isSelected = false
    }

    /// Takes what a FeliCa card answered to a Polling for what it is from now on.
    mutating func remember(_ polling: Polling.Response) {
        guard case .felica(let old, let technology) = card?.tag, old.idm.ofSystem(0) == polling.idm.ofSystem(0)
        else { return }
        card?.tag = .felica(polling, technology)
    }

    /// Sends bytes to the card, with the CRC its technology has, and waits for the answer.
    mutating func exchange(_ bytes: [UInt8], in world: inout World, waiting: Duration = ReaderWait.command)
        -> ReceivedAnswer
    {
        guard let card, bytes.count <= Self.maximumLength else { return .silence }
        guard select(card, in: &world) else { return .silence }
        let frame = AirFrame(card.technology, bytes)
        let reply = ReceivedAnswer(world.exchangeWithOneCard(frame, waiting: waiting))
        if reply.endsSelection { isSelected = false }
        return reply
    }

    /// Most bytes of a frame readers send.
    static let maximumLength = 264

    private mutating func select(_ card: FoundCard, in world: inout World) -> Bool {
        guard case .typeA(let tag) = card.tag, !isSelected else { return true }
        guard card.isPresent(in: world) else { return false }
        isSelected = world.findTypeA(tag.uid) != nil
        return isSelected
    }
}

/// What comes back from a card.
enum ReceivedAnswer: Hashable, Sendable {
    case silence
    /// Whole bytes.
    case bytes([UInt8])
    /// A four-bit acknowledgement.
    case acknowledgement(Acknowledgement)
    /// A frame whose CRC or parity is wrong, or, where that is good, whose length is.
    case damaged(FrameIntegrity)

    /// What a received frame is.
    init(_ frame: AirFrame?) {
        guard let frame else {
            self = .silence
            return
        }
        if frame.integrity != .good {
            self = .damaged(frame.integrity)
        } else if frame.bitCount == Acknowledgement.bitCount, !frame.technology.isFeliCa {
            self = .acknowledgement(Acknowledgement(frame.bytes[0]))
        } else {
            self = frame.bitCount % 8 == 0 ? .bytes(frame.bytes) : .damaged(.good)
        }
    }

    /// Whether a type A card is back in IDLE after it.
    var endsSelection: Bool {
        switch self {
        case .silence, .damaged: true
        case .acknowledgement(let nibble): !nibble.isAck
        case .bytes: false
        }
    }
}

/// Why a block or page could not be read or written.
enum AccessFailure: Error {
    /// The card did not answer.
    case silence
    /// The card refused, or what came back is no answer to the command.
    case refused
    /// The memory of the card could not be programmed.
    case memory
}

/// Blocks and pages of the card in the slot.
extension CardLine {
    /// Reads four pages of a type 2 tag.
    mutating func readPages(_ page: UInt8, in world: inout World) throws(AccessFailure) -> [UInt8] {
        switch exchange(ReadPages.Request(page: page).bytes, in: &world) {
        case .bytes(let bytes) where bytes.count == ReadPages.Response.length: return bytes
        case .silence: throw .silence
        default: throw .refused
        }
    }

    /// Writes a page of a type 2 tag.
    mutating func writePage(_ page: UInt8, _ data: PageData, in world: inout World) throws(AccessFailure) {
        switch exchange(WritePage.Request(page: page, data: data).bytes, in: &world) {
        case .acknowledgement(.ack): return
        case .acknowledgement(.writeFailed): throw .memory
        case .silence: throw .silence
        default: throw .refused
        }
    }

    /// Reads blocks of a FeliCa card.
    mutating func readBlocks(
        _ idm: IDm, _ selection: FeliCaBlockSelection, in world: inout World
    ) throws(AccessFailure) -> [UInt8] {
        let packet = selection.packet(.readWithoutEncryption, idm)
        switch exchange(packet, in: &world) {
        case .bytes(let bytes):
            guard let response = try? ReadWithoutEncryption.Response(parsing: bytes), response.status.isSuccess
            else { throw .refused }
            return response.blocks.flatMap(\.bytes)
        case .silence: throw .silence
        default: throw .refused
        }
    }

    /// Writes blocks of a FeliCa card.
    mutating func writeBlocks(
        _ idm: IDm, _ selection: FeliCaBlockSelection, _ data: [UInt8], in world: inout World
    ) throws(AccessFailure) {
        let packet = selection.packet(.writeWithoutEncryption, idm, data)
        switch exchange(packet, in: &world) {
        case .bytes(let bytes):
            guard let response = try? WriteWithoutEncryption.Response(parsing: bytes), response.status.isSuccess
            else { throw .refused }
        case .silence: throw .silence
        default: throw .refused
        }
    }
}

extension FeliCaBlockSelection {
    /// The packet of a read or a write; LEN keeps its low byte where the lists are too long, which no card answers.
    fileprivate func packet(_ code: CommandCode, _ idm: IDm, _ data: [UInt8] = []) -> [UInt8] {
        let payload = [code.first] + idm.rawValue.octets + bytes + data
        return [UInt8(truncatingIfNeeded: payload.count + 1)] + payload
    }
}
