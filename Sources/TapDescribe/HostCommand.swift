import TapWire

/// A command APDU that a host sends to a reader or a card, as it is explained and recognised.
///
/// Sources: PC/SC part 3 and its supplement for contactless cards; ISO/IEC 7816-4; ACS, "ACR122U application programming
/// interface" 2.04; Sony's PaSoRi sample code; open drivers of the RC-S300.
struct HostCommand: Sendable {
    /// The bytes it begins with: class and instruction, and parameters where they tell commands apart.
    let prefix: [UInt8]
    /// The name in the manuals.
    let title: String
    /// What it does, one sentence.
    let summary: String
    /// What it is made of, in one line.
    let layout: String
    /// Which readers have it, and what they answer; sentences.
    let notes: [String]
    /// Where it is documented.
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

    /// The command that bytes begin with; of several the one that says most.
    static func of(_ bytes: [UInt8]) -> HostCommand? {
        all.filter { bytes.starts(with: $0.prefix) }.max { $0.prefix.count < $1.prefix.count }
    }

    /// Every command that is known.
    static let all = storageCard + acs + sony + card

    private static func pcsc(
        _ prefix: [UInt8], _ title: String, _ summary: String, _ layout: String, _ notes: String...
    ) -> HostCommand {
        HostCommand(prefix, title, summary, layout, notes, "PC/SC part 3, \"storage card functionality\"")
    }

    private static let storageCard = [
        pcsc(
            [0xFF, 0xCA], "Get Data", "Asks the reader for the UID or IDm of the card, or for what its ATS says.",
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
            [0xFF, 0x82], "Load Keys", "Gives the reader a key, for MIFARE Classic.",
            "FF | 82 | key structure | key number | Lc | key (6)",
            "Neither FeliCa nor NTAG21x use such keys; an NTAG wants PWD_AUTH, 1B and the password."),
        pcsc(
            [0xFF, 0x86], "General Authenticate", "Opens a sector of a MIFARE Classic with a loaded key.",
            "FF | 86 | 00 | 00 | 05 | 01 | block (2, BE) | key type | key number",
            "It fails on any other card: a tag that is no MIFARE Classic."),
        pcsc(
            [0xFF, 0x88], "Authenticate", "The older form of General Authenticate, FF 86.",
            "FF | 88 | block (2, BE) | key type | key number"),
        pcsc(
            [0xFF, 0xC2, 0x00, 0x00], "Manage Session",
            "Begins or ends a transparent session and sets what holds in it.",
            "FF | C2 | 00 | 00 | Lc | data objects | Le",
            "81 begins, 82 ends, 83 field off, 84 field on, 5F46 how long to wait.",
            "The answer has objects, too: C0 says what became of the command, though the status word is 9000."),
        pcsc(
            [0xFF, 0xC2, 0x00, 0x01], "Transparent Exchange",
            "Sends a frame to the card as it is, in a transparent session.",
            "FF | C2 | 00 | 01 | Lc | data objects | Le",
            "95 is the frame to send, 97 in the answer the frame received.",
            "A FeliCa frame has its LEN in front."),
        pcsc(
            [0xFF, 0xC2, 0x00, 0x02], "Switch Protocol", "Chooses type A or FeliCa in a transparent session.",
            "FF | C2 | 00 | 02 | Lc | data objects | Le", "8F 02 00 03 is type A at layer 3, 8F 02 03 00 is FeliCa."),
        pcsc(
            [0xFF, 0xC2], "Transparent session", "Speaks to the card by frames of one's own.",
            "FF | C2 | 00 | P2 | Lc | data objects | Le",
            "P2 00 manages the session, 01 exchanges, 02 switches the protocol."),
    ]

    private static func acs(
        _ prefix: [UInt8], _ title: String, _ summary: String, _ layout: String, _ notes: String...
    ) -> HostCommand {
        HostCommand(
            prefix, title, summary, layout, ["Readers of ACS have it, model acr122u here."] + notes,
            "ACS, \"ACR122U application programming interface\" 2.04")
    }

    private static let acs = [
        acs(
            [0xFF, 0x00, 0x00, 0x00], "Direct Transmit", "Gives a command to the PN532 inside the reader.",
            "FF | 00 | 00 | 00 | Lc | D4 | PN532 command", "The answer is D5, the code plus one, data, then 9000.",
            "D4 4A lists cards, D4 42 sends a frame, D4 40 exchanges with a listed card."),
        acs(
            [0xFF, 0x00, 0x40], "LED and Buzzer", "Sets the lights and the buzzer of the reader.",
            "FF | 00 | 40 | lights | 04 | times (4)"),
        acs(
            [0xFF, 0x00, 0x41], "Set Timeout", "Says how long the reader waits for the PN532.",
            "FF | 00 | 41 | time | 00"),
        acs(
            [0xFF, 0x00, 0x48], "Get Firmware Version",
            "Asks for the firmware; the answer is text without a status word.", "FF | 00 | 48 | 00 | 00"),
        acs(
            [0xFF, 0x00, 0x50], "Get PICC Parameters", "Asks which cards the reader looks for.",
            "FF | 00 | 50 | 00 | 00"),
        acs(
            [0xFF, 0x00, 0x51], "Set PICC Parameters", "Says which cards the reader looks for.",
            "FF | 00 | 51 | parameters | 00"),
        acs(
            [0xFF, 0x00, 0x52], "Set Buzzer", "Says whether a card that is found is heard.",
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
            prefix, title, summary, layout, ["Readers of Sony have it, \(models) here; others answer 6D00 or 6A81."],
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
                "It goes to a card that speaks ISO/IEC 7816-4. FeliCa cards and NTAG21x do not; their readers answer 6E00 or 6A81."
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
        iso(0x84, "GET CHALLENGE", "Gets a random number of a card."),
        iso(0x20, "VERIFY", "Gives a PIN to a card."),
        iso(0x88, "INTERNAL AUTHENTICATE", "Lets a card prove itself."),
        iso(0x82, "EXTERNAL AUTHENTICATE", "Proves the reader's side to a card."),
    ]
}
