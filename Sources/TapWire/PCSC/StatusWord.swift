/// SW1 and SW2, the end of a response APDU.
///
/// Sources: ISO/IEC 7816-4, "status bytes"; PC/SC part 3, tables of error codes.
package struct StatusWord: OpenCode, CustomStringConvertible {
    package static let length = 2

    /// Both bytes, SW1 high.
    package let rawValue: UInt16

    package init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package init(_ sw1: UInt8, _ sw2: UInt8) {
        self.init(UInt16(sw1) << 8 | UInt16(sw2))
    }

    package static let success = StatusWord(0x9000)
    /// Less data than requested; a warning in a transparent session.
    package static let endReached = StatusWord(0x6282)
    /// No information; the operation failed.
    package static let noInformation = StatusWord(0x6300)
    /// In a transparent session, a previous object stopped execution; on an ACR122U, the PN532 did not answer.
    package static let stopped = StatusWord(0x6301)
    package static let wrongCommand = StatusWord(0x637F)
    package static let noReaderAnswer = StatusWord(0x6400)
    package static let noCardAnswer = StatusWord(0x6401)
    package static let memoryFailure = StatusWord(0x6581)
    package static let wrongLength = StatusWord(0x6700)
    package static let conditionsNotSatisfied = StatusWord(0x6985)
    package static let wrongData = StatusWord(0x6A80)
    package static let notSupported = StatusWord(0x6A81)
    package static let notFound = StatusWord(0x6A82)
    package static let wrongParameters = StatusWord(0x6B00)
    package static let unknownInstruction = StatusWord(0x6D00)
    package static let unknownClass = StatusWord(0x6E00)
    package static let noDiagnosis = StatusWord(0x6F00)

    /// Le is wrong; `length` is the correct value.
    package static func exactly(_ length: UInt8) -> StatusWord { StatusWord(0x6C, length) }
    /// Success; `length` bytes can be fetched with get response.
    package static func waiting(_ length: UInt8) -> StatusWord { StatusWord(0x61, length) }

    package var sw1: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
    package var sw2: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
    package var bytes: [UInt8] { [sw1, sw2] }
    package var isSuccess: Bool { self == .success }

    /// A Boolean value that indicates whether the command failed; false if the status word only asks for another Le.
    package var isError: Bool { 0x63...0x6F ~= sw1 && sw1 != 0x6C }
}

// Meanings: ISO/IEC 7816-4, "status bytes"; PC/SC part 3, "storage card functionality"; ACS, "ACR122U application programming
// interface" 2.04. The advice is from TapSim.

extension StatusWord {
    /// A status word or a family of status words, with its meaning.
    package struct Entry: Hashable, Sendable {
        /// The status word; the variable bits are zero.
        package let code: StatusWord
        /// The bits that hold a number or distinguish the members of a family; 0 for a single status word.
        let variable: UInt16
        /// The meaning, a sentence fragment; `xx` and `x` stand for the number.
        package let meaning: String
        /// Other meanings on readers and next steps, as sentences.
        package let notes: [String]

        fileprivate init(_ code: UInt16, variable: UInt16 = 0, _ meaning: String, _ notes: String...) {
            self.code = StatusWord(code)
            self.variable = variable
            self.meaning = meaning
            self.notes = notes
        }

        /// Four digits, with `x` for the digits of the number: `6A82`, `61xx`, `63Cx`.
        package var name: String {
            let fixed = variable == 0 ? 4 : variable == 0xF ? 3 : 2
            return code.description.prefix(fixed) + String(repeating: "x", count: 4 - fixed)
        }

        /// A Boolean value that indicates whether the meaning is exact, alone or with a number; otherwise only the first byte
        /// is known.
        package var isExact: Bool { variable == 0 || meaning.contains("xx") || variable == 0xF }

        package func meaning(of status: StatusWord) -> String {
            let number = "\(status.rawValue & variable)"
            return meaning.split(separator: " ", omittingEmptySubsequences: false)
                .map { $0 == "xx" || $0 == "x" ? number[...] : $0 }.joined(separator: " ")
        }
    }

    /// The entry for the status word, or `nil` if neither standard defines it.
    package var entry: Entry? {
        Self.known.first { rawValue & ~$0.variable == $0.code.rawValue }
    }

    /// The known status words in ascending order; a family comes after its members that have their own meaning.
    package static let known = (warnings + failures + refusals).sorted {
        ($0.code.rawValue | $0.variable, $0.code.rawValue) < ($1.code.rawValue | $1.variable, $1.code.rawValue)
    }

    private static let warnings = [
        Entry(0x9000, "done", "On an ACR122U the second byte may be the state of its lights or its parameters, 90xx."),
        Entry(
            0x6100, variable: 0xFF, "done, and xx more bytes are available",
            "Fetch them with Get Response: CLA C0 00 00 and the number."
        ),
        Entry(0x6200, variable: 0xFF, "a warning; nothing was changed"),
        Entry(0x6200, "a warning without details; nothing was changed"),
        Entry(
            0x6281, "part of the data may be wrong",
            "PC/SC, Read Binary: the card returned only part of it; read again."),
        Entry(0x6282, "less data than Le requests", "Use the data received, or request less."),
        Entry(0x6283, "the selected file is deactivated"),
        Entry(0x6284, "the file control information is in another format"),
        Entry(0x6285, "the selected file is in its termination state"),
        Entry(0x6300, variable: 0xFF, "a warning; something was changed"),
        Entry(
            0x6300, "no details are given",
            "On a reader it is a failure, not a warning: the operation did not succeed. The ACR122U returns it for nearly "
                + "every failure: no card, no answer from the card, a wrong page.",
            "Check that the card is still there and that the command suits its type."),
        Entry(
            0x6301, "no answer in time",
            "ACR122U: the PN532 did not answer. Transparent session: a previous object failed."),
        Entry(0x6327, "the checksum of the contactless answer is wrong", "ACR122U. Send the command again."),
        Entry(0x637F, "the command to the PN532 is wrong", "ACR122U: check the bytes after D4."),
        Entry(0x6381, "the file is full"),
        Entry(
            0x63C0, variable: 0xF, "failed, and x tries are left", "When no tries are left, the reference is blocked."),
    ]

    private static let failures = [
        Entry(0x6400, variable: 0xFF, "an execution error; nothing was changed"),
        Entry(0x6400, "an execution error; nothing was changed", "Readers return it if there is no answer."),
        Entry(
            0x6401, "the card does not answer", "In ISO/IEC 7816-4: the card requires an immediate response.",
            "Hold the card still and try again."),
        Entry(0x6500, variable: 0xFF, "an execution error; something was changed"),
        Entry(
            0x6581, "memory failure: the write did not succeed",
            "The page may be locked, or the card was removed; read the page again."),
        Entry(0x6600, variable: 0xFF, "a security problem"),
    ]

    private static let refusals = [
        Entry(0x6700, "wrong length", "Lc, Le or the number of bytes does not match the command."),
        Entry(0x6800, variable: 0xFF, "the class byte requests a function that is not supported"),
        Entry(0x6881, "logical channels are not supported"), Entry(0x6882, "secure messaging is not supported"),
        Entry(0x6883, "the last command of the chain was expected"),
        Entry(0x6884, "chains of commands are not supported"),
        Entry(0x6900, variable: 0xFF, "the command is not allowed"),
        Entry(
            0x6981, "the command does not fit the card or its file",
            "PC/SC, Read and Update Binary: this type of card does not support the command."),
        Entry(
            0x6982, "the security status is not satisfied",
            "Authenticate first. PC/SC, Load Keys: keys of the card are not supported."),
        Entry(0x6983, "authentication is blocked", "PC/SC, Load Keys: keys of the reader are not supported."),
        Entry(0x6984, "the reference data cannot be used", "PC/SC, Load Keys: plain transmission is not supported."),
        Entry(
            0x6985, "conditions of use are not satisfied",
            "Something is needed first: a selection, a session. PC/SC, Load Keys: secured transmission is not supported."
        ),
        Entry(
            0x6986, "the command is not allowed: no file is selected",
            "PC/SC: the card is not present or not activated. Load Keys: there is no volatile memory."),
        Entry(
            0x6987, "data objects of secure messaging are missing", "PC/SC, Load Keys: there is no non-volatile memory."
        ),
        Entry(
            0x6988, "data objects of secure messaging are wrong",
            "PC/SC, Load Keys: the key number is not valid."),
        Entry(0x6989, "the length of the key is wrong", "PC/SC, Load Keys."),
        Entry(0x6A00, variable: 0xFF, "P1, P2 or the data are wrong"),
        Entry(0x6A80, "a value in the data is wrong"),
        Entry(
            0x6A81, "the function is not supported",
            "The reader or card does not support the command; it may belong to another maker's readers."),
        Entry(
            0x6A82, "the file or application is not found",
            "PC/SC, Read and Update Binary: the card has no such block or page."),
        Entry(0x6A83, "the record is not found"), Entry(0x6A84, "there is not enough memory in the file"),
        Entry(0x6A85, "Lc does not fit the structure of the data"),
        Entry(0x6A86, "P1 or P2 is wrong", "The instruction is known, but not with these parameters."),
        Entry(0x6A87, "Lc does not fit P1 and P2"), Entry(0x6A88, "the reference data are not found"),
        Entry(0x6A89, "the file already exists"), Entry(0x6A8A, "the name of the application already exists"),
        Entry(0x6B00, "P1 or P2 is wrong", "Often the address is past the end of the card."),
        Entry(0x6C00, variable: 0xFF, "wrong Le; the correct value is xx", "Send the command again with that Le."),
        Entry(0x6D00, "the instruction is not supported or not valid", "The class is known, INS is not."),
        Entry(
            0x6E00, "the class is not supported", "Commands for a reader have CLA FF; a memory card accepts no others."),
        Entry(0x6F00, "an error without a precise diagnosis"),
    ]
}
