#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// A phone that answers a reader as a card; that is not simulated, so making a session throws.
    ///
    /// Source: Core NFC, CardSession.
    open class CardSession {
        /// Why a session cannot be had, or ended.
        public enum Error: Swift.Error, Sendable {
            /// The app ended the session.
            case invalidated
            /// The user ended the session.
            case userInvalidated
            /// The session was open for its longest time.
            case maxSessionDurationReached
            /// An answer could not be sent.
            case transmissionError
            /// The system has no card emulation, as here.
            case systemNotAvailable
            /// The user did not accept the access.
            case accessNotAccepted
            /// The app or the device may not use the feature.
            case systemEligibilityFailed
            /// Emulation has been stopped.
            case emulationStopped
            /// NFC is switched off.
            case radioDisabled
        }

        /// What happens in a session.
        public enum Event: Sendable {
            /// The session is open.
            case sessionStarted
            /// A reader is near.
            case readerDetected
            /// The reader sent a command.
            case received(APDU)
            /// The reader has let go of the card.
            case readerDeselected
            /// The session has ended.
            case sessionInvalidated(reason: Error)
        }

        /// How the sheet tells the end of the emulation.
        public enum EmulationUIStatus: Sendable {
            /// As a success.
            case success
            /// As a failure.
            case failure
        }

        /// Whether the device can emulate cards: `false`.
        open class var isSupported: Bool { false }

        /// Whether the app may emulate cards: `false`.
        public static var isEligible: Bool {
            get async { false }
        }

        /// Whether a card is being emulated: `false`.
        public var isEmulationInProgress: Bool {
            get async { false }
        }

        /// The text on the sheet.
        public var alertMessage = ""

        /// What happens in the session: nothing.
        public var eventStream: EventStream { EventStream() }

        /// Makes no session.
        ///
        /// - Throws: ``Error/systemNotAvailable``.
        public init() async throws {
            throw Error.systemNotAvailable
        }

        /// Emulates no card.
        ///
        /// - Throws: ``Error/systemNotAvailable``.
        public func startEmulation() async throws {
            throw Error.systemNotAvailable
        }

        /// Does nothing: no card is emulated.
        public func stopEmulation(status: EmulationUIStatus) async {}

        /// Does nothing: no session is open.
        public func invalidate() {}
    }

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
