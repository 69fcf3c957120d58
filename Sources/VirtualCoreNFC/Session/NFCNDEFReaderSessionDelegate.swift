#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// Who is told what happens in a session for NDEF; called on the queue of the session.
    ///
    /// With `readerSession(_:didDetect:)` the app is given tags to read and write. Without it the session reads the
    /// messages itself. Source: Core NFC, NFCNDEFReaderSessionDelegate.
    public protocol NFCNDEFReaderSessionDelegate: NSObjectProtocol {
        /// The session has ended. Called once, last of all; `error` is an ``NFCReaderError``.
        func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error)
        /// Messages were read.
        func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage])
        /// Tags were found. An app that has this method reads them itself.
        func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [NFCNDEFTag])
        /// The session is open and looks for tags.
        func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession)
    }

    // Optional methods of Apple's protocol: what a session does for a delegate that does not have them.
    extension NFCNDEFReaderSessionDelegate {
        /// Reads the messages for the app.
        public func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [NFCNDEFTag]) {
            session.readMessages(of: tags, for: self)
        }

        /// Does nothing.
        public func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {}
    }
#endif
