/// The payload of a Text record, type `T`: a text in a language.
///
/// ```
/// UTF-16 (bit 7), reserved (6), language length (5–0) | language, ASCII | text
/// ```
/// UTF-16 without a byte order mark is big endian. Source: NFC Forum RTD Text.
public struct NDEFText: WireValue {
    /// How the text is written in bytes.
    public enum Encoding: Hashable, Sendable {
        /// UTF-8.
        case utf8
        /// UTF-16 big endian without a mark; a text that begins with U+FEFF or U+FFFE reads back as marked.
        case utf16
        /// UTF-16 with a byte order mark, in the order it says.
        case markedUTF16(ByteOrder)
    }

    /// Which byte of a UTF-16 unit comes first.
    public enum ByteOrder: Hashable, Sendable {
        /// The high one.
        case bigEndian
        /// The low one.
        case littleEndian
    }

    /// Longest language code: its length has six bits.
    public static let maximumLanguageLength = 63

    /// The text, without a byte order mark.
    public let text: String
    /// The IANA language code, such as `en` or `ja-JP`.
    public let language: String
    /// How the text is written in bytes.
    public let encoding: Encoding
    /// The reserved bit of the status byte.
    public let hasReservedBit: Bool

    /// Creates a text.
    ///
    /// - Throws: ``WireError`` if the language is not ASCII or is too long.
    public init(
        _ text: String, language: String, encoding: Encoding = .utf8, hasReservedBit: Bool = false
    ) throws(WireError) {
        guard language.utf8.count <= Self.maximumLanguageLength else {
            throw WireError(.wrongLength, at: 0, in: "language code", "at most \(Self.maximumLanguageLength) bytes fit")
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
        case .markedUTF16(.littleEndian): Self.mark.reversed() + text.utf16.flatMap { $0.bigEndianBytes.reversed() }
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
