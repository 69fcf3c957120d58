/// A record of an NDEF message.
///
/// ```
/// MB ME CF SR IL TNF(3) | type length | payload length (1, or 4 BE) | [ID length] | type | [ID] | payload
/// ```
/// MB and ME follow from the place in the message, IL from ``id``, SR from the length of the payload unless
/// ``isLong``. Source: NFC Forum NDEF, "record layout".
public struct NDEFRecord: Hashable, Sendable {
    /// Longest type: its length is one byte.
    public static let maximumTypeLength = 255
    /// Longest ID: its length is one byte.
    public static let maximumIDLength = 255
    /// Longest payload whose length is one byte.
    public static let maximumShortPayloadLength = 255
    /// Longest payload: its length is four bytes at most.
    public static let maximumPayloadLength = Int(UInt32.max)

    /// How the type is to be read.
    public let format: TypeNameFormat
    /// The type, without meaning for some formats.
    public let type: [UInt8]
    /// The ID, or nothing where the record has no ID field; an ID field may be empty.
    public let id: [UInt8]?
    public let payload: [UInt8]
    /// CF: another chunk of the same payload follows.
    public let isChunked: Bool
    /// Whether the payload length has four bytes; longer payloads than 255 bytes need them.
    public let isLong: Bool

    /// Creates a record; the short form is taken where the payload allows it and `isLong` is not set.
    ///
    /// - Throws: ``WireError`` if a part is longer than its length field can say.
    public init(
        format: TypeNameFormat, type: [UInt8] = [], id: [UInt8]? = nil, payload: [UInt8] = [],
        isChunked: Bool = false, isLong: Bool = false
    ) throws(WireError) {
        try Self.check(type.count, Self.maximumTypeLength, "record type")
        try Self.check(id?.count ?? 0, Self.maximumIDLength, "record ID")
        try Self.check(payload.count, Self.maximumPayloadLength, "record payload")
        self.format = format
        self.type = type
        self.id = id
        self.payload = payload
        self.isChunked = isChunked
        self.isLong = isLong || payload.count > Self.maximumShortPayloadLength
    }

    private static func check(_ count: Int, _ maximum: Int, _ name: String) throws(WireError) {
        guard count <= maximum else {
            throw WireError(.wrongLength, at: maximum, in: name, "\(count) bytes, at most \(maximum) fit")
        }
    }
}

/// The first byte of a record.
struct NDEFRecordHeader: Hashable {
    var rawValue: UInt8

    /// MB: the record is the first of its message.
    var beginsMessage: Bool { rawValue[bits: 7...7] == 1 }
    /// ME: the record is the last of its message.
    var endsMessage: Bool { rawValue[bits: 6...6] == 1 }
    /// CF: a chunk follows.
    var isChunked: Bool { rawValue[bits: 5...5] == 1 }
    /// SR: the payload length is one byte.
    var isShort: Bool { rawValue[bits: 4...4] == 1 }
    /// IL: there is an ID length.
    var hasID: Bool { rawValue[bits: 3...3] == 1 }
    /// TNF; three bits are always one of the eight formats.
    var format: TypeNameFormat { TypeNameFormat(rawValue: rawValue[bits: 0...2]) ?? .reserved }
}

extension NDEFRecord {
    /// Reads what follows the header of a record.
    init(_ header: NDEFRecordHeader, from reader: inout ByteReader) throws(WireError) {
        let typeLength = try reader.number(byteCount: 1, "record type length")
        let payloadLength = try reader.number(byteCount: header.isShort ? 1 : 4, "record payload length")
        let idLength = header.hasID ? try reader.number(byteCount: 1, "record ID length") : nil
        let type = try reader.bytes(typeLength, "record type")
        var id: [UInt8]?
        if let idLength { id = try reader.bytes(idLength, "record ID") }
        try self.init(
            format: header.format, type: type, id: id, payload: try reader.bytes(payloadLength, "record payload"),
            isChunked: header.isChunked, isLong: !header.isShort)
    }

    /// The record as a part of a message.
    func bytes(beginsMessage: Bool, endsMessage: Bool) -> [UInt8] {
        var header = format.rawValue
        header[bits: 7...7] = beginsMessage ? 1 : 0
        header[bits: 6...6] = endsMessage ? 1 : 0
        header[bits: 5...5] = isChunked ? 1 : 0
        header[bits: 4...4] = isLong ? 0 : 1
        header[bits: 3...3] = id == nil ? 0 : 1
        let length = UInt32(payload.count).bigEndianBytes
        var bytes = [header, UInt8(type.count)] + (isLong ? length : length.suffix(1))
        if let id { bytes.append(UInt8(id.count)) }
        return bytes + type + (id ?? []) + payload
    }
}
