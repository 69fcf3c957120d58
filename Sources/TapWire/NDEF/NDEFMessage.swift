/// An NDEF message: records one after the other, the first marked MB, the last ME.
///
/// Chunks are kept as the records they are; ``reassembled()`` joins them. No bytes at all are a message without
/// records, as an initialised tag has it. Source: NFC Forum NDEF, "NDEF message".
public struct NDEFMessage: WireValue {
    public var records: [NDEFRecord]

    /// Creates a message.
    ///
    /// Nothing keeps chunks from being in the wrong order; ``init(parsing:)`` refuses the bytes of such a message.
    public init(_ records: [NDEFRecord]) {
        self.records = records
    }

    /// Reads a message.
    ///
    /// - Throws: ``WireError`` where a record breaks off, where MB, ME or CF is not as the place asks, and where bytes
    ///   follow the end.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        var reader = ByteReader(bytes)
        records = []
        var hasEnded = reader.isAtEnd
        var order = ChunkOrder()
        while !hasEnded {
            let offset = reader.offset
            guard !reader.isAtEnd else {
                throw WireError(.truncated, at: offset, in: "NDEF message", "no record ends it")
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
            throw WireError(.trailingBytes, at: reader.offset, in: "NDEF message", "a record before them ends it")
        }
    }

    /// The message as it is stored.
    public var bytes: [UInt8] {
        records.indices.flatMap { index in
            records[index].bytes(beginsMessage: index == 0, endsMessage: index == records.count - 1)
        }
    }
}
