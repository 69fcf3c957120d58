#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    /// What every session can do.
    ///
    /// Source: Core NFC, NFCReaderSessionProtocol.
    public protocol NFCReaderSessionProtocol: NSObjectProtocol {
        /// Whether the session is open: the sheet is up and tags are looked for or were found.
        var isReady: Bool { get }
        /// The text on the sheet; it may be changed from any thread while the session is open.
        var alertMessage: String { get set }
        /// Opens the session. What comes of it is told to the delegate.
        func begin()
        /// Ends the session as succeeded. Its delegate is told error 200.
        func invalidate()
        /// Ends the session as failed, with a text for the user. Its delegate is told error 200.
        func invalidate(errorMessage: String)
    }
#endif
