import TapField
import TapWire

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
