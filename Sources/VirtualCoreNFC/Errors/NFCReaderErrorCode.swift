#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    extension NFCReaderError {
        /// The codes by name; their numbers are those of Core NFC.
        ///
        /// Source: Core NFC, NFCReaderError.Code.
        public enum Code: Int, Sendable, _ErrorCodeProtocol {
            // swift-format-ignore: NoLeadingUnderscores
            /// The error that has these codes.
            public typealias _ErrorType = NFCReaderError

            /// The phone has no NFC, or the tag cannot do what is asked.
            case readerErrorUnsupportedFeature = 1
            /// Entitlement, Info.plist or the command itself do not permit it.
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
            /// The user did not accept the access.
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
            /// A command is longer than the phone sends.
            case readerTransceiveErrorPacketTooLong = 105
            /// The user or the app ended the session.
            case readerSessionInvalidationErrorUserCanceled = 200
            /// The session was open for 60 seconds.
            case readerSessionInvalidationErrorSessionTimeout = 201
            /// The session ended for a reason outside of it.
            case readerSessionInvalidationErrorSessionTerminatedUnexpectedly = 202
            /// Another session is open.
            case readerSessionInvalidationErrorSystemIsBusy = 203
            /// A session for one message has read it.
            case readerSessionInvalidationErrorFirstNDEFTagRead = 204
            /// The settings of a command make no sense.
            case tagCommandConfigurationErrorInvalidParameters = 300
            /// The tag takes no NDEF message.
            case ndefReaderSessionErrorTagNotWritable = 400
            /// Writing or locking failed.
            case ndefReaderSessionErrorTagUpdateFailure = 401
            /// The message is longer than the tag.
            case ndefReaderSessionErrorTagSizeTooSmall = 402
            /// The tag has no NDEF message.
            case ndefReaderSessionErrorZeroLengthMessage = 403

            // Apple names these three of iOS 26 and publishes no numbers; the numbers here are ours.
            /// The user does not let a session for payment know where the phone is.
            case paymentTagReaderSessionErrorLocationAuthorizationDenied = 500
            /// The phone does not let a session for payment know where it is.
            case paymentTagReaderSessionErrorLocationServiceRestricted = 501
            /// The phone does not know where it is.
            case paymentTagReaderSessionErrorOnDeviceLocationUnavailable = 502

            /// Whether an error is one of Core NFC with this code, as `catch` and `case` ask it.
            public static func ~= (code: Self, error: any Error) -> Bool {
                (error as? NFCReaderError)?.errorCode == code.rawValue
            }
        }
    }
#endif
