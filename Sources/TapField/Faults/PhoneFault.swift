/// What a phone does wrong, or lets happen to a session, for the phone to carry out.
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
    /// The app lacks its entitlement or a declaration: the session does not begin, which the app hears a moment later.
    case missingEntitlement
    /// The call under way fails with the text `Stack Error`; the code, or nothing for what devices give for the call.
    case stackError(PhoneErrorCode?)
    /// The card is lost in the call under way, though it lies there.
    case connectionLost

    /// The error that the app hears of it.
    ///
    /// - Parameter event: The call under way, on which the code of a `Stack Error` depends where none is stated.
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

    /// What devices were seen to give: 401 for writing and locking, 104 for the state of the message, else 102.
    ///
    /// Source: issues of flutter-nfc-manager and threads of Apple's developer forums on password-protected tags.
    private static func stackError(in event: PhoneEvent) -> PhoneErrorCode {
        switch event {
        case .writeNDEF, .lockNDEF: .tagUpdateFailure
        case .queryNDEF: .tagNotConnected
        default: .tagResponseError
        }
    }

    /// Whether it ends a session that is open.
    public var endsSession: Bool {
        switch self {
        case .userCancel, .timeLimit, .background: true
        default: false
        }
    }

    /// Whether it keeps a session from beginning.
    public var keepsSessionFromBeginning: Bool {
        switch self {
        case .radioOff, .systemBusy, .unsupported, .missingEntitlement: true
        default: false
        }
    }
}
