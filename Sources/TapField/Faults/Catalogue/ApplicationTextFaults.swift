import TapWire

extension FaultCatalogue {
    /// Text records whose payload is no text.
    static let appTexts: [FaultKind] = [
        FaultKind(
            "app.text_utf8", "The text of the first Text record is no UTF-8.",
            models: "A writer stores Latin-1 or Shift JIS and says UTF-8.",
            [FaultParameter("bytes", .bytes(1...16), .bytes([0xC3, 0x28]), "The bytes with which the text begins.")],
            effect: .text { payload, arguments in
                payload[0] &= 0x7F
                let begin = min(1 + Int(payload[0] & 0x3F), payload.count)
                let bytes = arguments.bytes("bytes") ?? []
                payload = payload[..<begin] + bytes + payload[begin...].dropFirst(bytes.count)
            }),
        FaultKind(
            "app.text_language", "The language of the first Text record is longer than the record.",
            models: "A writer puts the text at once behind the status byte, whose low bits are then no length.",
            effect: .text { payload, _ in payload[0] |= 0x3F }),
        FaultKind(
            "app.text_utf16", "The first Text record is in UTF-16 and has half a code unit.",
            models: "A text was cut by bytes, or the bit that says UTF-16 is wrong.",
            effect: .text { payload, _ in
                payload[0] |= 0x80
                let length = payload.count - 1 - Int(payload[0] & 0x3F)
                if length > 0, length % 2 == 0 { payload.removeLast() }
            }),
    ]
}

extension FaultEffect {
    /// Changes the payload of the first Text record with one; other records and their order stay.
    fileprivate static func text(
        _ change: @escaping @Sendable (inout [UInt8], FaultArguments) -> Void
    ) -> FaultEffect {
        .message { image, arguments in
            guard var message = try? NDEFMessage(parsing: image.message),
                let index = message.records.firstIndex(where: \.isText)
            else { return }
            let record = message.records[index]
            var payload = record.payload
            change(&payload, arguments)
            guard
                let changed = try? NDEFRecord(format: record.format, type: record.type, id: record.id, payload: payload)
            else { return }
            message.records[index] = changed
            image.message = message.bytes
            image.announced = image.message.count
        }
    }
}

extension NDEFRecord {
    /// Whether it is a Text record with a payload.
    fileprivate var isText: Bool { format == .wellKnown && type == [UInt8(ascii: "T")] && !payload.isEmpty }
}
