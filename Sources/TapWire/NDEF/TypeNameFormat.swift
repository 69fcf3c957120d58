/// TNF: how the type field of an NDEF record is to be read, three bits.
///
/// Source: NFC Forum NDEF, "TNF (Type Name Format)".
public enum TypeNameFormat: UInt8, Hashable, Sendable, CaseIterable {
    /// No type, no ID, no payload.
    case empty
    /// A type defined by the NFC Forum, such as `U`, `T` or `Sp`.
    case wellKnown
    /// A media type, such as `text/plain`.
    case media
    /// The type field is a URI.
    case absoluteURI
    /// A type named by a domain and a name in it, such as `example.com:x`.
    case external
    /// A payload without a type.
    case unknown
    /// A chunk that continues the record before it.
    case unchanged
    /// Reserved; a reader treats it like ``unknown``.
    case reserved
}
