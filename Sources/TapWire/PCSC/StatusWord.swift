/// SW1 and SW2, the end of a response APDU.
///
/// Sources: ISO/IEC 7816-4, "status bytes"; PC/SC part 3, tables of error codes.
public struct StatusWord: Hashable, Sendable, CustomStringConvertible {
    /// Bytes of a status word.
    public static let length = 2

    /// Both bytes, SW1 high.
    public let rawValue: UInt16

    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public init(_ sw1: UInt8, _ sw2: UInt8) {
        self.init(UInt16(sw1) << 8 | UInt16(sw2))
    }

    public static let success = StatusWord(0x9000)
    /// Less data than asked for; in a transparent session a warning.
    public static let endReached = StatusWord(0x6282)
    /// No information: the operation failed.
    public static let noInformation = StatusWord(0x6300)
    /// Execution stopped by an object before, in a transparent session; no answer of the PN532, on an ACR122U.
    public static let stopped = StatusWord(0x6301)
    /// ACR122U: the checksum of an answer is wrong.
    public static let wrongChecksum = StatusWord(0x6327)
    /// ACR122U: the command is wrong.
    public static let wrongCommand = StatusWord(0x637F)
    /// Execution error: no answer.
    public static let noReaderAnswer = StatusWord(0x6400)
    /// Execution error: the card does not answer.
    public static let noCardAnswer = StatusWord(0x6401)
    /// Memory failure: the write did not succeed.
    public static let memoryFailure = StatusWord(0x6581)
    /// Wrong length.
    public static let wrongLength = StatusWord(0x6700)
    /// The command does not fit the card.
    public static let incompatible = StatusWord(0x6981)
    /// The security status forbids it.
    public static let securityNotSatisfied = StatusWord(0x6982)
    /// The conditions of use are not met.
    public static let conditionsNotSatisfied = StatusWord(0x6985)
    /// Not allowed.
    public static let notAllowed = StatusWord(0x6986)
    /// A value in the data is wrong.
    public static let wrongData = StatusWord(0x6A80)
    /// The function is not supported.
    public static let notSupported = StatusWord(0x6A81)
    /// Not found: no such address.
    public static let notFound = StatusWord(0x6A82)
    /// P1 or P2 is wrong.
    public static let wrongParameters = StatusWord(0x6B00)
    /// The instruction is not known.
    public static let unknownInstruction = StatusWord(0x6D00)
    /// The class is not known.
    public static let unknownClass = StatusWord(0x6E00)
    /// No precise diagnosis.
    public static let noDiagnosis = StatusWord(0x6F00)

    /// Le is wrong; `length` would be right.
    public static func exactly(_ length: UInt8) -> StatusWord { StatusWord(0x6C, length) }
    /// Done, `length` bytes wait for a get response.
    public static func waiting(_ length: UInt8) -> StatusWord { StatusWord(0x61, length) }

    /// The first byte.
    public var sw1: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
    /// The second byte.
    public var sw2: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
    /// Both bytes.
    public var bytes: [UInt8] { [sw1, sw2] }
    /// Whether it is 9000.
    public var isSuccess: Bool { self == .success }

    /// Whether it says that the command was not carried out; not where another Le would do.
    public var isError: Bool { 0x63...0x6F ~= sw1 && sw1 != 0x6C }

    /// Four hexadecimal digits.
    public var description: String { Hex.digits(rawValue, width: 4) }
}
