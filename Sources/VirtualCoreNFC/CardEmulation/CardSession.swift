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
#endif
