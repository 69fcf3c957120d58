import TapField
import TapWire

/// The commands of an ACR122U.
extension ACR122U {
    /// Answers an APDU or an escape command.
    mutating func answer(_ bytes: [UInt8], in world: inout World) -> [UInt8] {
        guard bytes.first == CommandAPDU.reader else { return native(bytes, in: &world).bytes }
        if let data = Self.directlyTransmitted(bytes) { return directTransmit(data, in: &world) }
        guard let command = try? CommandAPDU(parsing: bytes) else { return Self.failed }
        switch command.ins {
        case .acs: return readerCommand(command, in: &world)
        case .getData: return getData(command).bytes
        case .readBinary: return readBinary(command, in: &world).bytes
        case .updateBinary: return updateBinary(command, in: &world).bytes
        case .loadKeys: return loadKeys(command)
        // MIFARE Classic alone has keys and values.
        case .generalAuthenticate, .authenticate, .value, .readValue: return Self.failed
        default: return StatusWord.notSupported.bytes
        }
    }

    /// What a direct transmit has for the chip: as much as Lc counts, or less if less has come.
    ///
    /// An Lc beyond the end passes on hardware. Source: nfc-pcsc, issue 59, and its example of FAST_READ. That bytes
    /// behind what Lc counts are left out is inferred.
    private static func directlyTransmitted(_ bytes: [UInt8]) -> [UInt8]? {
        let header = [CommandAPDU.reader, Instruction.acs.rawValue, 0, 0]
        guard bytes.starts(with: header), bytes.count > header.count + 1, bytes[header.count] > 0 else { return nil }
        return Array(bytes.dropFirst(header.count + 1).prefix(Int(bytes[header.count])))
    }

    /// The operation failed, all the manual says of most errors.
    private static let failed = StatusWord.noInformation.bytes

    /// A packet without any APDU around it, which FeliCa cards take; any other card here takes none.
    private mutating func native(_ bytes: [UInt8], in world: inout World) -> ResponseAPDU {
        guard let card, card.technology.isFeliCa, bytes.count == Int(bytes.first ?? 0) else {
            return ResponseAPDU([], .noInformation)
        }
        let response = exchange(bytes, in: &world)
        return response.status.isOK ? ResponseAPDU(response.answer) : ResponseAPDU([], .noInformation)
    }

    /// Commands to the reader itself, told apart by P1.
    private mutating func readerCommand(_ command: CommandAPDU, in world: inout World) -> [UInt8] {
        switch command.p1 {
        case 0x00 where command.p2 == 0: return directTransmit(command.data, in: &world)
        case 0x40:
            guard command.data.count == 4 else { return Self.failed }
            settings.setLights(command.p2)
            return StatusWord(0x90, settings.lights).bytes
        // How long the firmware waits for the chip, and its buzzer: nothing here takes long, nothing is heard.
        case 0x41, 0x52: return StatusWord.success.bytes
        case 0x48: return Array(Self.firmware.utf8)
        case 0x50: return StatusWord(0x90, settings.operating).bytes
        case 0x51:
            settings.operating = command.p2
            return StatusWord(0x90, settings.operating).bytes
        default: return StatusWord.notSupported.bytes
        }
    }

    /// Gives bytes to the chip.
    ///
    /// Where the chip would wait, for a card that may never come, the firmware gives up and says that it has no answer.
    private mutating func directTransmit(_ bytes: [UInt8], in world: inout World) -> [UInt8] {
        guard let command = try? PN532Packet.Command(parsing: bytes) else { return StatusWord.wrongCommand.bytes }
        switch chip.answer(command, in: &world) {
        case .syntaxError?: return StatusWord.wrongCommand.bytes
        case let answer?: return ResponseAPDU(answer.bytes).bytes
        case nil: return StatusWord.stopped.bytes
        }
    }

    private func getData(_ command: CommandAPDU) -> ResponseAPDU {
        guard command.p1 == CardProperty.identifier.rawValue, command.p2 == 0, command.data.isEmpty else {
            return ResponseAPDU([], .notSupported)
        }
        guard let card else { return ResponseAPDU([], .noInformation) }
        return command.answer(card.identifier, beyond: .success)
    }

    /// Reads up to four pages of a type 2 tag; FeliCa cards are read by native packets.
    private mutating func readBinary(_ command: CommandAPDU, in world: inout World) -> ResponseAPDU {
        let whole = ReadPages.Response.length
        guard let page = UInt8(exactly: command.address), let expected = command.expected, expected <= whole,
            isTypeA
        else { return ResponseAPDU([], .noInformation) }
        let response = exchange(ReadPages.Request(page: page).bytes, in: &world)
        guard response.status.isOK, response.answer.count == whole else { return ResponseAPDU([], .noInformation) }
        return ResponseAPDU(Array(response.answer.prefix(expected == 0 ? whole : expected)))
    }

    /// Writes a page of a type 2 tag.
    private mutating func updateBinary(_ command: CommandAPDU, in world: inout World) -> ResponseAPDU {
        guard let page = UInt8(exactly: command.address), command.data.count == PageData.byteCount, isTypeA else {
            return ResponseAPDU([], .noInformation)
        }
        let response = exchange(WritePage.Request(page: page, data: PageData(command.data)).bytes, in: &world)
        return ResponseAPDU([], response.status.isOK ? .success : .noInformation)
    }

    private var isTypeA: Bool { card?.technology == .typeA106 }

    /// A key goes into one of two places of the reader, whatever the card.
    private func loadKeys(_ command: CommandAPDU) -> [UInt8] {
        guard command.p1 == 0, command.p2 <= 1, command.data.count == 6 else { return Self.failed }
        return StatusWord.success.bytes
    }
}
