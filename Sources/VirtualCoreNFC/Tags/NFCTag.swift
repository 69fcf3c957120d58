#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    /// A tag that a session found, by what it speaks.
    ///
    /// Source: Core NFC, NFCTag.
    public enum NFCTag {
        /// A FeliCa card.
        case feliCa(any NFCFeliCaTag)
        /// A card of ISO/IEC 7816-4 with an application the app lists.
        case iso7816(any NFCISO7816Tag)
        /// A tag of ISO/IEC 15693; none is simulated.
        case iso15693(any NFCISO15693Tag)
        /// A tag of the MIFARE family, NTAG among them.
        case miFare(any NFCMiFareTag)

        /// Whether the tag is connected to and still in the field.
        public var isAvailable: Bool { object.isAvailable }

        /// The tag as the object it is.
        var object: any __NFCTag {
            switch self {
            case .feliCa(let tag): tag
            case .iso7816(let tag): tag
            case .iso15693(let tag): tag
            case .miFare(let tag): tag
            }
        }
    }
#endif
