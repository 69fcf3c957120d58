import TapField

extension PhoneErrorCode {
    /// The usual text of the error: as logs of devices have it, where one is known.
    var text: String {
        switch self {
        case .unsupportedFeature: "Feature not supported"
        case .securityViolation: "Missing required entitlement"
        case .invalidParameter: "Invalid parameter"
        case .invalidParameterLength: "Invalid parameter length"
        case .parameterOutOfBound: "Parameter out of bound"
        case .radioDisabled: "NFC radio is disabled"
        case .tagConnectionLost: "Tag connection lost"
        case .retryExceeded: "Retry exceeded"
        case .tagResponseError: "Tag response error / no response"
        case .sessionInvalidated: "Session invalidated"
        case .tagNotConnected: "Tag is not connected"
        case .packetTooLong: "Packet too long"
        case .userCanceled: "Session invalidated by user"
        case .sessionTimeout: "Session timeout"
        case .sessionTerminatedUnexpectedly: "Session invalidated unexpectedly"
        case .systemIsBusy: "System resource unavailable"
        case .firstNDEFTagRead: "Session is invalidated after the first NDEF tag read"
        case .invalidConfiguration: "Invalid tag command configuration"
        case .tagNotWritable: "Tag is not writable"
        case .tagUpdateFailure: "Stack Error"
        case .tagSizeTooSmall: "Tag capacity is too small"
        case .zeroLengthMessage: "NDEF tag does not contain any NDEF message"
        }
    }
}
