/// The sharing mode of a card, an argument of SCardConnect.
///
/// Source: pcsc-lite manual, "SCardConnect".
public struct PCSCShareMode: Hashable, Sendable {
    package let rawValue: UInt32

    /// Creates a mode; the service rejects values other than the named ones.
    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// No other program may connect.
    package static let exclusive = PCSCShareMode(1)
    /// Other programs may also connect in this mode.
    public static let shared = PCSCShareMode(2)
    /// A connection to the reader itself, with or without a card.
    package static let direct = PCSCShareMode(3)
}

/// The protocols of a card, as bits.
///
/// Source: pcsc-lite manual, "SCardConnect".
public struct PCSCProtocols: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// T=0, byte-oriented.
    public static let t0 = PCSCProtocols(rawValue: 1)
    /// T=1, block-oriented.
    public static let t1 = PCSCProtocols(rawValue: 2)
    /// The driver interprets the bytes.
    package static let raw = PCSCProtocols(rawValue: 4)
}

/// The treatment of the card when a connection or transaction ends, or when a connection is renewed.
///
/// Source: pcsc-lite manual, "SCardDisconnect".
public struct PCSCDisposition: Hashable, Sendable {
    package let rawValue: UInt32

    /// Creates a disposition; the service rejects values other than the named ones.
    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The card stays as it is.
    public static let leave = PCSCDisposition(0)
    package static let reset = PCSCDisposition(1)
    package static let unpower = PCSCDisposition(2)
    package static let eject = PCSCDisposition(3)
}

/// The reader state for SCardGetStatusChange, as bits; the high half counts insertions and removals.
///
/// Source: pcsc-lite manual, "SCardGetStatusChange".
package struct PCSCReaderFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The state differs from the state that the caller passed.
    package static let changed = PCSCReaderFlags(rawValue: 0x0002)
    package static let unknown = PCSCReaderFlags(rawValue: 0x0004)
    package static let empty = PCSCReaderFlags(rawValue: 0x0010)
    package static let present = PCSCReaderFlags(rawValue: 0x0020)
    package static let mute = PCSCReaderFlags(rawValue: 0x0200)
}

/// The return code of a PC/SC function.
///
/// Windows and pcsc-lite use the same values and names, except for ``unsupportedFeature``: 8010001F in pcsc-lite, 80100022 in
/// Windows and macOS. Source: pcsc-lite manual, "ErrorCodes".
package struct PCSCReturnCode: Hashable, Sendable, CustomStringConvertible {
    /// The number, such as 80100069h; on Linux the functions return it in 64 bits.
    package let rawValue: UInt32

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let success = PCSCReturnCode(0)
    package static let internalError = PCSCReturnCode(0x8010_0001)
    /// SCardCancel ended the wait.
    package static let cancelled = PCSCReturnCode(0x8010_0002)
    package static let invalidHandle = PCSCReturnCode(0x8010_0003)
    package static let invalidParameter = PCSCReturnCode(0x8010_0004)
    package static let noMemory = PCSCReturnCode(0x8010_0006)
    /// The buffer is too small for the returned data.
    package static let insufficientBuffer = PCSCReturnCode(0x8010_0008)
    package static let unknownReader = PCSCReturnCode(0x8010_0009)
    package static let timeout = PCSCReturnCode(0x8010_000A)
    /// Another program uses the card in a way that excludes this one.
    package static let sharingViolation = PCSCReturnCode(0x8010_000B)
    package static let noSmartCard = PCSCReturnCode(0x8010_000C)
    static let cannotDispose = PCSCReturnCode(0x8010_000E)
    package static let protocolMismatch = PCSCReturnCode(0x8010_000F)
    static let notReady = PCSCReturnCode(0x8010_0010)
    package static let invalidValue = PCSCReturnCode(0x8010_0011)
    package static let communicationError = PCSCReturnCode(0x8010_0013)
    /// The command did not reach the card, or there is no transaction to end.
    package static let notTransacted = PCSCReturnCode(0x8010_0016)
    package static let readerUnavailable = PCSCReturnCode(0x8010_0017)
    static let pciTooSmall = PCSCReturnCode(0x8010_0019)
    static let readerUnsupported = PCSCReturnCode(0x8010_001A)
    package static let noService = PCSCReturnCode(0x8010_001D)
    package static let serviceStopped = PCSCReturnCode(0x8010_001E)
    /// The driver lacks this function; pcsc-lite.
    package static let unsupportedFeature = PCSCReturnCode(0x8010_001F)
    /// The driver lacks this function; Windows and macOS.
    package static let unsupportedFeatureElsewhere = PCSCReturnCode(0x8010_0022)
    static let noAccess = PCSCReturnCode(0x8010_0027)
    package static let noReadersAvailable = PCSCReturnCode(0x8010_002E)
    /// Data was lost in transmission; the command may be retried.
    package static let dataLost = PCSCReturnCode(0x8010_002F)
    static let serverTooBusy = PCSCReturnCode(0x8010_0031)
    package static let unsupportedCard = PCSCReturnCode(0x8010_0065)
    package static let unresponsiveCard = PCSCReturnCode(0x8010_0066)
    package static let unpoweredCard = PCSCReturnCode(0x8010_0067)
    package static let resetCard = PCSCReturnCode(0x8010_0068)
    package static let removedCard = PCSCReturnCode(0x8010_0069)
    package static let securityViolation = PCSCReturnCode(0x8010_006A)

    package var description: String { "0x" + Hex.digits(rawValue, width: 8) }
}

// The names are from the pcsc-lite manual, "ErrorCodes"; the advice is from TapSim.

extension PCSCReturnCode {
    package struct Entry: Hashable, Sendable {
        package let code: PCSCReturnCode
        /// The name in C, such as `SCARD_W_REMOVED_CARD`.
        package let name: String
        /// The meaning and the next step, a clause without a full stop.
        package let advice: String

        fileprivate init(_ code: PCSCReturnCode, _ name: String, _ advice: String) {
            self.code = code
            self.name = name
            self.advice = advice
        }
    }

    package var entry: Entry? { Self.named.first { $0.code == self } }

    /// The codes that functions return to clients of contactless cards, in ascending order.
    package static let known = errors + warnings

    package static let named = known + rare

    private static let errors = [
        Entry(.success, "SCARD_S_SUCCESS", "success"),
        Entry(.internalError, "SCARD_F_INTERNAL_ERROR", "the PC/SC service failed internally; restart it"),
        Entry(.cancelled, "SCARD_E_CANCELLED", "the wait was cancelled"),
        Entry(.invalidHandle, "SCARD_E_INVALID_HANDLE", "the connection is already closed; open the reader again"),
        Entry(.invalidParameter, "SCARD_E_INVALID_PARAMETER", "the service rejected an argument; report this as a bug"),
        Entry(.noMemory, "SCARD_E_NO_MEMORY", "the service is out of memory; close other programs"),
        Entry(
            .insufficientBuffer, "SCARD_E_INSUFFICIENT_BUFFER",
            "the answer is longer than the buffer; request less at a time"),
        Entry(
            .unknownReader, "SCARD_E_UNKNOWN_READER",
            "there is no such reader; `tapsim list readers` lists the readers"),
        Entry(.timeout, "SCARD_E_TIMEOUT", "nothing happened before the timeout; wait longer"),
        Entry(
            .sharingViolation, "SCARD_E_SHARING_VIOLATION",
            "another program is using the card; close it, or wait until it is done"),
        Entry(.noSmartCard, "SCARD_E_NO_SMARTCARD", "there is no card; place one on the reader"),
        Entry(
            .cannotDispose, "SCARD_E_CANT_DISPOSE",
            "the reader cannot leave the card that way; unplug the reader and plug it in again"),
        Entry(
            .protocolMismatch, "SCARD_E_PROTO_MISMATCH",
            "the card speaks neither T=0 nor T=1; use a contactless reader"),
        Entry(.notReady, "SCARD_E_NOT_READY", "the reader is not ready; try again"),
        Entry(.invalidValue, "SCARD_E_INVALID_VALUE", "a value is out of range; report this as a bug"),
        Entry(.communicationError, "SCARD_F_COMM_ERROR", "the reader does not answer; unplug it and plug it in again"),
        Entry(
            .notTransacted, "SCARD_E_NOT_TRANSACTED",
            "the command did not get through; hold the card still and try again"),
        Entry(.readerUnavailable, "SCARD_E_READER_UNAVAILABLE", "the reader is gone; plug it in again"),
        Entry(.pciTooSmall, "SCARD_E_PCI_TOO_SMALL", "the receive structure is too small; report this as a bug"),
        Entry(
            .readerUnsupported, "SCARD_E_READER_UNSUPPORTED",
            "the reader's driver does not support all that PC/SC needs; update it"),
        Entry(
            .noService, "SCARD_E_NO_SERVICE",
            "the PC/SC service is not running; start pcscd, or check PCSCLITE_CSOCK_NAME"),
        Entry(.serviceStopped, "SCARD_E_SERVICE_STOPPED", "the PC/SC service has stopped; start it again"),
        Entry(.unsupportedFeature, "SCARD_E_UNSUPPORTED_FEATURE", "the reader's driver does not support this function"),
        Entry(
            .unsupportedFeatureElsewhere, "SCARD_E_UNSUPPORTED_FEATURE",
            "the reader's driver does not support this function"),
        Entry(
            .noAccess, "SCARD_E_NO_ACCESS",
            "this user may not use the PC/SC service; check the polkit rules and the permissions of the socket"),
        Entry(.noReadersAvailable, "SCARD_E_NO_READERS_AVAILABLE", "there is no reader; plug one in"),
        Entry(.dataLost, "SCARD_E_COMM_DATA_LOST", "data was lost on the way to the reader; try again"),
        Entry(.serverTooBusy, "SCARD_E_SERVER_TOO_BUSY", "the PC/SC service is too busy; try again"),
    ]

    private static let warnings = [
        Entry(
            .unsupportedCard, "SCARD_W_UNSUPPORTED_CARD",
            "the reader does not support the card; use another card"),
        Entry(
            .unresponsiveCard, "SCARD_W_UNRESPONSIVE_CARD",
            "the card does not answer; remove it and place it on the reader again"),
        Entry(.unpoweredCard, "SCARD_W_UNPOWERED_CARD", "the card has no power; connect again"),
        Entry(.resetCard, "SCARD_W_RESET_CARD", "another program has reset the card; connect again and start over"),
        Entry(.removedCard, "SCARD_W_REMOVED_CARD", "the card was removed; place it on the reader and start over"),
        Entry(.securityViolation, "SCARD_W_SECURITY_VIOLATION", "access was denied; this user may not use the reader"),
    ]

    /// Codes for contact cards with files and PINs, Windows-only codes, and codes that no function returns any more.
    private static let rare = [
        rare(0x8010_0005, "SCARD_E_INVALID_TARGET", "the registered startup information is not valid"),
        rare(0x8010_0007, "SCARD_F_WAITED_TOO_LONG", "an internal timer has run out"),
        rare(0x8010_000D, "SCARD_E_UNKNOWN_CARD", "no card of that name is known"),
        rare(0x8010_0012, "SCARD_E_SYSTEM_CANCELLED", "the system cancelled it, perhaps to shut down"),
        rare(0x8010_0014, "SCARD_F_UNKNOWN_ERROR", "an internal error of unknown source"),
        rare(0x8010_0015, "SCARD_E_INVALID_ATR", "an ATR in the registry is not valid"),
        rare(0x8010_0018, "SCARD_P_SHUTDOWN", "it was aborted so that the service can shut down"),
        rare(0x8010_001B, "SCARD_E_DUPLICATE_READER", "the driver gave two readers the same name"),
        rare(0x8010_001C, "SCARD_E_CARD_UNSUPPORTED", "the card does not meet the minimum requirements"),
        rare(
            0x8010_001F, "SCARD_E_UNEXPECTED",
            "an unexpected error of the card; in pcsc-lite this number is SCARD_E_UNSUPPORTED_FEATURE"),
        rare(0x8010_0020, "SCARD_E_ICC_INSTALLATION", "no provider was found for the card"),
        rare(0x8010_0021, "SCARD_E_ICC_CREATEORDER", "objects cannot be created in that order"),
        rare(0x8010_0023, "SCARD_E_DIR_NOT_FOUND", "the directory is not on the card"),
        rare(0x8010_0024, "SCARD_E_FILE_NOT_FOUND", "the file is not on the card"),
        rare(0x8010_0025, "SCARD_E_NO_DIR", "the path is not a directory on the card"),
        rare(0x8010_0026, "SCARD_E_NO_FILE", "the path is not a file on the card"),
        rare(0x8010_0028, "SCARD_E_WRITE_TOO_MANY", "the card has no memory left"),
        rare(0x8010_0029, "SCARD_E_BAD_SEEK", "cannot seek to that position in the file"),
        rare(0x8010_002A, "SCARD_E_INVALID_CHV", "the PIN is wrong"),
        rare(0x8010_002B, "SCARD_E_UNKNOWN_RES_MNG", "a lower layer returned an unknown code"),
        rare(0x8010_002C, "SCARD_E_NO_SUCH_CERTIFICATE", "there is no such certificate"),
        rare(0x8010_002D, "SCARD_E_CERTIFICATE_UNAVAILABLE", "the certificate cannot be obtained"),
        rare(0x8010_0030, "SCARD_E_NO_KEY_CONTAINER", "the card has no such key container"),
        rare(0x8010_006B, "SCARD_W_WRONG_CHV", "a wrong PIN was given"),
        rare(0x8010_006C, "SCARD_W_CHV_BLOCKED", "too many wrong PINs were given"),
        rare(0x8010_006D, "SCARD_W_EOF", "the end of the file is reached"),
        rare(0x8010_006E, "SCARD_W_CANCELLED_BY_USER", "the user cancelled it"),
        rare(0x8010_006F, "SCARD_W_CARD_NOT_AUTHENTICATED", "no PIN was given"),
    ]

    private static func rare(_ code: UInt32, _ name: String, _ meaning: String) -> Entry {
        Entry(PCSCReturnCode(code), name, meaning)
    }
}
