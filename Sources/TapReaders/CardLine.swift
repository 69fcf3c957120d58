import TapField
import TapWire

/// A reader that reaches its card through a ``CardLine`` and offers transparent sessions, in which the host looks for cards.
package protocol LineReader: PCSCReader {
    var line: CardLine { get set }
    var session: TransparentSession { get set }

    /// Clears the state that does not survive a reset.
    mutating func close()

    /// Answers an APDU or an escape command.
    mutating func answer(_ bytes: [UInt8], in world: inout World) -> ResponseAPDU
}

extension LineReader {
    package var isLooking: Bool { !session.isOpen }

    /// Looks for a card; a field that the host has switched off stays off.
    package mutating func look(in world: inout World) -> SlotContent {
        line.look(in: &world, isSearching: !session.isOpen || world.isFieldOn)
        return line.content
    }

    package mutating func reset(in world: inout World) -> SlotContent {
        close()
        line.reset(in: &world)
        return line.content
    }

    package mutating func powerDown(in world: inout World) {
        close()
        line.powerDown(in: &world)
    }

    package mutating func transmit(_ command: [UInt8], in world: inout World) -> ReaderAnswer {
        guard line.card != nil else { return .noCard }
        return .answer(answer(command, in: &world).bytes)
    }
}

/// The link from a reader to the single card in its slot: finds the card, keeps it selected, and exchanges frames with it.
///
/// A type A card that answers with a NAK or not at all falls back to IDLE. The line reselects it before the next command, as
/// readers that monitor card presence do; volatile state of the card, such as an authentication, is lost.
package struct CardLine: Sendable {
    /// The technologies it looks for, in order.
    var technologies: [Technology]
    private(set) var card: FoundCard?
    private var isSelected = false

    init(_ technologies: [Technology]) {
        self.technologies = technologies
    }

    /// Checks whether the card is still present, and looks for another one if not.
    ///
    /// - Parameter isSearching: Whether the reader sends frames to find a card; if not, a card can only be lost.
    mutating func look(in world: inout World, isSearching: Bool = true) {
        if let card, card.isPresent(in: world) { return }
        card = isSearching ? world.findCard(technologies) : nil
        isSelected = card != nil
    }

    /// Removes power from the card and looks for a card again.
    mutating func reset(in world: inout World) {
        powerDown(in: &world)
        card = nil
        look(in: &world)
    }

    mutating func powerDown(in world: inout World) {
        world.switchField(on: false)
        isSelected = false
    }

    /// Makes the next command reselect the card.
    mutating func deselect() {
        isSelected = false
    }

    /// Replaces the system of a FeliCa card with the one that answered a Polling.
    mutating func remember(_ polling: Polling.Response) {
        guard case .felica(let old, let technology) = card?.tag, old.idm.ofSystem(0) == polling.idm.ofSystem(0)
        else { return }
        card?.tag = .felica(polling, technology)
    }

    /// Sends bytes to the card, with the CRC of its technology, and waits for the answer.
    mutating func exchange(_ bytes: [UInt8], in world: inout World) -> LineAnswer {
        guard let card, bytes.count <= Self.maximumLength else { return .silence }
        guard select(card, in: &world) else { return .silence }
        let frame = RFFrame(card.technology, bytes)
        let reply = LineAnswer(world.exchangeWithOneCard(frame, waiting: ReaderWait.command))
        if reply.endsSelection { isSelected = false }
        return reply
    }

    /// The maximum number of bytes in a frame that readers send.
    static let maximumLength = 264

    private mutating func select(_ card: FoundCard, in world: inout World) -> Bool {
        guard case .typeA(let tag) = card.tag, !isSelected else { return true }
        guard card.isPresent(in: world) else { return false }
        isSelected = world.findTypeA(tag.uid) != nil
        return isSelected
    }
}

/// The answer of a card as a reader receives it.
enum LineAnswer: Hashable, Sendable {
    case silence
    case bytes([UInt8])
    case acknowledgement(Acknowledgement)
    /// A frame with a wrong CRC or parity; with `good`, a frame of wrong length.
    case damaged(FrameIntegrity)

    init(_ frame: RFFrame?) {
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

    /// A Boolean value that indicates whether a type A card is back in IDLE after this answer.
    var endsSelection: Bool {
        switch self {
        case .silence, .damaged: true
        case .acknowledgement(let nibble): !nibble.isAck
        case .bytes: false
        }
    }
}

/// The reason a block or page could not be read or written.
enum AccessFailure: Error {
    case silence
    /// The card refused, or its answer does not match the command.
    case refused
    /// The memory of the card could not be programmed.
    case memory
}

extension CardLine {
    /// Reads four pages of a Type 2 tag.
    mutating func readPages(_ page: UInt8, in world: inout World) throws(AccessFailure) -> [UInt8] {
        switch exchange(ReadPages.Request(page: page).bytes, in: &world) {
        case .bytes(let bytes) where bytes.count == ReadPages.Response.length: return bytes
        case .silence: throw .silence
        default: throw .refused
        }
    }

    mutating func writePage(_ page: UInt8, _ data: PageData, in world: inout World) throws(AccessFailure) {
        switch exchange(WritePage.Request(page: page, data: data).bytes, in: &world) {
        case .acknowledgement(.ack): return
        case .acknowledgement(.writeFailed): throw .memory
        case .silence: throw .silence
        default: throw .refused
        }
    }

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
    /// Builds the packet of a read or a write; if the lists are too long, LEN keeps only its low byte, and no card answers.
    fileprivate func packet(_ code: CommandCode, _ idm: IDm, _ data: [UInt8] = []) -> [UInt8] {
        let payload = [code.first] + idm.rawValue.octets + bytes + data
        return [UInt8(truncatingIfNeeded: payload.count + 1)] + payload
    }
}
