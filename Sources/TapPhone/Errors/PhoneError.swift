import TapField

/// Why a phone ends a session or refuses a call, as Core NFC tells it to an app.
///
/// Source: Core NFC, NFCReaderError; texts as seen in logs of devices.
public struct PhoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of an error, as an app sees it in `NFCReaderError.Code`.
    public typealias Code = PhoneErrorCode

    /// An error below the one told, as devices hand it on in `NSUnderlyingErrorKey`.
    public struct Underlying: Hashable, Sendable {
        /// The domain of the error.
        public var domain: String
        /// Its number.
        public var code: Int
        /// Its text.
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
    /// What happened here and what to do about it, a sentence for whoever tests the app; nothing where the text says it.
    public let reason: String?
    /// The error below, if a device names one.
    public let underlying: Underlying?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The number.
    ///   - text: The text, where devices have another than the usual one.
    ///   - reason: What happened here and what to do about it.
    ///   - underlying: The error below.
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
