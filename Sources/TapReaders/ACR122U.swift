import TapField
import TapWire

/// ACS ACR122U: a PN532 with a CCID interface, whose firmware polls for cards and passes commands to the chip.
///
/// The firmware carries out commands of PC/SC part 3 with the chip, and reselects the card after a failed command. After a
/// failed command to the chip itself, the host must look for the card again. There is no get response, which belongs to T=0:
/// the slot uses T=1. Source: ACS, "ACR122U application programming interface" 2.04.
package struct ACR122U: PCSCReader {
    /// The name in its USB descriptor, as shown by the CCID driver of Linux.
    public static let defaultName = "ACS ACR122U PICC Interface"
    static let firmware = "ACR122U215"

    public let name: String
    // The firmware limits the chip's searches before a host uses it.
    var chip = PN532(passiveRetries: 0, samStatus: 0x80)
    var settings = ACR122USettings()
    /// The card in the slot; the chip knows whether it is selected.
    private(set) var card: FoundCard?

    public init(name: String = defaultName) {
        self.name = name
    }

    public var isLooking: Bool { settings.isPolling }

    /// Looks for a card, unless the host has switched polling off.
    public mutating func look(in world: inout World) -> SlotContent {
        if let card, card.isPresent(in: world) { return content }
        adopt(settings.isPolling ? world.findCard(settings.technologies) : nil)
        return content
    }

    /// Resets the slot; the host's settings are kept.
    public mutating func reset(in world: inout World) -> SlotContent {
        powerDown(in: &world)
        card = nil
        return look(in: &world)
    }

    public mutating func powerDown(in world: inout World) {
        world.switchField(on: false)
        chip.selected = nil
    }

    public mutating func transmit(_ command: [UInt8], in world: inout World) -> ReaderAnswer {
        guard card != nil else { return .noCard }
        return .answer(answer(command, in: &world))
    }

    /// Answers escape commands as APDUs, with or without a card.
    public mutating func control(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer {
        ReaderControl.answer(code, properties: [.vendor(0x072F), .product(0x2200)]) {
            .answer(answer(data, in: &world))
        }
    }

    /// The vendor, the version and the maximum command length.
    public func attribute(_ id: UInt32) -> [UInt8]? { ReaderAttribute(vendor: "ACS", release: 0x0207)[id] }

    /// The slot content; FeliCa cards get an ACS-specific ATR that encodes the bit rate.
    private var content: SlotContent {
        guard let card else { return .empty }
        let storageCard: StorageCard =
            switch card.technology {
            case .typeA106: .ultralight
            case .felica212: StorageCard(.typeA, .felica212)
            case .felica424: StorageCard(.typeA, .felica424)
            }
        return card.inSlot(ContactlessATR(storageCard))
    }

    private mutating func adopt(_ found: FoundCard?) {
        card = found
        if let found { chip.adopt(found) }
    }

    /// Sends data to the card in the slot through the chip, and reselects the card first if the last exchange failed.
    mutating func exchange(_ data: [UInt8], in world: inout World) -> InDataExchange.Response {
        guard let card, prepare(card, in: &world) else { return InDataExchange.Response(.timeout) }
        let response = chip.exchange(InDataExchange.Request(1, data), in: &world)
        if !response.status.isOK { chip.selected = nil }
        return response
    }

    private mutating func prepare(_ card: FoundCard, in world: inout World) -> Bool {
        guard !chip.holds(card) else { return true }
        guard card.isPresent(in: world) else { return false }
        if case .typeA(let tag) = card.tag {
            guard let found = world.findTypeA(tag.uid) else { return false }
            adopt(found)
        } else {
            world.switchField(on: true)
            adopt(card)
        }
        return true
    }
}

extension ACR122U {
    mutating func answer(_ bytes: [UInt8], in world: inout World) -> [UInt8] {
        guard bytes.first == CommandAPDU.reader else { return native(bytes, in: &world) }
        if let data = Self.directlyTransmitted(bytes) { return directTransmit(data, in: &world) }
        guard let command = try? CommandAPDU(parsing: bytes) else { return Self.failed }
        switch command.ins {
        case .acs: return readerCommand(command, in: &world)
        case .getData: return getData(command).bytes
        case .readBinary: return readBinary(command, in: &world).bytes
        case .updateBinary: return updateBinary(command, in: &world).bytes
        case .loadKeys: return loadKeys(command)
        // Only MIFARE Classic has keys and values.
        case .generalAuthenticate, .authenticate, .value, .readValue: return Self.failed
        default: return StatusWord.notSupported.bytes
        }
    }

    /// Returns the bytes of a direct transmit for the chip: at most as many as Lc says.
    ///
    /// An Lc beyond the end works on hardware. Source: nfc-pcsc, issue 59, and its example of FAST_READ. That bytes beyond Lc
    /// are ignored is inferred.
    private static func directlyTransmitted(_ bytes: [UInt8]) -> [UInt8]? {
        let header = [CommandAPDU.reader, Instruction.acs.rawValue, 0, 0]
        guard bytes.starts(with: header), bytes.count > header.count + 1, bytes[header.count] > 0 else { return nil }
        return Array(bytes.dropFirst(header.count + 1).prefix(Int(bytes[header.count])))
    }

    /// "The operation failed"; the manual has no other code for most errors.
    private static let failed = StatusWord.noInformation.bytes

    /// Answers a packet without an APDU around it, which only FeliCa cards accept.
    ///
    /// An APDU for a card application gets success and no bytes, not even a status word, which is likely. Source: pyscard,
    /// issues 18 and 85; libnfc, issue 263.
    private mutating func native(_ bytes: [UInt8], in world: inout World) -> [UInt8] {
        guard let card, card.technology.isFeliCa, bytes.count == Int(bytes.first ?? 0) else { return [] }
        let response = exchange(bytes, in: &world)
        return response.status.isOK ? ResponseAPDU(response.answer).bytes : Self.failed
    }

    /// Answers commands to the reader itself, distinguished by P1.
    private mutating func readerCommand(_ command: CommandAPDU, in world: inout World) -> [UInt8] {
        switch command.p1 {
        case 0x00 where command.p2 == 0: return directTransmit(command.data, in: &world)
        case 0x40:
            guard command.data.count == 4 else { return Self.failed }
            settings.setLights(command.p2)
            return StatusWord(0x90, settings.lights).bytes
        // The firmware's timeout for the chip and its buzzer have no effect here.
        case 0x41, 0x52: return StatusWord.success.bytes
        case 0x48: return Array(Self.firmware.utf8)
        case 0x50: return StatusWord(0x90, settings.operating).bytes
        case 0x51:
            settings.operating = command.p2
            return StatusWord(0x90, settings.operating).bytes
        default: return StatusWord.notSupported.bytes
        }
    }

    /// Passes bytes to the chip; if the chip would wait for a card without a limit, the firmware reports that it gave up.
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
        // A shorter Le truncates the identifier, which is likely: ACS's own document requests four bytes of a seven-byte UID.
        let count = command.expected.flatMap { $0 == 0 ? nil : $0 } ?? card.identifier.count
        return ResponseAPDU(Array(card.identifier.prefix(count)))
    }

    /// Reads up to four pages of a Type 2 tag; FeliCa cards are read with native packets.
    private mutating func readBinary(_ command: CommandAPDU, in world: inout World) -> ResponseAPDU {
        let whole = ReadPages.Response.length
        guard let page = UInt8(exactly: command.address), let expected = command.expected, expected <= whole,
            isTypeA
        else { return ResponseAPDU([], .noInformation) }
        let response = exchange(ReadPages.Request(page: page).bytes, in: &world)
        guard response.status.isOK, response.answer.count == whole else { return ResponseAPDU([], .noInformation) }
        return ResponseAPDU(Array(response.answer.prefix(expected == 0 ? whole : expected)))
    }

    private mutating func updateBinary(_ command: CommandAPDU, in world: inout World) -> ResponseAPDU {
        guard let page = UInt8(exactly: command.address), command.data.count == PageData.byteCount, isTypeA else {
            return ResponseAPDU([], .noInformation)
        }
        let response = exchange(WritePage.Request(page: page, data: PageData(command.data)).bytes, in: &world)
        return ResponseAPDU([], response.status.isOK ? .success : .noInformation)
    }

    private var isTypeA: Bool { card?.technology == .typeA106 }

    /// Stores a key in one of the reader's two slots, whatever the card.
    private func loadKeys(_ command: CommandAPDU) -> [UInt8] {
        guard command.p1 == 0, command.p2 <= 1, command.data.count == 6 else { return Self.failed }
        return StatusWord.success.bytes
    }
}

/// The settings of an ACR122U besides its chip.
struct ACR122USettings: Hashable, Sendable {
    /// The PICC operating parameter of the manual: the cards to look for, and whether to poll automatically.
    var operating: UInt8 = 0xFF
    /// The two lights: bit 0 red, bit 1 green.
    private(set) var lights: UInt8 = 0

    /// A Boolean value that indicates whether it looks for cards automatically: bit 7.
    var isPolling: Bool { operating & 0x80 != 0 }

    /// The technologies it looks for, in order: type A (bit 0), FeliCa at 212 kbit/s (bit 3) and at 424 kbit/s (bit 4).
    var technologies: [Technology] {
        let bits: [(UInt8, Technology)] = [(0x01, .typeA106), (0x08, .felica212), (0x10, .felica424)]
        return bits.filter { operating & $0.0 != 0 }.map(\.1)
    }

    /// Sets the lights from a control byte: bits 0 and 1 are the new states, bits 2 and 3 the mask; blinking is ignored.
    mutating func setLights(_ control: UInt8) {
        let mask = control >> 2 & 0x03
        lights = lights & ~mask | control & mask
    }
}
