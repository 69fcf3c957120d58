import TapWire

extension FaultCatalogue {
    /// NDEF messages that are not what they announce.
    static let appMessages: [FaultKind] = [
        FaultKind(
            "app.ndef_length", "The NDEF message announces more bytes than the card has.",
            models: "A writer was interrupted between length and message, or took the length of another card.",
            [FaultParameter("length", .integer(0...65_534), .integer(65_534), "The length that is announced.")],
            effect: .message { image, arguments in image.announced = arguments.integer("length") ?? 0 }),
        FaultKind(
            "app.ndef_long_form", "The NDEF message announces its length in three bytes, and some more than there are.",
            models: "Writers use the three-byte form for short messages, and count it as part of the message.",
            [FaultParameter("by", .integer(0...1_000), .integer(4), "How much more than there are.")],
            effect: .message { image, arguments in
                image.isLong = true
                image.announced = image.message.count + (arguments.integer("by") ?? 0)
            }),
        FaultKind(
            "app.ndef_truncated", "The last NDEF record ends before its payload length does.",
            models: "A message was cut to the size of a card without rebuilding its records.",
            [FaultParameter("by", .integer(1...1_000), .integer(1), "How many bytes are missing.")],
            effect: .message { image, arguments in
                image.message = image.message.dropLast(arguments.integer("by") ?? 0)
                image.announced = image.message.count
            }),
        FaultKind(
            "app.ndef_tnf", "The first NDEF record has a type name format that nobody knows.",
            models: "A tag that holds other data is read as NDEF, or a bit of the header is wrong.",
            [FaultParameter("tnf", .integer(0...7), .integer(7), "The format: 7 is reserved, 6 continues a chunk.")],
            effect: .message { image, arguments in
                image.changeByte(0) { $0 & 0xF8 | UInt8(arguments.integer("tnf") ?? 0) }
            }),
        FaultKind(
            "app.ndef_type_length", "The type of the first NDEF record is longer than the message.",
            models: "A bit of the length is wrong, or a writer counts type and payload together.",
            [FaultParameter("length", .integer(0...255), .integer(255), "The length of the type that is announced.")],
            effect: .message { image, arguments in
                image.changeByte(1) { _ in UInt8(arguments.integer("length") ?? 0) }
            }),
        FaultKind(
            "app.ndef_chunk", "The first NDEF record says that a chunk follows, and none does.",
            models: "A message in chunks was written in part.",
            effect: .message { image, _ in image.changeByte(0) { $0 | 0x20 } }),
        FaultKind(
            "app.ndef_empty", "The NDEF message has no bytes.",
            models: "A tag is formatted and not written yet, or a writer has set the length to 00 and lost the tag.",
            effect: .message { image, _ in
                image.message = []
                image.announced = 0
            }),
        FaultKind(
            "app.ndef_no_terminator", "No terminator follows the NDEF message of a Type 2 tag.",
            models: "A shorter message was written over a longer one, whose rest follows it.",
            [FaultParameter("behind", .bytes(1...1), .bytes([0xFD]), "The byte in its place.")],
            scope: .typeA,
            effect: .message { image, arguments in image.behind = arguments.bytes("behind")?.first ?? image.behind }),
    ]
}

extension FaultScope {
    /// Commands to type A cards, selected or not.
    static let typeA = FaultScope(layers: [.selection, .ntag])
}

extension NDEFImage {
    fileprivate mutating func changeByte(_ index: Int, _ change: (UInt8) -> UInt8) {
        if message.indices.contains(index) { message[index] = change(message[index]) }
    }
}
