extension PhoneError.Code {
    /// The phone has no NFC, or the tag cannot do what is asked.
    public static let unsupportedFeature = Self(rawValue: 1)
    /// Entitlement, Info.plist or the command itself do not permit it.
    public static let securityViolation = Self(rawValue: 2)
    /// An argument makes no sense.
    public static let invalidParameter = Self(rawValue: 3)
    /// An argument has a length that is not permitted.
    public static let invalidParameterLength = Self(rawValue: 4)
    /// An argument is out of its range.
    public static let parameterOutOfBound = Self(rawValue: 5)
    /// NFC is switched off.
    public static let radioDisabled = Self(rawValue: 6)
    /// The tag is gone.
    public static let tagConnectionLost = Self(rawValue: 100)
    /// All retries are used up.
    public static let retryExceeded = Self(rawValue: 101)
    /// The tag answered wrongly or not at all.
    public static let tagResponseError = Self(rawValue: 102)
    /// The session has ended before.
    public static let sessionInvalidated = Self(rawValue: 103)
    /// A command came before the tag was connected to.
    public static let tagNotConnected = Self(rawValue: 104)
    /// A command is longer than the phone sends.
    public static let packetTooLong = Self(rawValue: 105)
    /// The user or the app ended the session.
    public static let userCanceled = Self(rawValue: 200)
    /// The session was open for 60 seconds.
    public static let sessionTimeout = Self(rawValue: 201)
    /// The session ended for a reason outside of it, such as the app going to the background.
    public static let sessionTerminatedUnexpectedly = Self(rawValue: 202)
    /// Another session is open.
    public static let systemIsBusy = Self(rawValue: 203)
    /// A session for one message has read it.
    public static let firstNDEFTagRead = Self(rawValue: 204)
    /// The settings of a command make no sense.
    public static let invalidConfiguration = Self(rawValue: 300)
    /// The tag takes no NDEF message.
    public static let tagNotWritable = Self(rawValue: 400)
    /// Writing or locking failed.
    public static let tagUpdateFailure = Self(rawValue: 401)
    /// The message is longer than the tag.
    public static let tagSizeTooSmall = Self(rawValue: 402)
    /// The tag has no NDEF message.
    public static let zeroLengthMessage = Self(rawValue: 403)

    /// The usual text; devices were seen with these, where a source is known, and the others say the same in their way.
    var text: String { Self.texts[self] ?? "Error \(rawValue)" }

    private static let texts: [Self: String] = [
        .unsupportedFeature: "Feature not supported",
        .securityViolation: "Missing required entitlement",
        .invalidParameter: "Invalid parameter",
        .invalidParameterLength: "Invalid parameter length",
        .parameterOutOfBound: "Parameter out of bound",
        .radioDisabled: "NFC radio is disabled",
        .tagConnectionLost: "Tag connection lost",
        .retryExceeded: "Retry exceeded",
        .tagResponseError: "Tag response error / no response",
        .sessionInvalidated: "Session invalidated",
        .tagNotConnected: "Tag is not connected",
        .packetTooLong: "Packet too long",
        .userCanceled: "Session invalidated by user",
        .sessionTimeout: "Session timeout",
        .sessionTerminatedUnexpectedly: "Session invalidated unexpectedly",
        .systemIsBusy: "System resource unavailable",
        .firstNDEFTagRead: "Session is invalidated after the first NDEF tag read",
        .invalidConfiguration: "Invalid tag command configuration",
        .tagNotWritable: "Tag is not writable",
        .tagUpdateFailure: "Stack Error",
        .tagSizeTooSmall: "Tag capacity is too small",
        .zeroLengthMessage: "NDEF tag does not contain any NDEF message",
    ]
}
