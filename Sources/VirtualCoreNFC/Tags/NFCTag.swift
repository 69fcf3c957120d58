#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// A tag that a session found, by its protocol.
    ///
    /// Source: Core NFC, NFCTag.
    public enum NFCTag {
        /// A FeliCa card.
        case feliCa(any NFCFeliCaTag)
        /// An ISO/IEC 7816-4 card with an application that the app lists.
        case iso7816(any NFCISO7816Tag)
        /// An ISO/IEC 15693 tag; none is simulated.
        case iso15693(any NFCISO15693Tag)
        /// A tag of the MIFARE family, including NTAG.
        case miFare(any NFCMiFareTag)

        /// A Boolean value that indicates whether the tag is connected and still in the field.
        public var isAvailable: Bool { object.isAvailable }

        var object: any __NFCTag {
            switch self {
            case .feliCa(let tag): tag
            case .iso7816(let tag): tag
            case .iso15693(let tag): tag
            case .miFare(let tag): tag
            }
        }
    }

    /// The handler of a call that returns only an error.
    public typealias NFCCompletion = @Sendable ((any Error)?) -> Void
    /// The handler of a call that returns a value and an error.
    public typealias NFCReply<Value> = @Sendable (Value, (any Error)?) -> Void
    /// The handler of a call that returns a value or an error.
    public typealias NFCResultHandler<Value> = @Sendable (Result<Value, any Error>) -> Void

    /// A tag that can contain an NDEF message.
    ///
    /// An app's own test double implements the methods with a handler; the `async` methods follow from them. Source: Core
    /// NFC, NFCNDEFTag.
    public protocol NFCNDEFTag: NSCopying, NSSecureCoding, NSObjectProtocol {
        /// A Boolean value that indicates whether the tag is connected and still in the field.
        var isAvailable: Bool { get }

        /// Requests the tag's NDEF status, and the maximum message length in bytes.
        @preconcurrency func queryNDEFStatus(
            completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void)

        /// Reads the message; error 403 means that there is none.
        @preconcurrency func readNDEF(completionHandler: @escaping NFCReply<NFCNDEFMessage?>)

        /// Replaces the message.
        @preconcurrency func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping NFCCompletion)

        /// Makes the tag permanently read-only.
        @preconcurrency func writeLock(completionHandler: @escaping NFCCompletion)
    }

    extension NFCNDEFTag {
        public func queryNDEFStatus() async throws -> (NFCNDEFStatus, Int) {
            try await answer { reply in
                queryNDEFStatus { status, capacity, error in reply((status, capacity), error) }
            }
        }

        public func readNDEF() async throws -> NFCNDEFMessage {
            try await answer { reply in
                readNDEF { message, error in
                    // A double that returns neither counts as a tag without a message.
                    let missing = NFCReaderError(.ndefReaderSessionErrorZeroLengthMessage)
                    reply(message ?? NFCNDEFMessage(records: []), message == nil ? error ?? missing : error)
                }
            }
        }

        public func writeNDEF(_ ndefMessage: NFCNDEFMessage) async throws {
            try await answer { writeNDEF(ndefMessage, completionHandler: $0) }
        }

        public func writeLock() async throws {
            try await answer { writeLock(completionHandler: $0) }
        }
    }

    /// The NDEF status of a tag.
    ///
    /// Source: Core NFC, NFCNDEFStatus.
    public enum NFCNDEFStatus: UInt, Sendable {
        /// The tag is not formatted for NDEF.
        case notSupported = 1
        /// Messages can be read and written.
        case readWrite = 2
        /// Messages can be read.
        case readOnly = 3
    }

    /// Awaits a call whose handler takes values and an error; throws if there is an error, whatever the values.
    func answer<Values>(
        _ call: (_ reply: @escaping NFCReply<Values>) -> Void
    ) async throws -> Values {
        try await withCheckedThrowingContinuation { continuation in
            call { values, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: values)
                }
            }
        }
    }

    /// Awaits a call whose handler takes only an error.
    func answer(_ call: (_ reply: @escaping NFCCompletion) -> Void) async throws {
        try await answer { reply in call { error in reply((), error) } }
    }

    /// Returns a `Result`: the error if there is one, the values otherwise.
    func outcome<Values>(_ values: @autoclosure () -> Values, _ error: (any Error)?) -> Result<Values, any Error> {
        if let error { .failure(error) } else { .success(values()) }
    }

    /// Awaits a call whose handler takes a `Result`.
    func answer<Values>(
        _ call: (_ reply: @escaping NFCResultHandler<Values>) -> Void
    ) async throws -> Values {
        try await withCheckedThrowingContinuation { continuation in
            call { continuation.resume(with: $0) }
        }
    }
#endif
