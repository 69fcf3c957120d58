/// The rules by which chunks follow one another in a message.
///
/// The first chunk has the format, type and ID of the record and CF; further ones are ``TypeNameFormat/unchanged``
/// without type and ID, the last of them without CF. Source: NFC Forum NDEF, "record chunks".
struct ChunkOrder {
    private var isOpen = false

    /// Takes the next record, which begins at `offset`.
    mutating func take(_ record: NDEFRecord, at offset: Int) throws(WireError) {
        let continues = record.format == .unchanged
        guard continues == isOpen else {
            throw WireError(
                .wrongValue, at: offset, in: "record format",
                continues ? "a chunk continues no record" : "a record begins before the last chunk of another")
        }
        guard !continues || (record.type.isEmpty && record.id == nil) else {
            throw WireError(.wrongValue, at: offset, in: "chunk", "only the first one has a type or an ID")
        }
        isOpen = record.isChunked
    }

    /// Ends the message with the record at `offset`.
    func finish(at offset: Int) throws(WireError) {
        guard !isOpen else {
            throw WireError(.wrongValue, at: offset, in: "chunk flag", "the message ends before the last chunk")
        }
    }
}

extension NDEFMessage {
    /// The message with each sequence of chunks joined into one record.
    ///
    /// - Throws: ``WireError`` whose offset is the index of a record, if chunks are out of order.
    public func reassembled() throws(WireError) -> NDEFMessage {
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
    /// Joins the chunks of one record, given in order and at least one.
    fileprivate init(joining chunks: [NDEFRecord]) throws(WireError) {
        let first = chunks[0]
        try self.init(
            format: first.format, type: first.type, id: first.id, payload: chunks.flatMap(\.payload),
            isLong: chunks.count == 1 && first.isLong)
    }

    /// The record cut into chunks of at most `size` payload bytes; at least one byte each.
    ///
    /// - Throws: ``WireError`` if the record is a chunk already.
    public func chunks(ofAtMost size: Int) throws(WireError) -> [NDEFRecord] {
        guard !isChunked, format != .unchanged else {
            throw WireError(.wrongValue, at: 0, in: "NDEF record", "it is a chunk already")
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
