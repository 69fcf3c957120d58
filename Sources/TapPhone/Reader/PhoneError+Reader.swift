import TapField

/// Errors as the reader of a phone throws them.
extension PhoneError {
    /// The tag is gone, or as good as gone.
    static func lost(_ reason: String) -> PhoneError {
        PhoneError(.tagConnectionLost, reason: reason)
    }

    /// The tag is there and has answered wrongly or not at all.
    static func noResponse(_ reason: String) -> PhoneError {
        PhoneError(.tagResponseError, reason: reason)
    }

    /// A write or lock of NDEF that the tag did not carry out, as logs of devices have it.
    static func updateFailed(_ reason: String) -> PhoneError {
        PhoneError(.tagUpdateFailure, reason: reason, underlying: .connectionClosed)
    }
}

extension PhoneError.Underlying {
    /// What the NFC daemon says when it has given up on a tag.
    static let connectionClosed = PhoneError.Underlying(domain: "nfcd", code: 21, text: "Connection Closed")
}

extension Duration {
    /// Whole milliseconds, rounded up.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
