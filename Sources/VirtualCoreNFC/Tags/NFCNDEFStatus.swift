#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    /// What a tag lets an app do with NDEF.
    ///
    /// Source: Core NFC, NFCNDEFStatus.
    public enum NFCNDEFStatus: UInt, Sendable {
        /// The tag is not formatted for NDEF.
        case notSupported = 1
        /// Messages can be read and written.
        case readWrite = 2
        /// Messages can be read.
        case readOnly = 3
    }
#endif
