/// An NDEF message: a sequence of records, the first marked with MB, the last with ME.
///
/// Chunks are kept as separate records; `reassembled()` joins them. Zero bytes are a message without records, as on an
/// initialized tag. Source: NFC Forum NDEF, "NDEF message".
public struct NDEFMessage: WireValue {
    public var records: [NDEFRecord]

    /// Creates a message.
    ///
    /// The order of chunks is not checked, but ``init(parsing:)`` rejects a message with chunks in the wrong order.
    public init(_ records: [NDEFRecord]) {
        self.records = records
    }

    /// Reads a message.
    ///
    /// - Throws: ``WireError`` if a record is truncated, if MB, ME or CF is wrong for its position, or if bytes follow the
    ///   last record.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        var reader = ByteReader(bytes)
        records = []
        var hasEnded = reader.isAtEnd
        var order = ChunkOrder()
        while !hasEnded {
            let offset = reader.offset
            guard !reader.isAtEnd else {
                throw WireError(.truncated, at: offset, in: "NDEF message", "no record has the message end flag")
            }
            let header = NDEFRecordHeader(rawValue: try reader.byte("NDEF record header"))
            guard header.beginsMessage == records.isEmpty else {
                throw WireError(
                    .wrongValue, at: offset, in: "message begin flag",
                    records.isEmpty ? "the first record must have it" : "only the first record may have it")
            }
            let record = try NDEFRecord(header, from: &reader)
            try order.take(record, at: offset)
            if header.endsMessage { try order.finish(at: offset) }
            records.append(record)
            hasEnded = header.endsMessage
        }
        guard reader.isAtEnd else {
            throw WireError(.trailingBytes, at: reader.offset, in: "NDEF message", "the message ends before them")
        }
    }

    public var bytes: [UInt8] {
        records.indices.flatMap { index in
            records[index].bytes(beginsMessage: index == 0, endsMessage: index == records.count - 1)
        }
    }
}

/// A record of an NDEF message.
///
/// ```
/// MB ME CF SR IL TNF(3) | type length | payload length (1, or 4 BE) | [ID length] | type | [ID] | payload
/// ```
/// MB and ME follow from the position in the message, IL from ``id``, and SR from the payload length unless ``isLong`` is
/// set. Source: NFC Forum NDEF, "record layout".
public struct NDEFRecord: Hashable, Sendable {
    /// The length of the longest type; its length field is one byte.
    static let maximumTypeLength = 255
    /// The length of the longest ID; its length field is one byte.
    static let maximumIDLength = 255
    /// The length of the longest payload with a one-byte length field.
    static let maximumShortPayloadLength = 255
    /// The length of the longest payload; its length field has at most four bytes.
    static let maximumPayloadLength = Int(UInt32.max)

    public let format: TypeNameFormat
    /// The type, which some formats do not use.
    public let type: [UInt8]
    /// The ID, or `nil` if the record has no ID field; an ID field may be empty.
    public let id: [UInt8]?
    public let payload: [UInt8]
    /// CF: another chunk of the same payload follows.
    public let isChunked: Bool
    /// A Boolean value that indicates a four-byte payload length, which payloads over 255 bytes require.
    public let isLong: Bool

    /// Creates a record, in the short form if the payload allows it and `isLong` is not set.
    ///
    /// - Throws: ``WireError`` if a part is too long for its length field.
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
            throw WireError(.wrongLength, at: maximum, in: name, "\(count) bytes; at most \(maximum) are allowed")
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
    /// IL: the record has an ID length.
    var hasID: Bool { rawValue[bits: 3...3] == 1 }
    /// TNF; every value of the three bits is one of the eight formats.
    var format: TypeNameFormat { TypeNameFormat(rawValue: rawValue[bits: 0...2]) ?? .reserved }
}

extension NDEFRecord {
    /// Reads the fields after the header of a record.
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

    /// The bytes of the record as part of a message.
    package func bytes(beginsMessage: Bool, endsMessage: Bool) -> [UInt8] {
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

/// TNF: the interpretation of the type field of an NDEF record, three bits.
///
/// Source: NFC Forum NDEF, "TNF (Type Name Format)".
public enum TypeNameFormat: UInt8, Hashable, Sendable, CaseIterable {
    /// No type, no ID, no payload.
    case empty
    /// A type defined by the NFC Forum, such as `U`, `T` or `Sp`.
    case wellKnown
    case media
    case absoluteURI
    /// A type within a domain, such as `example.com:x`.
    case external
    case unknown
    /// A chunk that continues the previous record.
    case unchanged
    /// Reserved; a reader treats it like ``unknown``.
    case reserved
}

/// The rules for the order of chunks in a message.
///
/// The first chunk has the format, type and ID of the record and CF. The following chunks are ``TypeNameFormat/unchanged``
/// without type and ID; the last chunk has no CF. Source: NFC Forum NDEF, "record chunks".
struct ChunkOrder {
    private var isOpen = false

    /// Checks the next record, which begins at `offset`.
    mutating func take(_ record: NDEFRecord, at offset: Int) throws(WireError) {
        let continues = record.format == .unchanged
        guard continues == isOpen else {
            throw WireError(
                .wrongValue, at: offset, in: "record format",
                continues
                    ? "a chunk without a record to continue"
                    : "a record begins before the last chunk of the previous one")
        }
        guard !continues || (record.type.isEmpty && record.id == nil) else {
            throw WireError(.wrongValue, at: offset, in: "chunk", "only the first chunk may have a type or an ID")
        }
        isOpen = record.isChunked
    }

    /// Checks that the message may end with the record at `offset`.
    func finish(at offset: Int) throws(WireError) {
        guard !isOpen else {
            throw WireError(.wrongValue, at: offset, in: "chunk flag", "the message ends before the last chunk")
        }
    }
}

extension NDEFMessage {
    /// The message with each sequence of chunks joined into one record.
    ///
    /// - Throws: ``WireError`` with the index of a record as its offset if chunks are out of order.
    package func reassembled() throws(WireError) -> NDEFMessage {
        var order = ChunkOrder()
        var whole: [NDEFRecord] = []
        var chunks: [NDEFRecord] = []
        for (index, record) in records.enumerated() {
            try order.take(record, at: index)
            chunks.append(record)
            if record.isChunked { continue }
            whole.append(try NDEFRecord(joining: chunks))
            chunks = []
        }
        try order.finish(at: records.count)
        return NDEFMessage(whole)
    }
}

extension NDEFRecord {
    /// Joins the chunks of one record, given in order; there must be at least one.
    fileprivate init(joining chunks: [NDEFRecord]) throws(WireError) {
        let first = chunks[0]
        try self.init(
            format: first.format, type: first.type, id: first.id, payload: chunks.flatMap(\.payload),
            isLong: chunks.count == 1 && first.isLong)
    }

    /// Splits the record into chunks of at most `size` payload bytes, but at least one byte.
    ///
    /// - Throws: ``WireError`` if the record is already a chunk.
    package func chunks(ofAtMost size: Int) throws(WireError) -> [NDEFRecord] {
        guard !isChunked, format != .unchanged else {
            throw WireError(.wrongValue, at: 0, in: "NDEF record", "it is already a chunk")
        }
        let size = max(1, size)
        guard payload.count > size else { return [self] }
        var chunks: [NDEFRecord] = []
        for start in stride(from: 0, to: payload.count, by: size) {
            let end = min(start + size, payload.count)
            let isFirst = start == 0
            chunks.append(
                try NDEFRecord(
                    format: isFirst ? format : .unchanged, type: isFirst ? type : [], id: isFirst ? id : nil,
                    payload: Array(payload[start..<end]), isChunked: end < payload.count))
        }
        return chunks
    }
}

/// The version of the NDEF mapping on a tag, one byte: major in the high nibble, minor in the low nibble.
///
/// A reader accepts any minor version of a supported major version. Sources: NFC Forum Type 2 Tag Operation 1.1, "capability
/// container"; Type 3 Tag Operation, "attribute information block".
package struct MappingVersion: OpenCode, CustomStringConvertible {
    package static let v1_0 = MappingVersion(0x10)

    package let rawValue: UInt8

    package init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package var major: Int { Int(rawValue[bits: 4...7]) }
    package var minor: Int { Int(rawValue[bits: 0...3]) }

    package var description: String { "\(major).\(minor)" }
}
