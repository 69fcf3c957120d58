#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// The domain of every error of this module, `NFCError`.
    ///
    /// Source: Core NFC, NFCErrorDomain; value as seen in logs of devices.
    public let NFCErrorDomain = "NFCError"

    /// Key in `userInfo` of the error code that an ISO 15693 tag answered with.
    ///
    /// Source: Core NFC, NFCISO15693TagResponseErrorKey; value as seen in logs of devices.
    public let NFCISO15693TagResponseErrorKey = "ISO15693TagResponseErrorCode"

    /// Key in `userInfo` that marks an answer of a length the command does not have.
    ///
    /// Apple's value is not known; compare with the constant. Source: Core NFC, NFCTagResponseUnexpectedLengthErrorKey.
    public let NFCTagResponseUnexpectedLengthErrorKey = "NFCTagResponseUnexpectedLength"
#endif
