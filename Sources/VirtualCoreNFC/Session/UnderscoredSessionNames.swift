#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    // Names of the Objective-C interface that Swift's own hide; app code reaches them all the same.

    // swift-format-ignore: NoLeadingUnderscores
    /// The delegate of a session for tags, by its name in the Objective-C interface.
    public typealias __NFCTagReaderSessionDelegate = NFCTagReaderSessionDelegate

    // swift-format-ignore: NoLeadingUnderscores
    /// Who is told what happens in a session, whatever its kind.
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
    /// A session for tags of ISO/IEC 15693 alone; none is simulated, so that it ends with error 1 when it begins.
    ///
    /// Source: Core NFC, NFCISO15693ReaderSession of the Objective-C interface.
    open class __NFCISO15693ReaderSession: NFCReaderSession {
        /// Makes a session; it does nothing before `begin()`.
        public init(delegate: any __NFCReaderSessionDelegate, queue: DispatchQueue?) {
            super.init(delegate: delegate, queue: queue)
        }

        /// Whether the phone has such sessions: none has here.
        override open class var readingAvailable: Bool { false }

        /// Does nothing: no tag was found.
        open func restartPolling() {}

        override func didInvalidate(with error: NFCReaderError) {
            (delegate as? any __NFCReaderSessionDelegate)?.readerSession(self, didInvalidateWithError: error)
        }
    }

    extension NFCTagReaderSession {
        // swift-format-ignore: NoLeadingUnderscores
        /// The tag that commands go to, as the object it is.
        public var __connectedTag: (any __NFCTag)? { connectedTag?.object }

        // swift-format-ignore: NoLeadingUnderscores
        /// Connects to a tag, as ``connect(to:completionHandler:)`` does.
        @preconcurrency
        public func __connect(
            to tag: any __NFCTag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
        ) {
            link.connect(to: tag as? PhoneTagObject, completionHandler)
        }

        // swift-format-ignore: NoLeadingUnderscores
        /// Connects to a tag, as ``connect(to:)`` does.
        public nonisolated(nonsending) func __connect(to tag: any __NFCTag) async throws {
            try await link.connect(to: tag as? PhoneTagObject)
        }
    }
#endif
