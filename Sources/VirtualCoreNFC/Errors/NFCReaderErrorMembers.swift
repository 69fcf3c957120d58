#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    // The codes under the name of the error itself, which is how `catch NFCReaderError.x` finds them.
    extension NFCReaderError {
        /// The phone has no NFC, or the tag cannot do what is asked.
        public static var readerErrorUnsupportedFeature: Code { .readerErrorUnsupportedFeature }
        /// Entitlement, Info.plist or the command itself do not permit it.
        public static var readerErrorSecurityViolation: Code { .readerErrorSecurityViolation }
        /// An argument makes no sense.
        public static var readerErrorInvalidParameter: Code { .readerErrorInvalidParameter }
        /// An argument has a length that is not permitted.
        public static var readerErrorInvalidParameterLength: Code { .readerErrorInvalidParameterLength }
        /// An argument is out of its range.
        public static var readerErrorParameterOutOfBound: Code { .readerErrorParameterOutOfBound }
        /// NFC is switched off.
        public static var readerErrorRadioDisabled: Code { .readerErrorRadioDisabled }
        /// The app or the device may not use the feature.
        public static var readerErrorIneligible: Code { .readerErrorIneligible }
        /// The user did not accept the access.
        public static var readerErrorAccessNotAccepted: Code { .readerErrorAccessNotAccepted }
        /// The tag is gone.
        public static var readerTransceiveErrorTagConnectionLost: Code { .readerTransceiveErrorTagConnectionLost }
        /// All retries are used up.
        public static var readerTransceiveErrorRetryExceeded: Code { .readerTransceiveErrorRetryExceeded }
        /// The tag answered wrongly or not at all.
        public static var readerTransceiveErrorTagResponseError: Code { .readerTransceiveErrorTagResponseError }
        /// The session has ended before.
        public static var readerTransceiveErrorSessionInvalidated: Code { .readerTransceiveErrorSessionInvalidated }
        /// A command came before the tag was connected to.
        public static var readerTransceiveErrorTagNotConnected: Code { .readerTransceiveErrorTagNotConnected }
        /// A command is longer than the phone sends.
        public static var readerTransceiveErrorPacketTooLong: Code { .readerTransceiveErrorPacketTooLong }
        /// The user or the app ended the session.
        public static var readerSessionInvalidationErrorUserCanceled: Code {
            .readerSessionInvalidationErrorUserCanceled
        }
        /// The session was open for 60 seconds.
        public static var readerSessionInvalidationErrorSessionTimeout: Code {
            .readerSessionInvalidationErrorSessionTimeout
        }
        /// The session ended for a reason outside of it.
        public static var readerSessionInvalidationErrorSessionTerminatedUnexpectedly: Code {
            .readerSessionInvalidationErrorSessionTerminatedUnexpectedly
        }
        /// Another session is open.
        public static var readerSessionInvalidationErrorSystemIsBusy: Code {
            .readerSessionInvalidationErrorSystemIsBusy
        }
        /// A session for one message has read it.
        public static var readerSessionInvalidationErrorFirstNDEFTagRead: Code {
            .readerSessionInvalidationErrorFirstNDEFTagRead
        }
        /// The settings of a command make no sense.
        public static var tagCommandConfigurationErrorInvalidParameters: Code {
            .tagCommandConfigurationErrorInvalidParameters
        }
        /// The tag takes no NDEF message.
        public static var ndefReaderSessionErrorTagNotWritable: Code { .ndefReaderSessionErrorTagNotWritable }
        /// Writing or locking failed.
        public static var ndefReaderSessionErrorTagUpdateFailure: Code { .ndefReaderSessionErrorTagUpdateFailure }
        /// The message is longer than the tag.
        public static var ndefReaderSessionErrorTagSizeTooSmall: Code { .ndefReaderSessionErrorTagSizeTooSmall }
        /// The tag has no NDEF message.
        public static var ndefReaderSessionErrorZeroLengthMessage: Code { .ndefReaderSessionErrorZeroLengthMessage }
        /// The user does not let a session for payment know where the phone is.
        public static var paymentTagReaderSessionErrorLocationAuthorizationDenied: Code {
            .paymentTagReaderSessionErrorLocationAuthorizationDenied
        }
        /// The phone does not let a session for payment know where it is.
        public static var paymentTagReaderSessionErrorLocationServiceRestricted: Code {
            .paymentTagReaderSessionErrorLocationServiceRestricted
        }
        /// The phone does not know where it is.
        public static var paymentTagReaderSessionErrorOnDeviceLocationUnavailable: Code {
            .paymentTagReaderSessionErrorOnDeviceLocationUnavailable
        }
    }
#endif
