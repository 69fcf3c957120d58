#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import TapWire

    /// How the type of a record is to be read.
    ///
    /// Source: Core NFC, NFCTypeNameFormat; NFC Forum NDEF, "TNF".
    public enum NFCTypeNameFormat: UInt8, Sendable {
        /// No type, no identifier, no payload.
        case empty = 0
        /// A type of the NFC Forum, such as `U` or `T`.
        case nfcWellKnown = 1
        /// A media type, such as `text/plain`.
        case media = 2
        /// The type is a URI.
        case absoluteURI = 3
        /// A type named by a domain, such as `example.com:x`.
        case nfcExternal = 4
        /// A payload without a type.
        case unknown = 5
        /// A chunk that continues the record before it.
        case unchanged = 6

        /// The format as the bytes have it; the reserved one reads as unknown.
        init(_ format: TypeNameFormat) {
            self = NFCTypeNameFormat(rawValue: format.rawValue) ?? .unknown
        }

        /// The format as the bytes have it.
        var wire: TypeNameFormat { TypeNameFormat(rawValue: rawValue) ?? .unknown }
    }
#endif
