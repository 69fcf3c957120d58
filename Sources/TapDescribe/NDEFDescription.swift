import TapWire

/// The meaning of an NDEF message, record by record.
package enum NDEFDescription {
    /// The maximum number of bytes shown of a payload without text.
    private static let mostBytes = 64

    /// Returns the records in words: the kind and the contents of each.
    package static func records(_ message: NDEFMessage) -> [FrameDescription.Detail] {
        message.records.map { record in
            let (name, text) = words(record)
            return .init(name: name, meaning: PrintableText.line(text))
        }
    }

    /// Returns the message in memory of a type 2 tag that was read from a page on; `nil` if it is incomplete.
    ///
    /// - Returns: The message and the address of its TLV.
    package static func message(
        inPages pages: [UInt8], from page: UInt8
    ) -> (message: NDEFMessage, address: Int)? {
        let start = Int(page) * PageData.byteCount
        guard start <= Type2DataArea.firstAddress else { return nil }
        let memory = [UInt8](repeating: 0, count: start) + pages
        guard memory.count > Type2DataArea.firstAddress else { return nil }
        let area = Type2DataArea(Type2DataArea.firstAddress..<memory.count)
        guard let placed = try? area.ndefMessageBlock(in: memory),
            let message = try? NDEFMessage(parsing: placed.block.value)
        else { return nil }
        return (message, placed.address)
    }

    /// Returns the message at the beginning of blocks of a type 3 tag; zeros follow it.
    static func message(inBlocks bytes: [UInt8]) -> NDEFMessage? {
        guard let end = bytes.lastIndex(where: { $0 != 0 }) else { return nil }
        // A payload may end with zeros, too.
        for count in end + 1...min(bytes.count, end + BlockData.byteCount) {
            if let message = try? NDEFMessage(parsing: Array(bytes.prefix(count))) { return message }
        }
        return nil
    }

    private static func words(_ record: NDEFRecord) -> (name: String, text: String) {
        let content: NDEFRecord.Content
        do {
            content = try record.content
        } catch {
            return ("NDEF record, malformed", "\(error)")
        }
        switch content {
        case .empty: return ("empty NDEF record", "")
        case .uri(let uri): return ("NDEF URI", "\(uri)")
        case .text(let text): return ("NDEF text, \(text.language)", text.text)
        case .smartPoster(let poster): return ("NDEF smart poster", words(poster))
        case .media(let type, let data): return ("NDEF data, \(type)", type.hasPrefix("text/") ? text(data) : hex(data))
        case .absoluteURI(let uri): return ("NDEF absolute URI", uri)
        case .external(let type, let data): return ("NDEF data, external type \(type)", hex(data))
        case .unknown(let data): return ("NDEF data without a type", hex(data))
        case .other(let record):
            return (record.isChunked ? "chunk of an NDEF record" : "NDEF record of another type", hex(record.payload))
        }
    }

    private static func words(_ poster: NDEFSmartPoster) -> String {
        let uri = (try? poster.uri).map { "\($0)" } ?? "no readable URI"
        let titles = ((try? poster.titles) ?? []).map { "\($0.text) (\($0.language))" }
        return ([uri] + titles).joined(separator: "; ")
    }

    private static func text(_ data: [UInt8]) -> String { String(decoding: data, as: UTF8.self) }

    private static func hex(_ data: [UInt8]) -> String {
        Hex.text(data.prefix(mostBytes)) + (data.count > mostBytes ? "… \(CountText.of(data.count, "byte"))" : "")
    }
}

extension FrameReading {
    /// Interprets bytes as an NDEF message without the surrounding tag, alone or in its TLV.
    static func ndef(_ bytes: [UInt8]) -> [FrameReading] {
        if let first = bytes.first, first & 0x80 != 0, let message = try? NDEFMessage(parsing: bytes) {
            let reason = "records that begin and end a message, and lengths that fit"
            return [reading(message, bytes, header: 0, reason)]
        }
        guard bytes.first == TLVType.ndefMessage.rawValue,
            let (message, _) = NDEFDescription.message(inPages: bytes, from: 4), !message.records.isEmpty
        else { return [] }
        let header = bytes.count > 1 && bytes[1] == 0xFF ? 4 : 2
        return [reading(message, bytes, header: header, "an NDEF message TLV whose length fits")]
    }

    private static func reading(_ message: NDEFMessage, _ bytes: [UInt8], header: Int, _ reason: String) -> FrameReading
    {
        var walk = FrameWalk(host: bytes)
        walk.append("TLV", bitCount: header * 8, meaning: "an NDEF message")
        for (place, detail) in NDEFDescription.records(message).enumerated() {
            let isFirst = place == 0, isLast = place == message.records.count - 1
            let count = message.records[place].bytes(beginsMessage: isFirst, endsMessage: isLast).count
            walk.append("record \(place + 1)", bitCount: count * 8, meaning: "\(detail.name): \(detail.meaning)")
        }
        walk.append("after the message", bitCount: walk.bitsLeft)
        let line = walk.fields.filter { $0.name.hasPrefix("record") }.map(\.meaning).joined(separator: ", ")
        let description = FrameDescription("NDEF message", nil, walk, line: line)
        return FrameReading(
            .ndef, RFFrame(.typeA106, bytes), isCommand: false, [reason], description,
            weight: Weight.rightCRC + Weight.nothingWrong)
    }
}
