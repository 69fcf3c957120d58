#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    // swift-format-ignore: NoLeadingUnderscores
    /// The reason why a session ended or a call failed; both an `NSError` and a Swift error.
    ///
    /// Source: Core NFC, NFCReaderError.
    public struct NFCReaderError: _BridgedStoredNSError {
        public let _nsError: NSError

        /// Wraps an error unchecked; its domain should be ``NFCErrorDomain``.
        public init(_nsError: NSError) {
            self._nsError = _nsError
        }

        public init(_ code: Code, userInfo: [String: Any] = [:]) {
            self.init(_nsError: NSError(domain: NFCErrorDomain, code: code.rawValue, userInfo: userInfo))
        }

        public static var errorDomain: String { NFCErrorDomain }

        /// The domain, under the name that Foundation on Linux expects.
        public static var _nsErrorDomain: String { NFCErrorDomain }

        /// The code.
        ///
        /// An unknown number is returned as unexpected termination; use ``errorCode`` to detect unknown numbers.
        public var code: Code {
            Code(rawValue: errorCode) ?? .readerSessionInvalidationErrorSessionTerminatedUnexpectedly
        }

        public var errorCode: Int { _nsError.code }

        public var errorUserInfo: [String: Any] { _nsError.userInfo }

        public var userInfo: [String: Any] { _nsError.userInfo }

        public var localizedDescription: String { _nsError.localizedDescription }

        public static func == (left: Self, right: Self) -> Bool {
            left._nsError.isEqual(right._nsError)
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(_nsError.domain)
            hasher.combine(_nsError.code)
        }

        // Foundation on Linux has its own hash value for such errors, which never returns.
        public var hashValue: Int {
            var hasher = Hasher()
            hash(into: &hasher)
            return hasher.finalize()
        }
    }

    extension NFCReaderError {
        /// Converts an error of the phone, with its text and its underlying error; the failure reason explains what happened
        /// in the simulation.
        init(_ error: PhoneError) {
            var userInfo: [String: Any] = [NSLocalizedDescriptionKey: error.text]
            userInfo[NSLocalizedFailureReasonErrorKey] = error.reason
            userInfo[NSUnderlyingErrorKey] = error.underlying.map { below in
                NSError(domain: below.domain, code: below.code, userInfo: [NSLocalizedDescriptionKey: below.text])
            }
            self.init(_nsError: NSError(domain: NFCErrorDomain, code: error.code.rawValue, userInfo: userInfo))
        }
    }

    extension NFCReaderError {
        /// The codes by name, with Core NFC's numbers.
        ///
        /// Source: Core NFC, NFCReaderError.Code.
        public enum Code: Int, Sendable, _ErrorCodeProtocol {
            // swift-format-ignore: NoLeadingUnderscores
            /// The error that has these codes.
            public typealias _ErrorType = NFCReaderError

            /// The phone has no NFC, or the tag does not support the request.
            case readerErrorUnsupportedFeature = 1
            /// The entitlement, Info.plist or the command itself does not permit it.
            case readerErrorSecurityViolation = 2
            /// An argument makes no sense.
            case readerErrorInvalidParameter = 3
            /// An argument has a length that is not permitted.
            case readerErrorInvalidParameterLength = 4
            /// An argument is out of its range.
            case readerErrorParameterOutOfBound = 5
            /// NFC is switched off.
            case readerErrorRadioDisabled = 6
            /// The app or the device may not use the feature.
            case readerErrorIneligible = 7
            /// The user did not grant access.
            case readerErrorAccessNotAccepted = 8
            /// The tag is gone.
            case readerTransceiveErrorTagConnectionLost = 100
            /// All retries are used up.
            case readerTransceiveErrorRetryExceeded = 101
            /// The tag answered wrongly or not at all.
            case readerTransceiveErrorTagResponseError = 102
            /// The session has ended before.
            case readerTransceiveErrorSessionInvalidated = 103
            /// A command came before the tag was connected to.
            case readerTransceiveErrorTagNotConnected = 104
            /// A command is longer than the phone can send.
            case readerTransceiveErrorPacketTooLong = 105
            /// The user or the app ended the session.
            case readerSessionInvalidationErrorUserCanceled = 200
            /// The session was open for 60 seconds.
            case readerSessionInvalidationErrorSessionTimeout = 201
            /// The session ended for an external reason.
            case readerSessionInvalidationErrorSessionTerminatedUnexpectedly = 202
            /// Another session is open.
            case readerSessionInvalidationErrorSystemIsBusy = 203
            /// A session for a single message has read it.
            case readerSessionInvalidationErrorFirstNDEFTagRead = 204
            /// The settings of a command make no sense.
            case tagCommandConfigurationErrorInvalidParameters = 300
            /// The tag does not accept an NDEF message.
            case ndefReaderSessionErrorTagNotWritable = 400
            /// Writing or locking failed.
            case ndefReaderSessionErrorTagUpdateFailure = 401
            /// The message is too long for the tag.
            case ndefReaderSessionErrorTagSizeTooSmall = 402
            /// The tag has no NDEF message.
            case ndefReaderSessionErrorZeroLengthMessage = 403

            // Apple names these three codes of iOS 26 but publishes no numbers; these numbers are our own.
            /// The user denies location access to a payment session.
            case paymentTagReaderSessionErrorLocationAuthorizationDenied = 500
            /// The phone denies location access to a payment session.
            case paymentTagReaderSessionErrorLocationServiceRestricted = 501
            /// The phone cannot determine its location.
            case paymentTagReaderSessionErrorOnDeviceLocationUnavailable = 502

            /// Returns whether an error is a Core NFC error with this code; used by `catch` and `case`.
            public static func ~= (code: Self, error: any Error) -> Bool {
                (error as? NFCReaderError)?.errorCode == code.rawValue
            }
        }
    }

    // The codes as members of the error itself, for `catch NFCReaderError.x`.
    extension NFCReaderError {
        public static var readerErrorUnsupportedFeature: Code { .readerErrorUnsupportedFeature }
        public static var readerErrorSecurityViolation: Code { .readerErrorSecurityViolation }
        public static var readerErrorInvalidParameter: Code { .readerErrorInvalidParameter }
        public static var readerErrorInvalidParameterLength: Code { .readerErrorInvalidParameterLength }
        public static var readerErrorParameterOutOfBound: Code { .readerErrorParameterOutOfBound }
        public static var readerErrorRadioDisabled: Code { .readerErrorRadioDisabled }
        public static var readerErrorIneligible: Code { .readerErrorIneligible }
        public static var readerErrorAccessNotAccepted: Code { .readerErrorAccessNotAccepted }
        public static var readerTransceiveErrorTagConnectionLost: Code { .readerTransceiveErrorTagConnectionLost }
        public static var readerTransceiveErrorRetryExceeded: Code { .readerTransceiveErrorRetryExceeded }
        public static var readerTransceiveErrorTagResponseError: Code { .readerTransceiveErrorTagResponseError }
        public static var readerTransceiveErrorSessionInvalidated: Code { .readerTransceiveErrorSessionInvalidated }
        public static var readerTransceiveErrorTagNotConnected: Code { .readerTransceiveErrorTagNotConnected }
        public static var readerTransceiveErrorPacketTooLong: Code { .readerTransceiveErrorPacketTooLong }
        public static var readerSessionInvalidationErrorUserCanceled: Code {
            .readerSessionInvalidationErrorUserCanceled
        }
        public static var readerSessionInvalidationErrorSessionTimeout: Code {
            .readerSessionInvalidationErrorSessionTimeout
        }
        public static var readerSessionInvalidationErrorSessionTerminatedUnexpectedly: Code {
            .readerSessionInvalidationErrorSessionTerminatedUnexpectedly
        }
        public static var readerSessionInvalidationErrorSystemIsBusy: Code {
            .readerSessionInvalidationErrorSystemIsBusy
        }
        public static var readerSessionInvalidationErrorFirstNDEFTagRead: Code {
            .readerSessionInvalidationErrorFirstNDEFTagRead
        }
        public static var tagCommandConfigurationErrorInvalidParameters: Code {
            .tagCommandConfigurationErrorInvalidParameters
        }
        public static var ndefReaderSessionErrorTagNotWritable: Code { .ndefReaderSessionErrorTagNotWritable }
        public static var ndefReaderSessionErrorTagUpdateFailure: Code { .ndefReaderSessionErrorTagUpdateFailure }
        public static var ndefReaderSessionErrorTagSizeTooSmall: Code { .ndefReaderSessionErrorTagSizeTooSmall }
        public static var ndefReaderSessionErrorZeroLengthMessage: Code { .ndefReaderSessionErrorZeroLengthMessage }
        public static var paymentTagReaderSessionErrorLocationAuthorizationDenied: Code {
            .paymentTagReaderSessionErrorLocationAuthorizationDenied
        }
        public static var paymentTagReaderSessionErrorLocationServiceRestricted: Code {
            .paymentTagReaderSessionErrorLocationServiceRestricted
        }
        public static var paymentTagReaderSessionErrorOnDeviceLocationUnavailable: Code {
            .paymentTagReaderSessionErrorOnDeviceLocationUnavailable
        }
    }

    /// The domain of every error of this module, `NFCError`.
    ///
    /// Source: Core NFC, NFCErrorDomain; value as seen in logs of devices.
    public let NFCErrorDomain = "NFCError"

    /// The key in `userInfo` for the error code that an ISO 15693 tag returned.
    ///
    /// Source: Core NFC, NFCISO15693TagResponseErrorKey; value as seen in logs of devices.
    public let NFCISO15693TagResponseErrorKey = "ISO15693TagResponseErrorCode"

    /// The key in `userInfo` that marks an answer whose length is wrong for the command.
    ///
    /// Apple's value is not known; compare with the constant. Source: Core NFC, NFCTagResponseUnexpectedLengthErrorKey.
    public let NFCTagResponseUnexpectedLengthErrorKey = "NFCTagResponseUnexpectedLength"
#endif
