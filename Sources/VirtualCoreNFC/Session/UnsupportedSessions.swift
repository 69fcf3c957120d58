#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    /// A session for passes in a wallet; none is simulated, so that it ends with error 1 when it begins.
    ///
    /// Source: Core NFC, NFCVASReaderSession.
    open class NFCVASReaderSession: NFCReaderSession {
        /// Makes a session; it does nothing before `begin()`.
        public init(
            vasCommandConfigurations commandConfigurations: [NFCVASCommandConfiguration],
            delegate: NFCVASReaderSessionDelegate, queue: DispatchQueue?
        ) {
            super.init(delegate: delegate, queue: queue)
        }

        override func didInvalidate(with error: NFCReaderError) {
            (delegate as? NFCVASReaderSessionDelegate)?.readerSession(self, didInvalidateWithError: error)
        }
    }

    /// Who is told what happens in a session for passes; called on the queue of the session.
    ///
    /// Source: Core NFC, NFCVASReaderSessionDelegate.
    public protocol NFCVASReaderSessionDelegate: NSObjectProtocol {
        /// The session is open.
        func readerSessionDidBecomeActive(_ session: NFCVASReaderSession)
        /// The session has ended; `error` is an ``NFCReaderError``.
        func readerSession(_ session: NFCVASReaderSession, didInvalidateWithError error: Error)
        /// Passes have answered.
        func readerSession(_ session: NFCVASReaderSession, didReceive responses: [NFCVASResponse])
    }

    // An optional method of Apple's protocol.
    extension NFCVASReaderSessionDelegate {
        /// Does nothing.
        public func readerSessionDidBecomeActive(_ session: NFCVASReaderSession) {}
    }

    /// A session for payment cards; none is simulated, so that it ends with error 1 when it begins.
    ///
    /// Source: Core NFC, NFCPaymentTagReaderSession.
    open class NFCPaymentTagReaderSession: NFCTagReaderSession {
        /// Makes a session; it does nothing before `begin()`.
        public convenience init(delegate: any NFCTagReaderSessionDelegate, queue: DispatchQueue?) {
            self.init(__pollingOption: .iso14443, delegate: delegate, queue: queue)
        }

        override var request: PhoneSessionRequest { PhoneSessionRequest([], isSupported: false) }
    }
#endif
