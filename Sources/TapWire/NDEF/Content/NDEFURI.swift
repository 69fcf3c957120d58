/// The payload of a URI record, type `U`: a prefix code and the rest in UTF-8.
///
/// Source: NFC Forum RTD URI.
public struct NDEFURI: WireValue, CustomStringConvertible {
    /// The beginning, as a code.
    public var prefix: URIPrefix
    /// What follows the beginning.
    public var rest: String

    public init(prefix: URIPrefix, rest: String) {
        self.prefix = prefix
        self.rest = rest
    }

    public init(_ text: String) {
        prefix = URIPrefix(longestOf: text)
        rest = String(decoding: text.utf8.dropFirst(prefix.text.utf8.count), as: UTF8.self)
    }

    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        var reader = ByteReader(bytes)
        prefix = URIPrefix(try reader.byte("URI prefix code"))
        rest = try StrictText.utf8(reader.rest(), at: 1, in: "URI")
    }

    public var bytes: [UInt8] { [prefix.rawValue] + rest.utf8 }

    /// The whole URI.
    public var description: String { prefix.text + rest }
}
