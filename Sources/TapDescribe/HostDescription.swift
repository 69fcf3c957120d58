import TapWire

/// Descriptions of the traffic between a host and a reader: APDUs, packets of the PN532, return codes.
extension FrameDescription {
    static func apdu(_ bytes: [UInt8]) -> FrameDescription {
        var walk = FrameWalk(host: bytes)
        let command = HostCommand.of(bytes)
        let title = command?.title ?? "command"
        let line =
            command.map { "\($0.title): \($0.summary.prefix(1).lowercased())\($0.summary.dropFirst().dropLast())" }
            ?? ""
        // A walk that ends early has already added the available bytes as a field, and a remark.
        try? walk.takeCommand(bytes, command)
        return FrameDescription("\(title), a command APDU", nil, walk, line: line)
    }

    static func response(_ bytes: [UInt8]) -> FrameDescription {
        var walk = FrameWalk(host: bytes)
        let data = max(0, bytes.count - StatusWord.length)
        let status = StatusWord(bytes[data], bytes[data + 1])
        let meaning = status.entry?.meaning(of: status) ?? "not a status word of ISO/IEC 7816-4 or PC/SC"
        walk.append("data", bitCount: data * 8, meaning: dataText(bytes.prefix(data)))
        walk.append("SW1 SW2", bitCount: StatusWord.length * 8, meaning: meaning)
        let title = data == 0 ? "status word" : "response APDU"
        let count = data == 0 ? "" : "\(CountText.of(data, "byte")), "
        return FrameDescription(title, nil, walk, line: "\(count)SW \(status)  \(meaning)")
    }

    private static func dataText(_ data: ArraySlice<UInt8>) -> String {
        if data.first == PN532Packet.toHost, data.count > 1, let name = PN532Code(data[data.startIndex + 1] &- 1).name {
            return "answer of a PN532 to \(name)"
        }
        return [4, 7, 10].contains(data.count)
            ? "a UID, if it answers Get Data"
            : data.count == 8 ? "an IDm, if it answers Get Data" : ""
    }

    /// Describes a number that a PC/SC function returns.
    static func returnCode(_ bytes: [UInt8], _ entry: PCSCReturnCode.Entry) -> FrameDescription {
        var walk = FrameWalk(host: bytes)
        walk.append("return code", bitCount: bytes.count * 8, meaning: "\(entry.name): \(entry.advice)")
        return FrameDescription("PC/SC return code", nil, walk, line: "\(entry.name)")
    }

    /// Describes a packet of a PN532, alone or in its frame.
    static func pn532(_ bytes: [UInt8], packet: [UInt8], at start: Int) -> FrameDescription {
        var walk = FrameWalk(host: bytes)
        let isCommand = packet.first == PN532Packet.toChip
        let code = packet.count > 1 ? PN532Code(isCommand ? packet[1] : packet[1] &- 1) : nil
        let name = code.map { $0.name ?? "command \($0)" } ?? "packet"
        let title = packet.isEmpty ? "ACK or NACK of a PN532" : "\(name) \(isCommand ? "command" : "answer") of a PN532"
        walk.append("preamble, start code, length", bitCount: start * 8)
        walk.append(
            "TFI", bitCount: min(1, packet.count) * 8,
            meaning: isCommand ? "from the host to the chip" : "from the chip to the host")
        walk.append("code", bitCount: min(1, max(0, packet.count - 1)) * 8, meaning: name)
        let data = Array(packet.dropFirst(2))
        let meaning = code.map { innerLine(data, of: $0, isCommand: isCommand) } ?? ""
        walk.append("data", bitCount: data.count * 8, meaning: meaning)
        walk.append(packet.isEmpty ? "frame" : "checksum, postamble", bitCount: walk.bitsLeft)
        return FrameDescription(title, nil, walk, line: meaning.isEmpty ? title : "\(title): \(meaning)")
    }

    /// Returns the frame that a packet carries to or from a card, in one line; empty if it carries none.
    private static func innerLine(_ data: [UInt8], of code: PN532Code, isCommand: Bool) -> String {
        // The frame follows the target number in a command, and the error code in an answer.
        let lead = code == .inDataExchange || !isCommand ? 1 : 0
        guard code == .inDataExchange || code == .inCommunicateThru, data.count > lead else { return "" }
        let frame = Array(data.dropFirst(lead))
        if Int(frame[0]) == frame.count {
            return FrameGuess.all(for: RFFrame(.felica212, frame)).first?.description.line ?? ""
        }
        guard isCommand else { return CountText.of(frame.count, "byte") }
        return FrameDescription(command: RFFrame(.typeA106, frame)).line
    }
}

/// An exchange between a host and its reader, or the chip in it.
package struct HostExchange {
    /// The command in one line, such as `Read Binary: 090F block 0`; empty for an unknown command.
    package let line: String
    package let command: FrameDescription
    /// The answer; `nil` if there is none.
    package let answer: FrameDescription?

    /// The kind of bytes.
    package enum Layer {
        case apdu
        case pn532
        case port100
    }

    package init(_ command: [UInt8], answer: [UInt8], _ layer: Layer) {
        switch layer {
        case .apdu: self.init(apdu: command, answer: answer)
        case .pn532: self.init(command, answer: answer) { .pn532($0, packet: $0, at: 0) }
        case .port100: self.init(command, answer: answer) { .port100($0, packet: $0, at: 0) }
        }
    }

    private init(_ command: [UInt8], answer: [UInt8], _ describe: ([UInt8]) -> FrameDescription) {
        self.command = describe(command)
        self.answer = answer.isEmpty ? nil : describe(answer)
        line = self.command.line
    }

    private init(apdu command: [UInt8], answer: [UInt8]) {
        self.command = .apdu(command)
        self.answer = answer.count < StatusWord.length ? nil : .response(answer)
        let data = self.command.fields.first { $0.name == "data" }
        // Among data objects, only the frame shows what a call is about.
        let objects = data?.details.filter { $0.name.hasPrefix(HostData.framed) } ?? []
        let isList = data?.meaning == HostData.objectList
        let words = isList ? objects.map(\.meaning) : [data?.meaning ?? ""] + (data?.details.map(\.meaning) ?? [])
        let said = words.filter { !$0.isEmpty }
        let title = HostCommand.of(command)?.title ?? ""
        line = title.isEmpty || said.isEmpty ? title : "\(title): \(said.joined(separator: ", "))"
    }
}

extension FrameWalk {
    /// Creates a walk over bytes that are not sent over the air.
    init(host bytes: [UInt8]) {
        // The technology of the frame does not matter: it only carries the bytes.
        self.init(RFFrame(.typeA106, bytes))
    }

    fileprivate mutating func takeCommand(_ bytes: [UInt8], _ command: HostCommand?) throws(End) {
        try take("CLA", 1, meaning: { $0[0] == CommandAPDU.reader ? "the reader itself" : "the card" })
        try take("INS", 1, meaning: { _ in command?.title ?? "unknown" })
        try take("P1", 1)
        try take("P2", 1)
        try takeBody(bytes)
    }

    /// Takes the bytes after the header of an APDU: Lc, data and Le, as far as they are consistent.
    fileprivate mutating func takeBody(_ bytes: [UInt8]) throws(End) {
        guard bytesLeft > 0 else { return }
        let data: [UInt8]
        let lengthBytes: Int
        var announced: Int?
        let command = try? SessionRequest.apdu(bytes)
        if let command {
            data = command.data
            lengthBytes = command.isExtended ? 3 : 1
            guard !data.isEmpty else {
                return append("Le", bitCount: bitsLeft, meaning: Self.expectation(command.expected))
            }
        } else {
            let count = Int(bytes[position / 8])
            let rest = bytesLeft - 1
            announced = count
            remark("Lc is \(count), but \(CountText.of(rest, "byte")) \(rest == 1 ? "follows" : "follow")")
            data = Array(bytes.suffix(rest))
            lengthBytes = 1
        }
        try take("Lc", lengthBytes, meaning: { _ in CountText.of(announced ?? data.count, "byte") })
        let (meaning, details) = HostData(bytes, data).words
        try take("data", data.count, meaning: { _ in meaning }, details: { _ in details })
        guard bytesLeft > 0 else { return }
        append("Le", bitCount: bitsLeft, meaning: Self.expectation(command?.expected))
    }

    private static func expectation(_ expected: Int?) -> String {
        guard let expected else { return "" }
        return expected == 0 ? "all available bytes" : "\(CountText.of(expected, "byte")) expected"
    }
}

/// The meaning of a command APDU's data.
private struct HostData {
    /// The meaning of a list of data objects.
    static let objectList = "data objects"
    /// The prefix of the name of an object that contains a frame.
    static let framed = "bytes to send"

    private let command: [UInt8]
    private let data: [UInt8]

    init(_ command: [UInt8], _ data: [UInt8]) {
        self.command = command
        self.data = data
    }

    var words: (meaning: String, details: [FrameDescription.Detail]) {
        switch (command[1], command[2], command[3]) {
        case _ where command[0] != CommandAPDU.reader: ("", [])
        case (Instruction.acs.rawValue, 0, 0):
            (
                data.count > 1 && data[0] == PN532Packet.toChip
                    ? FrameDescription.pn532(data, packet: data, at: 0).line : "", []
            )
        case (Instruction.transparent.rawValue, _, _), (Instruction.sonyTransparent.rawValue, _, _):
            (Self.objectList, objects)
        case (Instruction.readBinary.rawValue, 0, 0), (Instruction.updateBinary.rawValue, 0, 0): ("", blocks)
        case (Instruction.selectService.rawValue, _, _) where data.count == 2:
            ("service \(NodeCode(UInt16(data[0]) | UInt16(data[1]) << 8))", [])
        case (Instruction.sonyRaw.rawValue, 1, _): (FrameDescription(command: RFFrame(.felica212, data)).line, [])
        default: ("", [])
        }
    }

    private var objects: [FrameDescription.Detail] {
        SessionObject.list(data).objects.map {
            .init(name: $0.tag.name ?? "object \($0.tag)", meaning: Self.meaning(of: $0))
        }
    }

    /// Returns the frame in an object, in words, or its bytes.
    private static func meaning(of object: SessionObject) -> String {
        let bytes = object.value
        guard object.tag.name?.hasPrefix(framed) == true, let first = bytes.first else { return Hex.text(bytes) }
        let isFeliCa = Int(first) == bytes.count
        return FrameDescription(command: RFFrame(isFeliCa ? .felica212 : .typeA106, bytes)).line
    }

    private var blocks: [FrameDescription.Detail] {
        guard let (selection, _) = try? FeliCaBlockSelection.parse(data) else { return [] }
        let places = selection.blocks.map { block in
            let index = Int(block.serviceOrder)
            return NamedBlock(
                block, service: selection.services.indices.contains(index) ? selection.services[index] : nil)
        }
        return places.isEmpty ? [] : [.init(name: "blocks", meaning: NamedBlock.text(places))]
    }
}

extension SessionObject.Tag {
    /// The name of an object in a command; `nil` for an unknown tag.
    fileprivate var name: String? {
        switch self {
        case .version: "version"
        case .start: "begin a session"
        case .end: "end the session"
        case .fieldOff: "field off"
        case .fieldOn: "field on"
        case .timer: "microseconds to wait, LE"
        case .getParameters: "get parameters"
        case .setParameters: "set parameters"
        case .flags: "flags of transmission and reception"
        case .transmittedBits: "bits of the last byte sent"
        case .receivedBits: "bits of the last byte received"
        case .transmit: HostData.framed
        case .receive: "receive"
        case .transceive: "\(HostData.framed), then receive"
        case .switchProtocol: "switch protocol"
        default: nil
        }
    }
}

extension PN532Code {
    /// The name in the user manual; `nil` for a code that is not a command.
    var name: String? { Self.names.first { $0.code == self }?.name }

    private static let names: [(code: PN532Code, name: String)] = [
        (.diagnose, "Diagnose"), (.getFirmwareVersion, "GetFirmwareVersion"), (.getGeneralStatus, "GetGeneralStatus"),
        (.readRegister, "ReadRegister"), (.writeRegister, "WriteRegister"), (.readGPIO, "ReadGPIO"),
        (.writeGPIO, "WriteGPIO"), (.setSerialBaudRate, "SetSerialBaudRate"), (.setParameters, "SetParameters"),
        (.samConfiguration, "SAMConfiguration"), (.powerDown, "PowerDown"), (.rfConfiguration, "RFConfiguration"),
        (.rfRegulationTest, "RFRegulationTest"), (.inDataExchange, "InDataExchange"),
        (.inCommunicateThru, "InCommunicateThru"), (.inDeselect, "InDeselect"), (.inJumpForPSL, "InJumpForPSL"),
        (.inListPassiveTarget, "InListPassiveTarget"), (.inPSL, "InPSL"), (.inATR, "InATR"),
        (.inRelease, "InRelease"), (.inSelect, "InSelect"), (.inJumpForDEP, "InJumpForDEP"),
        (.inAutoPoll, "InAutoPoll"), (.tgInitAsTarget, "TgInitAsTarget"),
    ]
}

/// A command APDU that a host sends to a reader or a card, with its explanation.
///
/// Sources: PC/SC part 3 and its supplement for contactless cards; ISO/IEC 7816-4; ACS, "ACR122U application programming
/// interface" 2.04; Sony's PaSoRi sample code; open drivers of the RC-S300.
struct HostCommand: Sendable {
    /// The bytes with which the command begins: class and instruction, and parameters if they distinguish commands.
    let prefix: [UInt8]
    let title: String
    let summary: String
    /// The structure in one line.
    let layout: String
    /// The readers that support the command, and their answers; sentences.
    let notes: [String]
    let source: String

    private init(
        _ prefix: [UInt8], _ title: String, _ summary: String, _ layout: String, _ notes: [String], _ source: String
    ) {
        self.prefix = prefix
        self.title = title
        self.summary = summary
        self.layout = layout
        self.notes = notes
        self.source = source
    }

    /// Returns the command that bytes begin with; if there are several, the most specific one.
    static func of(_ bytes: [UInt8]) -> HostCommand? {
        longestFirst.first { bytes.starts(with: $0.prefix) }
    }

    static let all = storageCard + acs + sony + card
    private static let longestFirst = all.sorted { $0.prefix.count > $1.prefix.count }

    private static func pcsc(
        _ prefix: [UInt8], _ title: String, _ summary: String, _ layout: String, _ notes: String...
    ) -> HostCommand {
        HostCommand(prefix, title, summary, layout, notes, "PC/SC part 3, \"storage card functionality\"")
    }

    private static let storageCard = [
        pcsc(
            [0xFF, 0xCA], "Get Data", "Asks the reader for the UID or IDm of the card, or for the contents of its ATS.",
            "FF | CA | P1 | 00 | Le", "P1 00: UID of a type A card, IDm of a FeliCa card. Le 00 asks for all of it.",
            "P1 01: historical bytes of the ATS; Sony readers answer the PMm of a FeliCa card.",
            "P1 F0 to F4: identifier, names, bit rate and kind of the card, on the RC-S300 alone.",
            "6A81: the reader does not know that P1. 6300: an ACR122U sees no card."),
        pcsc(
            [0xFF, 0xB0], "Read Binary", "Reads pages of a type 2 tag or blocks of a FeliCa card.",
            "FF | B0 | page (2, BE) | Le", "On a type 2 tag P1 P2 are the page; 16 bytes are four pages.",
            "FeliCa by the standard: FF B0 00 00 Lc, then services and block list as in Read Without Encryption.",
            "FeliCa on Sony readers: after FF A4, FF B0 00 block Le, or FF B0 80 n Lc and a block list."),
        pcsc(
            [0xFF, 0xD6], "Update Binary", "Writes a page of a type 2 tag or blocks of a FeliCa card.",
            "FF | D6 | page (2, BE) | Lc | data", "On a type 2 tag four bytes are one page.",
            "FeliCa: services, block list and blocks in the data, in the forms of Read Binary."),
        pcsc(
            [0xFF, 0x82], "Load Keys", "Loads a key for MIFARE Classic into the reader.",
            "FF | 82 | key structure | key number | Lc | key (6)",
            "Neither FeliCa nor NTAG21x use such keys; an NTAG wants PWD_AUTH, 1B and the password."),
        pcsc(
            [0xFF, 0x86], "General Authenticate", "Opens a sector of a MIFARE Classic with a loaded key.",
            "FF | 86 | 00 | 00 | 05 | 01 | block (2, BE) | key type | key number",
            "It fails on any card that is not a MIFARE Classic."),
        pcsc(
            [0xFF, 0x88], "Authenticate", "The older form of General Authenticate, FF 86.",
            "FF | 88 | block (2, BE) | key type | key number"),
        pcsc(
            [0xFF, 0xC2, 0x00, 0x00], "Manage Session",
            "Begins or ends a transparent session and sets its parameters.",
            "FF | C2 | 00 | 00 | Lc | data objects | Le",
            "81 begins, 82 ends, 83 field off, 84 field on, 5F46 how long to wait.",
            "The answer has objects, too: C0 reports the result of the command, although the status word is 9000."),
        pcsc(
            [0xFF, 0xC2, 0x00, 0x01], "Transparent Exchange",
            "Sends a frame to the card as it is, in a transparent session.",
            "FF | C2 | 00 | 01 | Lc | data objects | Le",
            "95 is the frame to send, 97 in the answer the frame received.",
            "A FeliCa frame begins with its LEN."),
        pcsc(
            [0xFF, 0xC2, 0x00, 0x02], "Switch Protocol", "Chooses type A or FeliCa in a transparent session.",
            "FF | C2 | 00 | 02 | Lc | data objects | Le", "8F 02 00 03 is type A at layer 3, 8F 02 03 00 is FeliCa."),
        pcsc(
            [0xFF, 0xC2], "Transparent session", "Exchanges raw frames with the card.",
            "FF | C2 | 00 | P2 | Lc | data objects | Le",
            "P2 00 manages the session, 01 exchanges, 02 switches the protocol."),
    ]

    private static func acs(
        _ prefix: [UInt8], _ title: String, _ summary: String, _ layout: String, _ notes: String...
    ) -> HostCommand {
        HostCommand(
            prefix, title, summary, layout, ["ACS readers support it, here model acr122u."] + notes,
            "ACS, \"ACR122U application programming interface\" 2.04")
    }

    private static let acs = [
        acs(
            [0xFF, 0x00, 0x00, 0x00], "Direct Transmit", "Sends a command to the PN532 inside the reader.",
            "FF | 00 | 00 | 00 | Lc | D4 | PN532 command", "The answer is D5, the code plus one, data, then 9000.",
            "D4 4A lists cards, D4 42 sends a frame, D4 40 exchanges with a listed card."),
        acs(
            [0xFF, 0x00, 0x40], "LED and Buzzer", "Sets the lights and the buzzer of the reader.",
            "FF | 00 | 40 | lights | 04 | times (4)"),
        acs(
            [0xFF, 0x00, 0x41], "Set Timeout", "Sets how long the reader waits for the PN532.",
            "FF | 00 | 41 | time | 00"),
        acs(
            [0xFF, 0x00, 0x48], "Get Firmware Version",
            "Asks for the firmware; the answer is text without a status word.", "FF | 00 | 48 | 00 | 00"),
        acs(
            [0xFF, 0x00, 0x50], "Get PICC Parameters", "Asks which cards the reader looks for.",
            "FF | 00 | 50 | 00 | 00"),
        acs(
            [0xFF, 0x00, 0x51], "Set PICC Parameters", "Sets which cards the reader looks for.",
            "FF | 00 | 51 | parameters | 00"),
        acs(
            [0xFF, 0x00, 0x52], "Set Buzzer", "Sets whether the buzzer sounds when a card is found.",
            "FF | 00 | 52 | FF or 00 | 00"),
        acs(
            [0xFF, 0xD7], "Value Block", "Stores, adds or subtracts a value of a MIFARE Classic.",
            "FF | D7 | 00 | block | 05 | operation | value (4, BE)"),
        acs([0xFF, 0xB1], "Read Value Block", "Reads a value of a MIFARE Classic.", "FF | B1 | 00 | block | 04"),
        acs([0xFF, 0xC0], "Get Response", "Asks for the rest of an answer, under T=0.", "FF | C0 | 00 | 00 | Le"),
    ]

    private static func sony(
        _ prefix: [UInt8], _ title: String, _ models: String, _ summary: String, _ layout: String, _ source: String
    ) -> HostCommand {
        HostCommand(
            prefix, title, summary, layout, ["Sony readers support it, here \(models); others answer 6D00 or 6A81."],
            source)
    }

    private static let samples = "Sony's PaSoRi sample code and published articles on it"
    private static let drivers = "open drivers of the RC-S300"

    private static let sony = [
        sony(
            [0xFF, 0xA4], "Select File", "models rc-s380 and rc-s300",
            "Selects the FeliCa service that Read Binary and Update Binary work on.",
            "FF | A4 | 00 | 01 | 02 | service code (2, LE)", samples),
        sony(
            [0xFF, 0xFE], "Raw FeliCa packet", "models rc-s380 and rc-s300", "Sends a FeliCa packet to the card.",
            "FF | FE | 01 | 00 | Lc | packet with LEN | Le", samples),
        sony(
            [0xFF, 0x50], "Transparent session of the RC-S300", "model rc-s300",
            "Does what FF C2 does on other readers.",
            "FF | 50 | 00 | step | Lc | data objects | Le", drivers),
        sony(
            [0xFF, 0x56], "Get Firmware Version", "model rc-s300", "Asks for the firmware of the reader.",
            "FF | 56 | 00 | 00 | Le", drivers),
        sony(
            [0xFF, 0x5F], "Get Reader Property", "model rc-s300", "Asks for a property of the reader.",
            "FF | 5F | P1 | P2 | Le", drivers),
    ]

    private static func iso(_ ins: UInt8, _ title: String, _ summary: String) -> HostCommand {
        HostCommand(
            [0x00, ins], title, summary, "00 | \(Hex.digits(ins, width: 2)) | P1 | P2 | [Lc | data] | [Le]",
            [
                "It is for cards that support ISO/IEC 7816-4. FeliCa cards and NTAG21x do not; their readers answer 6E00 or 6A81."
            ],
            "ISO/IEC 7816-4, \"commands for interchange\"")
    }

    private static let card = [
        iso(0xA4, "SELECT", "Selects a file or application of a card."),
        iso(0xB0, "READ BINARY", "Reads a file of a card."),
        iso(0xB2, "READ RECORD", "Reads a record of a file of a card."),
        iso(0xC0, "GET RESPONSE", "Gets the bytes that 61xx announced."),
        iso(0xCA, "GET DATA", "Gets a data object of a card."),
        iso(0xD6, "UPDATE BINARY", "Writes to a file of a card."),
        iso(0x84, "GET CHALLENGE", "Gets a random number from a card."),
        iso(0x20, "VERIFY", "Sends a PIN to a card."),
        iso(0x88, "INTERNAL AUTHENTICATE", "Authenticates a card to the reader's side."),
        iso(0x82, "EXTERNAL AUTHENTICATE", "Authenticates the reader's side to a card."),
    ]
}
