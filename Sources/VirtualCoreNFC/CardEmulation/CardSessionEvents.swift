#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    extension CardSession {
        /// A command of a reader.
        ///
        /// Source: Core NFC, CardSession.APDU.
        public final class APDU: Sendable, Equatable, CustomDebugStringConvertible {
            /// The command.
            public let payload: Data

            init(payload: Data) {
                self.payload = payload
            }

            /// Answers nothing.
            ///
            /// - Throws: ``CardSession/Error/systemNotAvailable``.
            public func respond(response: Data) async throws {
                throw CardSession.Error.systemNotAvailable
            }

            /// Whether the commands have the same bytes.
            public static func == (left: APDU, right: APDU) -> Bool {
                left.payload == right.payload
            }

            /// The command in hexadecimal digits.
            public var debugDescription: String {
                payload.map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined()
            }
        }

        /// What happens in a session, which is nothing: the sequence ends at once.
        ///
        /// Source: Core NFC, CardSession.EventStream.
        public final class EventStream: AsyncSequence {
            /// What the sequence consists of.
            public typealias Element = Event

            /// Walks through the events.
            public class Iterator: AsyncIteratorProtocol {
                /// No event.
                public func next() async throws -> Event? { nil }
            }

            /// Begins the walk.
            public func makeAsyncIterator() -> Iterator { Iterator() }
        }
    }

    /// That the app wants to present a card, which keeps the system's own wallet away; there is none to keep away here.
    ///
    /// Source: Core NFC, NFCPresentmentIntentAssertion.
    public final class NFCPresentmentIntentAssertion: Sendable {
        /// Why the assertion cannot be had.
        public enum Error: Swift.Error, Sendable {
            /// The app or the device may not use the feature.
            case systemEligibilityFailed
            /// The system has no such feature, as here.
            case systemNotAvailable
        }

        /// Whether the assertion holds: `false`.
        public let isValid = false

        private init() {}

        /// Gives no assertion.
        ///
        /// - Throws: ``Error/systemNotAvailable``.
        public static func acquire() async throws -> NFCPresentmentIntentAssertion {
            throw Error.systemNotAvailable
        }
    }
#endif
