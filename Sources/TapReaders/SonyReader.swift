import TapField
import TapWire

/// Sony's FeliCa readers for PCs as presented by their PC/SC drivers: RC-S380 and RC-S300.
///
/// FeliCa blocks are read and written through a service selected beforehand. Behavior that no public document describes is
/// marked where it is implemented. Sources: Sony's PaSoRi sample code; open-source programs written for these drivers and for
/// the RC-S300's escape commands.
package struct SonyReader: LineReader {
    package enum Kind: Hashable, Sendable {
        /// RC-S380, PaSoRi of 2012.
        case rcs380
        /// RC-S300, PaSoRi of 2021.
        case rcs300
    }

    public let name: String
    package let kind: Kind
    // FeliCa comes first in readers made for it; the order of the real readers is unknown.
    package var line = CardLine([.felica212, .typeA106])
    package var session: TransparentSession
    private var service: NodeCode?

    public init(_ kind: Kind, name: String) {
        self.kind = kind
        self.name = name
        session = TransparentSession(kind == .rcs300 ? .rcs300 : .standard)
    }

    /// Answers escape commands as APDUs, with or without a card; the RC-S300 is driven by escape commands.
    public mutating func control(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer {
        let product: UInt16 = kind == .rcs300 ? 0x0DC9 : 0x06C3
        return ReaderControl.answer(code, properties: [.vendor(0x054C), .product(product)]) {
            .answer(answer(data, in: &world).bytes)
        }
    }

    /// The vendor, the version and the maximum command length.
    ///
    /// The RC-S380 has no CCID descriptor: its version is that of its firmware, and its maximum command length is inferred.
    public func attribute(_ id: UInt32) -> [UInt8]? {
        switch kind {
        case .rcs300: ReaderAttribute(vendor: "SONY", release: 0x0100, longestMessage: 522)[id]
        case .rcs380: ReaderAttribute(vendor: "SONY", release: 0x0111)[id]
        }
    }

    /// Ends a transparent session and deselects the service.
    package mutating func close() {
        session.close()
        service = nil
    }

    package mutating func answer(_ bytes: [UInt8], in world: inout World) -> ResponseAPDU {
        // An exchange of the RC-S300 is not an APDU of ISO/IEC 7816-4: it has one byte too many.
        if kind == .rcs300, let request = try? SessionRequest(parsing: bytes), request.dialect == .rcs300 {
            return line.session(bytes, &session, in: &world)
        }
        guard let command = try? CommandAPDU(parsing: bytes) else { return ResponseAPDU([], .wrongLength) }
        guard command.cla == CommandAPDU.reader else { return ResponseAPDU([], .unknownClass) }
        switch command.ins {
        case .transparent where command.p1 == 0: return line.session(bytes, &session, in: &world)
        case .getData: return getData(command)
        case .selectService: return select(command)
        case .readBinary: return line.sonyRead(command, service, in: &world)
        case .updateBinary: return line.sonyUpdate(command, service, in: &world)
        case .sonyRaw: return line.sonyRaw(command, in: &world)
        case .sonyFirmware where kind == .rcs300: return ResponseAPDU(Self.firmware)
        case .loadKeys, .generalAuthenticate, .authenticate, .transparent: return ResponseAPDU([], .notSupported)
        default: return ResponseAPDU([], .unknownInstruction)
        }
    }

    /// Version 1.11, low byte first; the real answer is undocumented.
    private static let firmware: [UInt8] = [0x11, 0x01]

    private func getData(_ command: CommandAPDU) -> ResponseAPDU {
        guard let card = line.card else { return ResponseAPDU([], .noCardAnswer) }
        guard command.p2 == 0, command.data.isEmpty,
            let object = card.sonyProperty(CardProperty(command.p1), of: kind)
        else { return ResponseAPDU([], .notSupported) }
        // Sony's samples request more than there is and check only the length.
        return command.answer(object, beyond: .success)
    }

    private mutating func select(_ command: CommandAPDU) -> ResponseAPDU {
        guard command.p1 == 0, command.p2 == 1 else { return ResponseAPDU([], .wrongParameters) }
        guard command.data.count == 2 else { return ResponseAPDU([], .wrongLength) }
        guard line.card?.technology.isFeliCa ?? false else { return ResponseAPDU([], .notSupported) }
        service = NodeCode(UInt16(command.data[0]) | UInt16(command.data[1]) << 8)
        return ResponseAPDU()
    }
}

extension FoundCard {
    /// Returns a property of a card in Sony's drivers; `nil` if they have none.
    ///
    /// The texts and numbers of the card types are undocumented; the number used is that of the standard in the ATR.
    func sonyProperty(_ property: CardProperty, of kind: SonyReader.Kind) -> [UInt8]? {
        switch property {
        case .identifier: return identifier
        case .historicalBytes:
            guard case .felica(let polling, _) = tag else { return nil }
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
    /// Answers read binary: `FF B0 00 BLK Le` reads one block of the selected service, `FF B0 80 n Lc block list Le` several;
    /// on a Type 2 tag, pages.
    mutating func sonyRead(_ command: CommandAPDU, _ service: NodeCode?, in world: inout World) -> ResponseAPDU {
        guard case .felica(let polling, _) = card?.tag else { return readBinary(command, in: &world) }
        guard let service else { return ResponseAPDU([], .conditionsNotSatisfied) }
        do throws(AccessFailure) {
            guard let (blocks, rest) = command.sonyBlocks, rest.isEmpty else { return ResponseAPDU([], .wrongLength) }
            let selection = FeliCaBlockSelection(services: [service], blocks: blocks)
            return command.answer(try readBlocks(polling.idm, selection, in: &world), beyond: .success)
        } catch {
            return ResponseAPDU([], error.status)
        }
    }

    /// Answers update binary, in the two forms of ``sonyRead(_:_:in:)``.
    mutating func sonyUpdate(_ command: CommandAPDU, _ service: NodeCode?, in world: inout World) -> ResponseAPDU {
        guard case .felica(let polling, _) = card?.tag else { return updateBinary(command, in: &world) }
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

    /// Sends a raw packet to the FeliCa card: with LEN if P1 is 01, without LEN in both directions if P1 is 00.
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
            // After a Polling, the system that answered is the current one.
            if let polling = try? Polling.Response(parsing: answer) { remember(polling) }
            return command.answer(Array(hasLength ? answer[...] : answer.dropFirst()), beyond: .success)
        case .silence: return ResponseAPDU([], .noCardAnswer)
        case .acknowledgement, .damaged: return ResponseAPDU([], .noInformation)
        }
    }
}

extension CommandAPDU {
    /// The P1 value of a read or update with a block list in the data and its length in P2.
    private static let blockList: UInt8 = 0x80

    /// The blocks of a Sony read or update and the data after them; `nil` if the list is truncated.
    package var sonyBlocks: (blocks: [BlockListElement], rest: [UInt8])? {
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
