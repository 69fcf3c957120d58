#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    /// What all kinds of sessions have in common; apps make one of the kinds.
    ///
    /// A session belongs to the virtual phone that is in effect where it is made. The phone keeps it alive from
    /// ``begin()`` until its delegate was told of its end. Source: Core NFC, NFCReaderSession.
    open class NFCReaderSession: NSObject, NFCReaderSessionProtocol {
        let link: SessionLink

        // Not for apps. But an initialiser that they cannot see at all would keep their subclasses from inheriting
        // the convenience initialisers of sessions.
        @usableFromInline
        init(delegate: AnyObject?, queue: DispatchQueue?) {
            link = SessionLink(delegate: delegate, queue: queue)
            super.init()
        }

        /// Who is told what happens; held weakly.
        open var delegate: AnyObject? { link.delegate }

        /// Whether there is a virtual phone that can read; without one no session can begin.
        open class var readingAvailable: Bool { VirtualPhone.ofApp?.isReadingAvailable ?? false }

        /// The queue on which the delegate and all handlers are called: the one given, or a serial one of its own.
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

        /// What the session asks of the phone.
        var request: PhoneSessionRequest { PhoneSessionRequest([], isSupported: false) }

        /// The session is open.
        func didBecomeActive() {}

        /// Tags were found.
        func didDetect(_ tags: [FoundTag]) {}

        /// The session has ended.
        func didInvalidate(with error: NFCReaderError) {}
    }
#endif
