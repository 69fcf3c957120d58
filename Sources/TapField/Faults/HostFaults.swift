import TapWire

/// A fault of a reader with a command of its host, for reader models to carry out.
package enum ReaderFault: Hashable, Sendable {
    /// The chip reports a status instead of the card's answer; PN532 only.
    case chipStatus(UInt8)
    /// Another status word, without the data or behind them.
    case statusWord(StatusWord, keepsData: Bool)
    /// The data without the status word behind them.
    case noStatusWord
    /// The status word of the answer without its data.
    case noData
    /// The last bytes of the data are missing, the status word is there.
    case cutData(Int)
    /// More data than the card sent, the status word behind them.
    case extraData([UInt8])
    /// Other bytes in the answer: the response APDU, or else the frame on the line, with checksums that fit it or not.
    case otherBytes(ByteEdit, isFixed: Bool)
    /// The answer to the command before.
    case previousAnswer
    /// The reader says that no card is there.
    case noCard
    /// The exchange with the reader fails, without an answer.
    case failed

    /// Whether only the chip, not the reader around it, can produce it.
    package var isOfChip: Bool {
        if case .chipStatus = self { true } else { false }
    }

    /// Whether a chip on a line, without a reader around it, can produce it as well.
    package var isOfFrame: Bool {
        if case .otherBytes = self { true } else { false }
    }
}

/// A fault of a PC/SC service, for the transport to carry out.
package enum TransportFault: Hashable, Sendable {
    /// The call is not carried out and returns a code.
    case refusal(PCSCReturnCode)
    /// The call is carried out, and returns a code in place of its answer.
    case lostAnswer(PCSCReturnCode)
    /// The card is taken away during the call, and comes back after a time if one is given.
    case removal(backAfter: Duration?)
    /// Another program resets the card before the call is carried out.
    case reset
    /// The reader is unplugged before the call is carried out.
    case unplugging
    /// The service ends: the connection breaks in the call, and no new one is taken.
    case end
    /// The answer to a command comes without its last bytes.
    case cutAnswer(Int)
    /// The call takes longer.
    case delay(Duration)
    /// A program that waits for a change is told of one that did not happen.
    case spuriousEvent
    /// A program that waits for a change is not told of the next one.
    case lostEvent
}

/// A fault of a phone or its session, for the phone to carry out.
public enum PhoneFault: Hashable, Sendable {
    /// A person ends the session.
    case userCancel
    /// The session has been open as long as it may be.
    case timeLimit
    /// The app goes to the background, which ends the session.
    case background
    /// NFC is switched off: the session does not begin.
    case radioOff
    /// Another session holds the NFC of the phone: the session does not begin.
    case systemBusy
    /// The phone has no NFC: nothing can be read, and the session does not begin.
    case unsupported
    /// The app lacks its entitlement or a declaration: the session does not begin, and the app hears of it a moment
    /// later.
    case missingEntitlement
    /// The call fails with the text `Stack Error`; the code is `nil` for what devices give for the call.
    case stackError(PhoneErrorCode?)
    /// The call loses the card, though it is present.
    case connectionLost

    /// The error that the app gets.
    ///
    /// - Parameter event: The call, which decides the code of a `Stack Error` without a stated one.
    public func code(in event: PhoneEvent) -> PhoneErrorCode {
        switch self {
        case .userCancel: .userCanceled
        case .timeLimit: .sessionTimeout
        case .background: .sessionTerminatedUnexpectedly
        case .radioOff: .radioDisabled
        case .systemBusy: .systemIsBusy
        case .unsupported: .unsupportedFeature
        case .missingEntitlement: .securityViolation
        case .connectionLost: .tagConnectionLost
        case .stackError(let code?): code
        case .stackError(nil): Self.stackError(in: event)
        }
    }

    /// What devices gave: 401 for writing and locking, 104 for the state of the message, else 102.
    ///
    /// Source: issues of flutter-nfc-manager and threads of Apple's developer forums on password-protected tags.
    private static func stackError(in event: PhoneEvent) -> PhoneErrorCode {
        switch event {
        case .writeNDEF, .lockNDEF: .tagUpdateFailure
        case .queryNDEF: .tagNotConnected
        default: .tagResponseError
        }
    }

    public var endsSession: Bool {
        switch self {
        case .userCancel, .timeLimit, .background: true
        default: false
        }
    }

    public var keepsSessionFromBeginning: Bool {
        switch self {
        case .radioOff, .systemBusy, .unsupported, .missingEntitlement: true
        default: false
        }
    }
}

/// An error of Core NFC, with its number and its word in scenarios.
///
/// Source: Core NFC, NFCReaderError.Code.
public enum PhoneErrorCode: Int, Hashable, Sendable, CaseIterable {
    /// The phone has no NFC, or the card cannot do what is asked.
    case unsupportedFeature = 1
    /// Entitlement, Info.plist or the command itself do not permit it.
    case securityViolation = 2
    /// An argument makes no sense.
    case invalidParameter = 3
    /// An argument has a length that is not permitted.
    case invalidParameterLength = 4
    /// An argument is out of its range.
    case parameterOutOfBound = 5
    /// NFC is switched off.
    case radioDisabled = 6
    /// The card is gone.
    case tagConnectionLost = 100
    /// All retries are used up.
    case retryExceeded = 101
    /// The card answered wrongly or not at all.
    case tagResponseError = 102
    /// The session has ended before.
    case sessionInvalidated = 103
    /// A call came before the card was connected to.
    case tagNotConnected = 104
    /// A command is longer than the phone sends.
    case packetTooLong = 105
    /// A person or the app ended the session.
    case userCanceled = 200
    /// The session was open as long as it may be.
    case sessionTimeout = 201
    /// Something outside ended the session, such as the app going to the background.
    case sessionTerminatedUnexpectedly = 202
    /// Another session is open.
    case systemIsBusy = 203
    /// A session for one message has read it.
    case firstNDEFTagRead = 204
    /// The settings of a command make no sense.
    case invalidConfiguration = 300
    /// The card takes no message.
    case tagNotWritable = 400
    /// Writing or locking failed.
    case tagUpdateFailure = 401
    /// The message is longer than the card.
    case tagSizeTooSmall = 402
    case zeroLengthMessage = 403

    /// The word in scenarios: `user_canceled`.
    public var word: String { names.word }

    /// The text that a device gives.
    ///
    /// Source: logs of devices; for 5, 101, 105, 204, 300, 400 and 402 a public decompilation of Core NFC, not
    /// confirmed by a log; for 3, 4, 6 and 103 none.
    package var text: String { names.text }

    private var names: (word: String, text: String) {
        switch self {
        case .unsupportedFeature: ("unsupported_feature", "Feature not supported")
        case .securityViolation: ("security_violation", "Missing required entitlement")
        case .invalidParameter: ("invalid_parameter", "Invalid parameter")
        case .invalidParameterLength: ("invalid_parameter_length", "Invalid parameter length")
        case .parameterOutOfBound: ("parameter_out_of_bound", "Parameter value is out of bound")
        case .radioDisabled: ("radio_disabled", "NFC radio is disabled")
        case .tagConnectionLost: ("tag_connection_lost", "Tag connection lost")
        case .retryExceeded: ("retry_exceeded", "Maximum retries exceeded")
        case .tagResponseError: ("tag_response_error", "Tag response error / no response")
        case .sessionInvalidated: ("session_invalidated", "Session invalidated")
        case .tagNotConnected: ("tag_not_connected", "Tag is not connected")
        case .packetTooLong: ("packet_too_long", "Packet length has exceeded the limit")
        case .userCanceled: ("user_canceled", "Session invalidated by user")
        case .sessionTimeout: ("session_timeout", "Session timeout")
        case .sessionTerminatedUnexpectedly: ("session_terminated_unexpectedly", "Session invalidated unexpectedly")
        case .systemIsBusy: ("system_is_busy", "System resource unavailable")
        case .firstNDEFTagRead: ("first_ndef_tag_read", "First NDEF tag read")
        case .invalidConfiguration: ("invalid_configuration", "Invalid configuration parameters")
        case .tagNotWritable: ("tag_not_writable", "NDEF tag is read only")
        case .tagUpdateFailure: ("tag_update_failure", "Stack Error")
        case .tagSizeTooSmall: ("tag_size_too_small", "Insufficient space on NDEF tag")
        case .zeroLengthMessage: ("zero_length_message", "NDEF tag does not contain any NDEF message")
        }
    }

    public init?(word: String) {
        guard let code = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = code
    }
}
