// The table of commands. Sources: NTAG213/215/216 data sheet rev. 3.2, "NTAG commands"; the codes NTAG21x does not know
// from the data sheets of the cards that do.

extension Type2Opcode {
    /// A command as documentation names and explains it.
    public struct Explanation: Hashable, Sendable {
        /// The opcode.
        public let opcode: Type2Opcode
        /// The name in the data sheet.
        public let name: String
        /// Whether NTAG213, NTAG215 and NTAG216 know the command.
        public let isKnownToNTAG21x: Bool
        /// What the command does, one sentence.
        public let sentence: String
        /// What refuses it and what to know about it, sentences.
        public let notes: [String]
    }

    /// The commands of NTAG21x, then those of its relatives that readers try.
    public static let explanations: [Explanation] = [
        known(
            .getVersion, "GET_VERSION", "Tells vendor, product, version and memory size in eight bytes.",
            "Neither password nor lock bits hinder it. Clones answer other bytes, or nothing."),
        known(
            .read, "READ", "Reads four pages, going on at page 0 behind the last page it may read.",
            "NAK 0: the page does not exist, or needs the password (PROT set, page at or above AUTH0).",
            "PWD and PACK always read as zero. Lock bits never hinder reading."),
        known(
            .fastRead, "FAST_READ", "Reads all pages from the first to the last address in one answer.",
            "NAK 0: the first page is above the last, a page does not exist, or any of them needs the password.",
            "The tag gives a whole memory in one answer, readers do not: many take about 60 pages at a time."),
        known(
            .write, "WRITE", "Writes one page; lock bytes and the capability container only ever gain bits.",
            "NAK 0: page 00 or 01, a page beyond the last, a locked page, a page at or above AUTH0 without the password, "
                + "or CFG0 and CFG1 behind CFGLCK.",
            "NAK 5: the memory could not be written.", "The answer takes about 4 ms; wait at least 10 ms for it."),
        known(
            .compatibilityWrite, "COMP_WRITE",
            "Writes one page in two steps, the second of which carries 16 bytes.",
            "The first step is refused as WRITE is. Of the 16 bytes of the second step the first four are written.",
            "NAK 0: the second step has other than 16 bytes; NAK 1: its CRC is wrong."),
        known(
            .readCounter, "READ_CNT", "Reads the 24-bit NFC counter, low byte first.",
            "NAK 0: the address is not 02, NFC_CNT_EN is clear, or NFC_CNT_PWD_PROT is set and no password was given."),
        known(
            .passwordAuthentication, "PWD_AUTH",
            "Opens protected pages with four password bytes; the answer is PACK.",
            "NAK 0: the password is wrong. NAK 4: it was wrong AUTHLIM times; no password is taken any more.",
            "A NAK or a new selection ends the authenticated state: give the password again after either.",
            "At delivery the password is FF FF FF FF and PACK is 00 00."),
        known(
            .readSignature, "READ_SIG", "Reads the 32-byte originality signature.",
            "NAK 0: the address is not 00. Zeros or a repeated UID, as clones answer, are no signature."),
        known(
            .halt, "HLTA", "Sends the card to HALT without an answer; only WUPA wakes it.",
            "Silence is the right answer."),
        foreign(
            Type2Opcode(0x1A), "AUTHENTICATE",
            "Begins the authentication of MIFARE Ultralight C; readers use it to tell the types apart."),
        foreign(.checkTearing, "CHECK_TEARING_EVENT", "Asks MIFARE Ultralight EV1 whether a counter update was torn."),
        foreign(Type2Opcode(0x4B), "VCSL", "Selects a virtual card on MIFARE Ultralight EV1."),
        foreign(Type2Opcode(0xA5), "INCR_CNT", "Adds to a one-way counter of MIFARE Ultralight EV1."),
        foreign(
            Type2Opcode(0xC2), "SECTOR_SELECT", "Switches the sector on Type 2 tags with more than 1 KiB of memory."),
        foreign(Type2Opcode(0xE0), "RATS", "Asks a card for ISO/IEC 14443-4, which Type 2 tags do not have."),
    ]

    private static func known(
        _ opcode: Type2Opcode, _ name: String, _ sentence: String, _ notes: String...
    ) -> Explanation {
        Explanation(opcode: opcode, name: name, isKnownToNTAG21x: true, sentence: sentence, notes: notes)
    }

    private static func foreign(_ opcode: Type2Opcode, _ name: String, _ sentence: String) -> Explanation {
        Explanation(
            opcode: opcode, name: name, isKnownToNTAG21x: false, sentence: sentence,
            notes: ["NTAG21x answers NAK 0 and has to be selected again; some clones stay silent."])
    }
}
