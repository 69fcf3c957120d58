import TapField

/// The reason why a phone ends a session or rejects a call.
///
/// Source: Core NFC, NFCReaderError; texts from ``PhoneErrorCode``.
public struct PhoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of an error, `NFCReaderError.Code`.
    public typealias Code = PhoneErrorCode

    /// An underlying error, which devices put into `NSUnderlyingErrorKey`.
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
    /// The device's text, which apps show.
    public let text: String
    /// The cause and what to do, as a sentence for the tester; `nil` if the text says it.
    public let reason: String?
    public let underlying: Underlying?

    /// - Parameter text: The text. Default: the code's text.
    public init(_ code: Code, text: String? = nil, reason: String? = nil, underlying: Underlying? = nil) {
        self.code = code
        self.text = text ?? code.text
        self.reason = reason
        self.underlying = underlying
    }

    public var description: String {
        "\(text) (\(code.rawValue))" + (reason.map { ": \($0)" } ?? "")
    }
}

extension PhoneError {
    /// The error for a tag that is gone, or as good as gone.
    static func lost(_ reason: String) -> PhoneError {
        PhoneError(.tagConnectionLost, reason: reason)
    }

    /// The error for a tag that is present but answered wrongly or not at all.
    static func noResponse(_ reason: String) -> PhoneError {
        PhoneError(.tagResponseError, reason: reason)
    }

    /// The error for a tag without NDEF to read.
    ///
    /// The text is from a public decompilation of Core NFC and not confirmed by a log.
    static func notFormatted(_ reason: String) -> PhoneError {
        PhoneError(.tagResponseError, text: "Tag Not NDEF formatted", reason: reason)
    }

    /// The error for an NDEF write or lock that the tag did not carry out, as in logs of devices.
    static func updateFailed(_ reason: String) -> PhoneError {
        PhoneError(.tagUpdateFailure, reason: reason, underlying: .connectionClosed)
    }
}

extension PhoneError.Underlying {
    /// The NFC daemon's error when it has given up on a tag.
    static let connectionClosed = PhoneError.Underlying(domain: "nfcd", code: 21, text: "Connection Closed")
}

extension Duration {
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}

extension PhoneError {
    init(_ fault: PhoneFault, in event: PhoneEvent) {
        let code = fault.code(in: event)
        if case .stackError = fault {
            self.init(code, text: "Stack Error", underlying: .connectionClosed)
        } else {
            self.init(code)
        }
    }
}
