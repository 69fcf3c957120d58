extension NDEFRecord {
    public enum Content: Hashable, Sendable {
        case empty
        /// A URI, well-known type `U`.
        case uri(NDEFURI)
        /// A text, well-known type `T`.
        case text(NDEFText)
        /// A URI with a title and other data, well-known type `Sp`.
        case smartPoster(NDEFSmartPoster)
        /// Data of a media type, such as `text/plain`.
        case media(type: String, [UInt8])
        /// A URI in the type field.
        case absoluteURI(String)
        /// Data of a type within a domain, such as `example.com:x`.
        case external(type: String, [UInt8])
        /// Data without a type.
        case unknown([UInt8])
        /// Anything else: another well-known type, a chunk, a reserved format, or fields that the format does not allow.
        case other(NDEFRecord)
    }

    package enum WellKnownType {
        package static let uri = Array("U".utf8)
        package static let text = Array("T".utf8)
        package static let smartPoster = Array("Sp".utf8)
    }

    /// The content of the record.
    ///
    /// Converting it back gives the same record, except for its ID and the form of its payload length.
    ///
    /// - Throws: ``WireError`` if the payload or the type does not fit the content.
    public var content: Content {
        get throws(WireError) {
            if isChunked { return .other(self) }
            switch format {
            case .empty where type.isEmpty && payload.isEmpty: return .empty
            case .wellKnown: return try wellKnownContent()
            case .media: return .media(type: try typeText("media type"), payload)
            case .absoluteURI where payload.isEmpty: return .absoluteURI(try typeText("absolute URI"))
            case .external: return .external(type: try typeText("external type"), payload)
            case .unknown where type.isEmpty: return .unknown(payload)
            case .empty, .absoluteURI, .unknown, .unchanged, .reserved: return .other(self)
            }
        }
    }

    private func wellKnownContent() throws(WireError) -> Content {
        switch type {
        case WellKnownType.uri: .uri(try NDEFURI(parsing: payload))
        case WellKnownType.text: .text(try NDEFText(parsing: payload))
        case WellKnownType.smartPoster: .smartPoster(try NDEFSmartPoster(parsing: payload))
        default: .other(self)
        }
    }

    private func typeText(_ name: String) throws(WireError) -> String {
        try StrictText.utf8(type, at: 0, in: name)
    }

    /// Creates a record with the given content; ``Content/other(_:)`` keeps its own ID.
    ///
    /// - Throws: ``WireError`` if a type is too long for a record.
    public init(_ content: Content, id: [UInt8]? = nil) throws(WireError) {
        switch content {
        case .empty: try self.init(format: .empty, id: id)
        case .uri(let uri): try self.init(format: .wellKnown, type: WellKnownType.uri, id: id, payload: uri.bytes)
        case .text(let text): try self.init(format: .wellKnown, type: WellKnownType.text, id: id, payload: text.bytes)
        case .smartPoster(let poster):
            try self.init(format: .wellKnown, type: WellKnownType.smartPoster, id: id, payload: poster.bytes)
        case .media(let type, let data): try self.init(format: .media, type: Array(type.utf8), id: id, payload: data)
        case .absoluteURI(let uri): try self.init(format: .absoluteURI, type: Array(uri.utf8), id: id)
        case .external(let type, let data):
            try self.init(format: .external, type: Array(type.utf8), id: id, payload: data)
        case .unknown(let data): try self.init(format: .unknown, id: id, payload: data)
        case .other(let record): self = record
        }
    }
}

/// The payload of a Text record, type `T`: text with a language.
///
/// ```
/// UTF-16 (bit 7), reserved (6), language length (5–0) | language, ASCII | text
/// ```
/// UTF-16 without a byte order mark is big-endian. Source: NFC Forum RTD Text.
public struct NDEFText: WireValue {
    public enum Encoding: Hashable, Sendable {
        case utf8
        /// UTF-16, big-endian without a mark; text that begins with U+FEFF or U+FFFE reads back as text with a mark.
        case utf16
        /// UTF-16 with a byte order mark.
        case markedUTF16(ByteOrder)
    }

    /// The byte order of a UTF-16 code unit.
    public enum ByteOrder: Hashable, Sendable {
        case bigEndian
        case littleEndian
    }

    /// The length of the longest language code; the length field has six bits.
    static let maximumLanguageLength = 63

    /// The text, without a byte order mark.
    public let text: String
    /// The IANA language code, such as `en` or `ja-JP`.
    public let language: String
    public let encoding: Encoding
    public let hasReservedBit: Bool

    /// Throws ``WireError`` if the language code is not ASCII or is too long.
    public init(
        _ text: String, language: String, encoding: Encoding = .utf8, hasReservedBit: Bool = false
    ) throws(WireError) {
        guard language.utf8.count <= Self.maximumLanguageLength else {
            throw WireError(
                .wrongLength, at: 0, in: "language code", "at most \(Self.maximumLanguageLength) bytes are allowed")
        }
        self.language = try StrictText.ascii(Array(language.utf8), at: 1, in: "language code")
        self.text = text
        self.encoding = encoding
        self.hasReservedBit = hasReservedBit
    }

    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        var reader = ByteReader(bytes)
        let status = try reader.byte("Text status byte")
        hasReservedBit = status[bits: 6...6] == 1
        let languageBytes = try reader.bytes(Int(status[bits: 0...5]), "language code")
        language = try StrictText.ascii(languageBytes, at: 1, in: "language code")
        let offset = reader.offset
        if status[bits: 7...7] == 0 {
            encoding = .utf8
            text = try StrictText.utf8(reader.rest(), at: offset, in: "UTF-8 text")
        } else {
            (encoding, text) = try Self.utf16Text(reader.rest(), at: offset)
        }
    }

    public var bytes: [UInt8] {
        var status = UInt8(language.utf8.count)
        status[bits: 6...6] = hasReservedBit ? 1 : 0
        status[bits: 7...7] = encoding == .utf8 ? 0 : 1
        return [status] + language.utf8 + textBytes
    }

    private var textBytes: [UInt8] {
        switch encoding {
        case .utf8: Array(text.utf8)
        case .utf16: text.utf16.flatMap(\.bigEndianBytes)
        case .markedUTF16(.bigEndian): Self.mark + text.utf16.flatMap(\.bigEndianBytes)
        case .markedUTF16(.littleEndian): Self.mark.reversed() + text.utf16.flatMap { $0.littleEndianBytes }
        }
    }

    /// The byte order mark U+FEFF in big-endian order.
    private static let mark: [UInt8] = [0xFE, 0xFF]

    private static func utf16Text(_ bytes: [UInt8], at offset: Int) throws(WireError) -> (Encoding, String) {
        guard bytes.count % 2 == 0 else {
            throw WireError(.truncated, at: offset + bytes.count, in: "UTF-16 text", "half a code unit")
        }
        let first = Array(bytes.prefix(2))
        let encoding: Encoding =
            first == mark ? .markedUTF16(.bigEndian) : first == mark.reversed() ? .markedUTF16(.littleEndian) : .utf16
        let markLength = encoding == .utf16 ? 0 : 2
        let units = stride(from: markLength, to: bytes.count, by: 2).map { index in
            let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
            return encoding == .markedUTF16(.littleEndian) ? unit.byteSwapped : unit
        }
        return (encoding, try StrictText.utf16(units, at: offset + markLength, in: "UTF-16 text"))
    }
}

/// The payload of a URI record, type `U`: a prefix code, then the rest in UTF-8.
///
/// Source: NFC Forum RTD URI.
public struct NDEFURI: WireValue, CustomStringConvertible {
    /// The prefix as a code.
    public var prefix: URIPrefix
    /// The text after the prefix.
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

    public var description: String { prefix.text + rest }
}

/// The first byte of a URI record: a code for a common prefix.
///
/// Codes 24 to FF are reserved; a reader treats them as no prefix. Source: NFC Forum RTD URI, "URI identifier codes".
public struct URIPrefix: Hashable, Sendable, CustomStringConvertible {
    package static let none = URIPrefix(0x00)

    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Selects the longest prefix with which `text` begins.
    package init(longestOf text: String) {
        let matching = Self.texts.indices.filter { text.utf8.starts(with: Self.texts[$0].utf8) }
        let longest = matching.max { Self.texts[$0].utf8.count < Self.texts[$1].utf8.count }
        self.init(UInt8(longest ?? 0))
    }

    /// A Boolean value that indicates whether the code is reserved.
    package var isReserved: Bool { Int(rawValue) >= Self.texts.count }

    /// The prefix; empty for a reserved code.
    package var text: String { isReserved ? "" : Self.texts[Int(rawValue)] }

    /// The prefix, or a text with the code if it is reserved.
    public var description: String { isReserved ? "reserved \(Hex.digits(rawValue, width: 2))" : text }

    private static let texts = [
        "", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:", "ftp://anonymous:anonymous@",
        "ftp://ftp.", "ftps://", "sftp://", "smb://", "nfs://", "ftp://", "dav://", "news:", "telnet://", "imap:",
        "rtsp://", "urn:", "pop:", "sip:", "sips:", "tftp:", "btspp://", "btl2cap://", "btgoep://", "tcpobex://",
        "irdaobex://", "file://", "urn:epc:id:", "urn:epc:tag:", "urn:epc:pat:", "urn:epc:raw:", "urn:epc:", "urn:nfc:",
    ]
}
