#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// A session in which the phone emulates a card.
    ///
    /// It is not simulated, so `init()` throws.
    ///
    /// Source: Core NFC, CardSession.
    open class CardSession {
        public enum Error: Swift.Error, Sendable {
            case invalidated
            case userInvalidated
            case maxSessionDurationReached
            case transmissionError
            case systemNotAvailable
            case accessNotAccepted
            case systemEligibilityFailed
            case emulationStopped
            case radioDisabled
        }
        public enum Event: Sendable {
            case sessionStarted
            case readerDetected
            case received(APDU)
            case readerDeselected
            case sessionInvalidated(reason: Error)
        }
        public enum EmulationUIStatus: Sendable {
            case success
            case failure
        }
        open class var isSupported: Bool { false }
        public static var isEligible: Bool { get async { false } }
        public var isEmulationInProgress: Bool { get async { false } }
        public var alertMessage = ""
        public var eventStream: EventStream { EventStream() }
        public init() async throws { throw Error.systemNotAvailable }
        public func startEmulation() async throws { throw Error.systemNotAvailable }
        public func stopEmulation(status: EmulationUIStatus) async {}
        public func invalidate() {}
    }

    extension CardSession {
        public final class APDU: Sendable, Equatable, CustomDebugStringConvertible {
            public let payload: Data
            init(payload: Data) { self.payload = payload }
            public func respond(response: Data) async throws { throw CardSession.Error.systemNotAvailable }
            public static func == (left: APDU, right: APDU) -> Bool { left.payload == right.payload }
            public var debugDescription: String {
                payload.map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined()
            }
        }
        public final class EventStream: AsyncSequence {
            public typealias Element = Event
            public class Iterator: AsyncIteratorProtocol {
                public func next() async throws -> Event? { nil }
            }
            public func makeAsyncIterator() -> Iterator { Iterator() }
        }
    }

    /// An assertion that the app wants to present a card, which suppresses the system's wallet; acquiring it throws.
    ///
    /// Source: Core NFC, NFCPresentmentIntentAssertion.
    public final class NFCPresentmentIntentAssertion: Sendable {
        public enum Error: Swift.Error, Sendable {
            case systemEligibilityFailed
            case systemNotAvailable
        }
        public let isValid = false
        private init() {}
        public static func acquire() async throws -> NFCPresentmentIntentAssertion { throw Error.systemNotAvailable }
    }
#endif
