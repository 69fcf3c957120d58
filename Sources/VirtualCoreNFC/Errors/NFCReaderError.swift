#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    // swift-format-ignore: NoLeadingUnderscores
    /// Why a session ended or a call failed, as an error of Foundation and of Swift in one.
    ///
    /// Source: Core NFC, NFCReaderError.
    public struct NFCReaderError: _BridgedStoredNSError {
        /// The error as Foundation has it, with domain, code and `userInfo`.
        public let _nsError: NSError

        /// Takes an error as it is; whether its domain is ``NFCErrorDomain`` is left to the caller.
        public init(_nsError: NSError) {
            self._nsError = _nsError
        }

        /// Creates an error of a code.
        ///
        /// - Parameters:
        ///   - code: The code.
        ///   - userInfo: What else to say, by the keys of Foundation.
        public init(_ code: Code, userInfo: [String: Any] = [:]) {
            self.init(_nsError: NSError(domain: NFCErrorDomain, code: code.rawValue, userInfo: userInfo))
        }

        /// ``NFCErrorDomain``.
        public static var errorDomain: String { NFCErrorDomain }

        /// ``NFCErrorDomain``, under the name by which Foundation on Linux asks for it.
        public static var _nsErrorDomain: String { NFCErrorDomain }

        /// The code; a number that is no code reads as unexpected termination, so test ``errorCode`` for such.
        public var code: Code {
            Code(rawValue: errorCode) ?? .readerSessionInvalidationErrorSessionTerminatedUnexpectedly
        }

        /// The number of the code.
        public var errorCode: Int { _nsError.code }

        /// What the error says besides its code, by the keys of Foundation.
        public var errorUserInfo: [String: Any] { _nsError.userInfo }

        /// What the error says besides its code, by the keys of Foundation.
        public var userInfo: [String: Any] { _nsError.userInfo }

        /// The text for the user.
        public var localizedDescription: String { _nsError.localizedDescription }

        /// Whether domain, code and `userInfo` are the same.
        public static func == (left: Self, right: Self) -> Bool {
            left._nsError.isEqual(right._nsError)
        }

        /// Mixes in domain and code.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(_nsError.domain)
            hasher.combine(_nsError.code)
        }

        // Foundation on Linux has a hash value of its own for such errors, which never returns.
        /// The hash of domain and code.
        public var hashValue: Int {
            var hasher = Hasher()
            hash(into: &hasher)
            return hasher.finalize()
        }
    }

    extension NFCReaderError {
        /// Passes on what the phone refuses, with its text and the error below it.
        ///
        /// What happened in the simulation is the failure reason.
        init(_ error: PhoneError) {
            var userInfo: [String: Any] = [NSLocalizedDescriptionKey: error.text]
            userInfo[NSLocalizedFailureReasonErrorKey] = error.reason
            userInfo[NSUnderlyingErrorKey] = error.underlying.map { below in
                NSError(domain: below.domain, code: below.code, userInfo: [NSLocalizedDescriptionKey: below.text])
            }
            self.init(_nsError: NSError(domain: NFCErrorDomain, code: error.code.rawValue, userInfo: userInfo))
        }
    }
#endif
