// Names: pcsc-lite manual, "ErrorCodes". What to do next is ours.

extension PCSCReturnCode {
    /// A code with its name and what to do about it.
    public struct Entry: Hashable, Sendable {
        /// The code.
        public let code: PCSCReturnCode
        /// The name in C, such as `SCARD_W_REMOVED_CARD`.
        public let name: String
        /// What it means and what to do next, a clause without a full stop.
        public let advice: String

        fileprivate init(_ code: PCSCReturnCode, _ name: String, _ advice: String) {
            self.code = code
            self.name = name
            self.advice = advice
        }
    }

    /// What is known about the code, or nothing.
    public var entry: Entry? { Self.known.first { $0.code == self } }

    /// The codes with a name, in ascending order.
    public static let known = errors + warnings

    private static let errors = [
        Entry(.success, "SCARD_S_SUCCESS", "it worked"),
        Entry(.internalError, "SCARD_F_INTERNAL_ERROR", "the PC/SC service failed in itself; restart it"),
        Entry(.cancelled, "SCARD_E_CANCELLED", "the waiting was cancelled"),
        Entry(.invalidHandle, "SCARD_E_INVALID_HANDLE", "the connection was closed before; open the reader again"),
        Entry(.invalidParameter, "SCARD_E_INVALID_PARAMETER", "the service takes no such argument; report it"),
        Entry(.noMemory, "SCARD_E_NO_MEMORY", "the service has no memory left; close other programs"),
        Entry(
            .insufficientBuffer, "SCARD_E_INSUFFICIENT_BUFFER",
            "the answer is longer than the buffer; ask for less at once"),
        Entry(
            .unknownReader, "SCARD_E_UNKNOWN_READER",
            "there is no such reader; `tapsim list readers` names those there are"),
        Entry(.timeout, "SCARD_E_TIMEOUT", "nothing happened in the time given; wait longer"),
        Entry(
            .sharingViolation, "SCARD_E_SHARING_VIOLATION",
            "another program uses the card; end it, or wait until it is done"),
        Entry(.noSmartCard, "SCARD_E_NO_SMARTCARD", "there is no card; hold one to the reader"),
        Entry(.cannotDispose, "SCARD_E_CANT_DISPOSE", "the reader cannot leave the card that way; unplug and plug it"),
        Entry(
            .protocolMismatch, "SCARD_E_PROTO_MISMATCH",
            "the card speaks neither T=0 nor T=1; use a contactless reader"),
        Entry(.notReady, "SCARD_E_NOT_READY", "the reader is not ready; try again"),
        Entry(.invalidValue, "SCARD_E_INVALID_VALUE", "a value is out of its range; report it"),
        Entry(.communicationError, "SCARD_F_COMM_ERROR", "the reader does not answer; unplug and plug it"),
        Entry(
            .notTransacted, "SCARD_E_NOT_TRANSACTED",
            "the command did not come through; hold the card still and try again"),
        Entry(.readerUnavailable, "SCARD_E_READER_UNAVAILABLE", "the reader is gone; plug it in again"),
        Entry(.pciTooSmall, "SCARD_E_PCI_TOO_SMALL", "the receive structure is too small; report it"),
        Entry(
            .readerUnsupported, "SCARD_E_READER_UNSUPPORTED",
            "the driver of the reader does less than PC/SC needs; update it"),
        Entry(
            .noService, "SCARD_E_NO_SERVICE",
            "the PC/SC service is not running; start pcscd, or look where PCSCLITE_CSOCK_NAME points"),
        Entry(.serviceStopped, "SCARD_E_SERVICE_STOPPED", "the PC/SC service has ended; start it again"),
        Entry(.unsupportedFeature, "SCARD_E_UNSUPPORTED_FEATURE", "the driver of the reader has no such function"),
        Entry(
            .unsupportedFeatureElsewhere, "SCARD_E_UNSUPPORTED_FEATURE",
            "the driver of the reader has no such function"),
        Entry(
            .noAccess, "SCARD_E_NO_ACCESS",
            "this user may not use the PC/SC service; polkit rules or the mode of the socket say who may"),
        Entry(.noReadersAvailable, "SCARD_E_NO_READERS_AVAILABLE", "there is no reader; plug one in"),
        Entry(.dataLost, "SCARD_E_COMM_DATA_LOST", "data were lost on the way to the reader; try again"),
        Entry(.serverTooBusy, "SCARD_E_SERVER_TOO_BUSY", "the PC/SC service is too busy; try again"),
    ]

    private static let warnings = [
        Entry(
            .unsupportedCard, "SCARD_W_UNSUPPORTED_CARD",
            "the reader does not know what to do with the card; use another"),
        Entry(
            .unresponsiveCard, "SCARD_W_UNRESPONSIVE_CARD",
            "the card does not answer; take it away and hold it to the reader again"),
        Entry(.unpoweredCard, "SCARD_W_UNPOWERED_CARD", "the card has no power; connect again"),
        Entry(.resetCard, "SCARD_W_RESET_CARD", "another program has reset the card; connect again and begin anew"),
        Entry(.removedCard, "SCARD_W_REMOVED_CARD", "the card was taken away; hold it to the reader and begin anew"),
        Entry(.securityViolation, "SCARD_W_SECURITY_VIOLATION", "access was denied; this user may not use the reader"),
    ]
}
