#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    /// The base class of all sessions.
    ///
    /// A session belongs to the virtual phone in effect where it is created. The phone keeps it alive from ``begin()`` until
    /// its delegate was informed of its end. Source: Core NFC, NFCReaderSession.
    open class NFCReaderSession: NSObject, NFCReaderSessionProtocol {
        let link: SessionLink

        // Not for apps. But an inaccessible initialiser would keep subclasses in apps from inheriting the sessions'
        // convenience initialisers.
        @usableFromInline
        init(delegate: AnyObject?, queue: DispatchQueue?) {
            link = SessionLink(delegate: delegate, queue: queue)
            super.init()
        }

        /// The delegate, held weakly.
        open var delegate: AnyObject? { link.delegate }

        /// A Boolean value that indicates whether there is a virtual phone that can read.
        open class var readingAvailable: Bool { VirtualPhone.ofApp?.isReadingAvailable ?? false }

        /// The queue of the delegate and all handlers.
        open var sessionQueue: DispatchQueue { link.queue }

        open var isReady: Bool { link.isOpen }

        open var alertMessage: String {
            get { link.alert }
            set { link.alert = newValue }
        }

        open func begin() {
            link.begin(self, request)
        }

        open func invalidate() {
            link.invalidate(message: nil)
        }

        open func invalidate(errorMessage: String) {
            link.invalidate(message: errorMessage)
        }

        /// The session's request to the phone.
        var request: PhoneSessionRequest { PhoneSessionRequest([], isSupported: false) }

        func didBecomeActive() {}
        func didDetect(_ tags: [FoundTag]) {}
        func didInvalidate(with error: NFCReaderError) {}
    }

    /// A session of any kind.
    ///
    /// Source: Core NFC, NFCReaderSessionProtocol.
    public protocol NFCReaderSessionProtocol: NSObjectProtocol {
        /// A Boolean value that indicates whether the session is open: the sheet is shown, and the phone looks for tags or
        /// has found them.
        var isReady: Bool { get }
        /// The text on the sheet, which may be changed from any thread while the session is open.
        var alertMessage: String { get set }
        /// Opens the session; the delegate learns the result.
        func begin()
        /// Ends the session successfully; its delegate gets error 200.
        func invalidate()
        /// Ends the session as failed, with a text for the user; its delegate gets error 200.
        func invalidate(errorMessage: String)
    }

    // Names of the Objective-C interface, which app code can use next to the Swift names.

    // swift-format-ignore: NoLeadingUnderscores
    /// The delegate of a tag session, under its name in the Objective-C interface.
    public typealias __NFCTagReaderSessionDelegate = NFCTagReaderSessionDelegate

    // swift-format-ignore: NoLeadingUnderscores
    /// The delegate of a session of any kind.
    ///
    /// Source: Core NFC, NFCReaderSessionDelegate of the Objective-C interface.
    public protocol __NFCReaderSessionDelegate: NSObjectProtocol {
        /// The session is open.
        func readerSessionDidBecomeActive(_ session: NFCReaderSession)
        /// Tags were found.
        func readerSession(_ session: NFCReaderSession, didDetect tags: [any __NFCTag])
        /// The session has ended; `error` is an ``NFCReaderError``.
        func readerSession(_ session: NFCReaderSession, didInvalidateWithError error: Error)
    }

    // swift-format-ignore: NoLeadingUnderscores
    /// A session for only ISO/IEC 15693 tags.
    ///
    /// It is not simulated, so it ends with error 1 when it begins.
    ///
    /// Source: Core NFC, NFCISO15693ReaderSession of the Objective-C interface.
    open class __NFCISO15693ReaderSession: NFCReaderSession {
        /// Creates a session; it does nothing before `begin()`.
        public init(delegate: any __NFCReaderSessionDelegate, queue: DispatchQueue?) {
            super.init(delegate: delegate, queue: queue)
        }

        override open class var readingAvailable: Bool { false }

        open func restartPolling() {}

        override func didInvalidate(with error: NFCReaderError) {
            (delegate as? any __NFCReaderSessionDelegate)?.readerSession(self, didInvalidateWithError: error)
        }
    }

    extension NFCTagReaderSession {
        // swift-format-ignore: NoLeadingUnderscores
        /// The connected tag as an object.
        public var __connectedTag: (any __NFCTag)? { connectedTag?.object }

        // swift-format-ignore: NoLeadingUnderscores
        /// Connects to a tag, like ``connect(to:completionHandler:)``.
        @preconcurrency
        public func __connect(to tag: any __NFCTag, completionHandler: @escaping NFCCompletion) {
            link.connect(to: tag as? PhoneTagObject, completionHandler)
        }

        // swift-format-ignore: NoLeadingUnderscores
        /// Connects to a tag, like ``connect(to:)``.
        public func __connect(to tag: any __NFCTag) async throws {
            try await link.connect(to: tag as? PhoneTagObject)
        }
    }

    /// A session for passes in a wallet.
    ///
    /// It is not simulated, so it ends with error 1 when it begins.
    ///
    /// Source: Core NFC, NFCVASReaderSession.
    open class NFCVASReaderSession: NFCReaderSession {
        /// Creates a session; it does nothing before `begin()`.
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

    /// The delegate of a pass session; called on the session's queue.
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
        public func readerSessionDidBecomeActive(_ session: NFCVASReaderSession) {}
    }

    /// A session for payment cards.
    ///
    /// It is not simulated, so it ends with error 1 when it begins.
    ///
    /// Source: Core NFC, NFCPaymentTagReaderSession.
    open class NFCPaymentTagReaderSession: NFCTagReaderSession {
        /// Creates a session; it does nothing before `begin()`.
        public convenience init(delegate: any NFCTagReaderSessionDelegate, queue: DispatchQueue? = nil) {
            self.init(__pollingOption: .iso14443, delegate: delegate, queue: queue)
        }

        override var request: PhoneSessionRequest { PhoneSessionRequest([], isSupported: false) }
    }
#endif
