/// The first byte of a URI record: a beginning that many URIs share.
///
/// Codes 24 to FF are reserved; a reader takes them for no prefix. Source: NFC Forum RTD URI, "URI identifier codes".
public struct URIPrefix: Hashable, Sendable, CustomStringConvertible {
    /// No prefix.
    public static let none = URIPrefix(0x00)

    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The longest prefix that `text` begins with.
    public init(longestOf text: String) {
        let matching = Self.texts.indices.filter { text.utf8.starts(with: Self.texts[$0].utf8) }
        let longest = matching.max { Self.texts[$0].utf8.count < Self.texts[$1].utf8.count }
        self.init(UInt8(longest ?? 0))
    }

    /// Whether the code has no meaning yet.
    public var isReserved: Bool { Int(rawValue) >= Self.texts.count }

    /// The beginning it stands for, empty for a reserved code.
    public var text: String { isReserved ? "" : Self.texts[Int(rawValue)] }

    /// The beginning, or the code where that is reserved.
    public var description: String { isReserved ? "reserved \(Hex.digits(rawValue, width: 2))" : text }

    /// The beginnings by code.
    private static let texts = [
        "", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:", "ftp://anonymous:anonymous@",
        "ftp://ftp.", "ftps://", "sftp://", "smb://", "nfs://", "ftp://", "dav://", "news:", "telnet://", "imap:",
        "rtsp://", "urn:", "pop:", "sip:", "sips:", "tftp:", "btspp://", "btl2cap://", "btgoep://", "tcpobex://",
        "irdaobex://", "file://", "urn:epc:id:", "urn:epc:tag:", "urn:epc:pat:", "urn:epc:raw:", "urn:epc:", "urn:nfc:",
    ]
}
