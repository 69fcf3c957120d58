/// An error that Core NFC tells an app of, with its number and the word scenarios have for it.
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
    /// The card has no message.
    case zeroLengthMessage = 403

    /// The word by which scenarios name it: `user_canceled`.
    public var word: String {
        switch self {
        case .unsupportedFeature: "unsupported_feature"
        case .securityViolation: "security_violation"
        case .invalidParameter: "invalid_parameter"
        case .invalidParameterLength: "invalid_parameter_length"
        case .parameterOutOfBound: "parameter_out_of_bound"
        case .radioDisabled: "radio_disabled"
        case .tagConnectionLost: "tag_connection_lost"
        case .retryExceeded: "retry_exceeded"
        case .tagResponseError: "tag_response_error"
        case .sessionInvalidated: "session_invalidated"
        case .tagNotConnected: "tag_not_connected"
        case .packetTooLong: "packet_too_long"
        case .userCanceled: "user_canceled"
        case .sessionTimeout: "session_timeout"
        case .sessionTerminatedUnexpectedly: "session_terminated_unexpectedly"
        case .systemIsBusy: "system_is_busy"
        case .firstNDEFTagRead: "first_ndef_tag_read"
        case .invalidConfiguration: "invalid_configuration"
        case .tagNotWritable: "tag_not_writable"
        case .tagUpdateFailure: "tag_update_failure"
        case .tagSizeTooSmall: "tag_size_too_small"
        case .zeroLengthMessage: "zero_length_message"
        }
    }

    /// The error of a word.
    public init?(word: String) {
        guard let code = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = code
    }
}
