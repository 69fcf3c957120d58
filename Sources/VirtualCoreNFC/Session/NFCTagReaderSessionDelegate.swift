#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// Who is told what happens in a session for tags; called on the queue of the session.
    ///
    /// Source: Core NFC, NFCTagReaderSessionDelegate.
    public protocol NFCTagReaderSessionDelegate: NSObjectProtocol {
        /// The session is open and looks for tags. Called once.
        func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession)
        /// The session has ended. Called once, last of all; `error` is an ``NFCReaderError``.
        func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error)
        /// Tags were found; all of them that lie there.
        func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag])
    }
#endif
