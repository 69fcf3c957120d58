import TapField

/// Why a phone ends a session or refuses a call.
///
/// Source: Core NFC, NFCReaderError; texts as ``PhoneErrorCode`` has them.
public struct PhoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of an error, `NFCReaderError.Code`.
    public typealias Code = PhoneErrorCode

    /// A lower error, which devices put into `NSUnderlyingErrorKey`.
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
    /// What happened here and what to do, a sentence for the tester; `nil` where the text says it.
    public let reason: String?
    public let underlying: Underlying?

    /// - Parameter text: By default that of the code.
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
    /// The tag is gone, or as good as gone.
    static func lost(_ reason: String) -> PhoneError {
        PhoneError(.tagConnectionLost, reason: reason)
    }

    /// The tag is present and answered wrongly or not at all.
    static func noResponse(_ reason: String) -> PhoneError {
        PhoneError(.tagResponseError, reason: reason)
    }

    /// A tag without NDEF to read; the text is from a public decompilation of Core NFC, not confirmed by a log.
    static func notFormatted(_ reason: String) -> PhoneError {
        PhoneError(.tagResponseError, text: "Tag Not NDEF formatted", reason: reason)
    }

    /// A write or lock of NDEF that the tag did not carry out, as in logs of devices.
    static func updateFailed(_ reason: String) -> PhoneError {
        PhoneError(.tagUpdateFailure, reason: reason, underlying: .connectionClosed)
    }
}

extension PhoneError.Underlying {
    /// What the NFC daemon says when it has given up on a tag.
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
