import TapField
import TapWire

extension FoundCard {
    /// What Sony's drivers say of a card, or nothing where they say nothing.
    ///
    /// The texts and the number of the kind are not documented; the number is that of the standard in the ATR.
    func sonyProperty(_ property: CardProperty, of kind: SonyReader.Kind) -> [UInt8]? {
        switch property {
        case .identifier: return identifier
        case .historicalBytes:
            guard case .felica(let polling, _) = identity else { return nil }
            return polling.pmm.rawValue.octets
        default: return kind == .rcs300 ? rcs300Property(property) : nil
        }
    }

    private func rcs300Property(_ property: CardProperty) -> [UInt8]? {
        switch property {
        case .cardID: identifier
        case .cardName: Array((technology.isFeliCa ? "FeliCa" : "MIFARE Ultralight").utf8)
        case .bitRate: [rateCode]
        case .cardType: [storageCard.standard.rawValue]
        case .cardTypeName: Array((technology.isFeliCa ? "FeliCa" : "ISO14443A").utf8)
        default: nil
        }
    }

    private var rateCode: UInt8 {
        switch technology {
        case .typeA106: 1
        case .felica212: 2
        case .felica424: 3
        }
    }
}

extension CardLine {
    /// Read binary: `FF B0 00 BLK Le` one block of the selected service, `FF B0 80 n Lc block list Le` several; on a
    /// type 2 tag pages.
    mutating func sonyRead(
        _ command: CommandAPDU, _ service: NodeCode?, in world: inout World
    ) -> ResponseAPDU {
        guard case .felica(let polling, _) = card?.identity else { return readBinary(command, in: &world) }
        guard let service else { return ResponseAPDU([], .conditionsNotSatisfied) }
        do throws(AccessFailure) {
            guard let (blocks, rest) = command.sonyBlocks, rest.isEmpty else { return ResponseAPDU([], .wrongLength) }
            let selection = FeliCaBlockSelection(services: [service], blocks: blocks)
            return command.answer(try readBlocks(polling.idm, selection, in: &world), beyond: .success)
        } catch {
            return ResponseAPDU([], error.status)
        }
    }

    /// Update binary, in the two forms of ``sonyRead(_:_:in:)``.
    mutating func sonyUpdate(
        _ command: CommandAPDU, _ service: NodeCode?, in world: inout World
    ) -> ResponseAPDU {
        guard case .felica(let polling, _) = card?.identity else { return updateBinary(command, in: &world) }
        guard let service else { return ResponseAPDU([], .conditionsNotSatisfied) }
        do throws(AccessFailure) {
            guard let (blocks, data) = command.sonyBlocks, data.count == BlockData.byteCount * blocks.count else {
                return ResponseAPDU([], .wrongLength)
            }
            let selection = FeliCaBlockSelection(services: [service], blocks: blocks)
            try writeBlocks(polling.idm, selection, data, in: &world)
            return ResponseAPDU()
        } catch {
            return ResponseAPDU([], error.status)
        }
    }

    /// A packet for the FeliCa card as it is: with LEN under P1 01, without it, in both directions, under P1 00.
    mutating func sonyRaw(_ command: CommandAPDU, in world: inout World) -> ResponseAPDU {
        guard command.p1 <= 1, command.p2 == 0 else { return ResponseAPDU([], .wrongParameters) }
        guard card?.technology.isFeliCa ?? false else { return ResponseAPDU([], .notSupported) }
        let hasLength = command.p1 == 1
        let length = hasLength ? command.data.count : command.data.count + 1
        guard FeliCaPacket.minimumLength...FeliCaPacket.maximumLength ~= length else {
            return ResponseAPDU([], .wrongLength)
        }
        let packet = (hasLength ? [] : [UInt8(length)]) + command.data
        switch exchange(packet, in: &world) {
        case .bytes(let answer):
            // A Polling goes on with the system that answered.
            if let polling = try? Polling.Response(parsing: answer) { remember(polling) }
            return command.answer(Array(hasLength ? answer[...] : answer.dropFirst()), beyond: .success)
        case .silence: return ResponseAPDU([], .noCardAnswer)
        case .acknowledgement, .damaged: return ResponseAPDU([], .noInformation)
        }
    }
}

extension CommandAPDU {
    /// P1 of a read or update that names its blocks in the data and their number in P2.
    private static let blockList: UInt8 = 0x80

    /// The blocks a Sony read or update names and what follows them, or nothing if the list breaks off.
    fileprivate var sonyBlocks: (blocks: [BlockListElement], rest: [UInt8])? {
        guard p1 == Self.blockList else {
            return ([BlockListElement(blockNumber: address)], data)
        }
        var blocks: [BlockListElement] = []
        var offset = 0
        let slice = data[...]
        for _ in 0..<p2 {
            guard let element = BlockListElement(slice.span, at: offset) else { return nil }
            blocks.append(element)
            offset += element.byteCount
        }
        return blocks.isEmpty ? nil : (blocks, Array(data[offset...]))
    }
}
