#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    // swift-format-ignore: NoLeadingUnderscores
    /// What kind of tag an object is; app code asks it of objects that are not wrapped in ``NFCTag``.
    ///
    /// Source: Core NFC, NFCTagType.
    public enum __NFCTagType: UInt, Sendable {
        /// ISO/IEC 15693.
        case ISO15693 = 1
        /// FeliCa.
        case feliCa = 2
        /// ISO/IEC 7816-4 over ISO/IEC 14443-4.
        case iso7816Compatible = 3
        /// The MIFARE family.
        case miFare = 4
    }

    // swift-format-ignore: NoLeadingUnderscores
    /// What every tag object has in common.
    ///
    /// Source: Core NFC, NFCTag of the Objective-C interface.
    public protocol __NFCTag: NSCopying, NSSecureCoding, NSObjectProtocol {
        /// What kind of tag it is.
        var type: __NFCTagType { get }

        /// The session that found the tag; nothing once that is gone.
        var session: (any NFCReaderSessionProtocol)? { get }

        /// Whether the tag is connected to and still in the field.
        var isAvailable: Bool { get }

        /// The tag itself if it is one of ISO/IEC 15693.
        func asNFCISO15693Tag() -> (any NFCISO15693Tag)?

        /// The tag itself if it is one of ISO/IEC 7816-4.
        func asNFCISO7816Tag() -> (any NFCISO7816Tag)?

        /// The tag itself if it is a FeliCa card.
        func asNFCFeliCaTag() -> (any NFCFeliCaTag)?

        /// The tag itself if it is of the MIFARE family.
        func asNFCMiFareTag() -> (any NFCMiFareTag)?
    }
#endif
