import TapWire

/// A reader's mishandling of a host command, carried out by reader models.
package enum ReaderFault: Hashable, Sendable {
    /// The chip reports a status instead of the card's answer; PN532 only.
    case chipStatus(UInt8)
    /// A different status word, with or without the data before it.
    case statusWord(StatusWord, keepsData: Bool)
    case noStatusWord
    /// The status word of the answer without its data.
    case noData
    /// The status word is there, but the last bytes of the data are missing.
    case cutData(Int)
    /// More data than the card sent, followed by the status word.
    case extraData([UInt8])
    /// Different bytes in the response APDU, or else in the frame on the wire, with or without matching checksums.
    case otherBytes(ByteEdit, isFixed: Bool)
    case previousAnswer
    /// The reader reports that there is no card.
    case noCard
    /// The exchange with the reader fails, without an answer.
    case failed

    /// A Boolean value that indicates whether only the chip can produce it, not the reader around it.
    package var isOfChip: Bool {
        if case .chipStatus = self { true } else { false }
    }

    /// A Boolean value that indicates whether a chip on a serial line, without a reader around it, can also produce it.
    package var isOfFrame: Bool {
        if case .otherBytes = self { true } else { false }
    }
}

/// A fault of a PC/SC service, carried out by the transport.
package enum TransportFault: Hashable, Sendable {
    /// The call is not carried out and returns a code.
    case refusal(PCSCReturnCode)
    /// The call is carried out, but returns a code instead of its answer.
    case lostAnswer(PCSCReturnCode)
    /// The card is taken away during the call, and returns after a time if one is given.
    case removal(backAfter: Duration?)
    /// Another program resets the card before the call is carried out.
    case reset
    /// The reader is unplugged before the call is carried out.
    case unplugging
    /// The service ends: the connection breaks during the call, and no new connection is accepted.
    case end
    /// The last bytes of the answer to a command are missing.
    case cutAnswer(Int)
    case delay(Duration)
    /// A program waiting for a change is notified of a change that did not happen.
    case spuriousEvent
    /// A program waiting for a change is not notified of the next one.
    case lostEvent
}

/// A fault of a phone or its session, carried out by the phone.
public enum PhoneFault: Hashable, Sendable {
    case userCancel
    case timeLimit
    /// The app goes to the background, which ends the session.
    case background
    /// NFC is switched off: the session does not begin.
    case radioOff
    /// Another session uses the phone's NFC: the session does not begin.
    case systemBusy
    /// The phone has no NFC: nothing can be read, and the session does not begin.
    case unsupported
    /// The app lacks its entitlement or a declaration: the session does not begin, and the app is notified a moment later.
    case missingEntitlement
    /// The call fails with the text `Stack Error`; a `nil` code means the code real devices give for the call.
    case stackError(PhoneErrorCode?)
    /// The call loses the card although it is present.
    case connectionLost

    /// Returns the error the app gets.
    ///
    /// - Parameter event: The call, which determines the code of a `Stack Error` without an explicit code.
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

    /// The codes observed on devices: 401 for writing and locking, 104 for the message status, otherwise 102.
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

/// An error of Core NFC, with its number and its name in scenarios.
///
/// Source: Core NFC, NFCReaderError.Code.
public enum PhoneErrorCode: Int, Hashable, Sendable, CaseIterable {
    /// The phone has no NFC, or the card does not support the request.
    case unsupportedFeature = 1
    /// Not permitted by the entitlement, Info.plist or the command itself.
    case securityViolation = 2
    case invalidParameter = 3
    /// The length of an argument is not allowed.
    case invalidParameterLength = 4
    case parameterOutOfBound = 5
    case radioDisabled = 6
    /// The card is gone.
    case tagConnectionLost = 100
    /// All retries failed.
    case retryExceeded = 101
    /// The card gave a wrong answer or none.
    case tagResponseError = 102
    /// The session has already ended.
    case sessionInvalidated = 103
    case tagNotConnected = 104
    /// A command is longer than the phone can send.
    case packetTooLong = 105
    /// The user or the app ended the session.
    case userCanceled = 200
    /// The session reached its time limit.
    case sessionTimeout = 201
    /// The session was ended from outside, for example because the app went to the background.
    case sessionTerminatedUnexpectedly = 202
    /// Another session is open.
    case systemIsBusy = 203
    /// A session for a single message has read it.
    case firstNDEFTagRead = 204
    case invalidConfiguration = 300
    /// The card does not accept a message.
    case tagNotWritable = 400
    /// Writing or locking failed.
    case tagUpdateFailure = 401
    /// The message does not fit on the card.
    case tagSizeTooSmall = 402
    case zeroLengthMessage = 403

    /// The name in scenarios: `user_canceled`.
    public var scenarioName: String { names.scenarioName }

    /// The text that a device reports.
    ///
    /// Source: logs of devices. For 5, 101, 105, 204, 300, 400 and 402 a public decompilation of Core NFC, not confirmed by a
    /// log; for 3, 4, 6 and 103 there is no source.
    package var text: String { names.text }

    private var names: (scenarioName: String, text: String) {
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

    public init?(scenarioName: String) {
        guard let code = Self.allCases.first(where: { $0.scenarioName == scenarioName }) else { return nil }
        self = code
    }
}
