import TapField

/// Why a phone ends a session or refuses a call, as Core NFC tells it to an app.
///
/// Source: Core NFC, NFCReaderError; texts as seen in logs of devices.
public struct PhoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of an error, as an app sees it in `NFCReaderError.Code`.
    public typealias Code = PhoneErrorCode

    /// An error below the one told, as devices hand it on in `NSUnderlyingErrorKey`.
    public struct Underlying: Hashable, Sendable {
        public var domain: String
        public var code: Int
        public var text: String

        public init(domain: String, code: Int, text: String) {
            self.domain = domain
            self.code = code
            self.text = text
        }
    }

    public let code: Code
    /// The text as a device has it, which is what an app shows.
    public let text: String
    /// What happened here and what to do about it, a sentence for whoever tests the app; `nil` where the text says it.
    public let reason: String?
    /// The error below, if a device names one.
    public let underlying: Underlying?

    /// - Parameters:
    ///   - text: The text, where devices have another than that of the code.
    ///   - reason: What happened here and what to do about it.
    public init(_ code: Code, text: String? = nil, reason: String? = nil, underlying: Underlying? = nil) {
        self.code = code
        self.text = text ?? code.text
        self.reason = reason
        self.underlying = underlying
    }

    /// Number and text, and what happened here.
    public var description: String {
        "\(text) (\(code.rawValue))" + (reason.map { ": \($0)" } ?? "")
    }
}

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
