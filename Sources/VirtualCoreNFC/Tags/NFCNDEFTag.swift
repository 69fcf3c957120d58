#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// A tag that an NDEF message can be on.
    ///
    /// An app's own double implements the forms with a handler; the `async` forms follow. Source: Core NFC, NFCNDEFTag.
    public protocol NFCNDEFTag: NSCopying, NSSecureCoding, NSObjectProtocol {
        /// Whether the tag is connected to and still in the field.
        var isAvailable: Bool { get }

        /// Asks what the tag lets an app do, and how many bytes a message may have.
        @preconcurrency
        func queryNDEFStatus(completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void)

        /// Reads the message; error 403 tells that there is none.
        @preconcurrency
        func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void)

        /// Writes a message in place of the one there is.
        @preconcurrency
        func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void)

        /// Makes the tag read-only for ever.
        @preconcurrency
        func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    }

    extension NFCNDEFTag {
        /// Asks what the tag lets an app do, and how many bytes a message may have.
        public nonisolated(nonsending) func queryNDEFStatus() async throws -> (NFCNDEFStatus, Int) {
            try await answer { reply in
                queryNDEFStatus { status, capacity, error in reply((status, capacity), error) }
            }
        }

        /// Reads the message; error 403 tells that there is none.
        public nonisolated(nonsending) func readNDEF() async throws -> NFCNDEFMessage {
            try await answer { reply in
                readNDEF { message, error in
                    // A double that gives neither is answered as a tag without a message is.
                    let missing = NFCReaderError(.ndefReaderSessionErrorZeroLengthMessage)
                    reply(message ?? NFCNDEFMessage(records: []), message == nil ? error ?? missing : error)
                }
            }
        }

        /// Writes a message in place of the one there is.
        public nonisolated(nonsending) func writeNDEF(_ ndefMessage: NFCNDEFMessage) async throws {
            try await answer { reply in
                writeNDEF(ndefMessage) { error in reply((), error) }
            }
        }

        /// Makes the tag read-only for ever.
        public nonisolated(nonsending) func writeLock() async throws {
            try await answer { reply in
                writeLock { error in reply((), error) }
            }
        }
    }
#endif
