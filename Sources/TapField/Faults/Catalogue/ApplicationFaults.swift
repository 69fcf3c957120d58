import TapWire

extension FaultCatalogue {
    /// Valid packets whose content is malformed at the application level.
    static let app: [FaultKind] = appBytes + appMessages + appContainers + appTexts + appHistories + appPurses
}

extension FaultCatalogue {
    static let appBytes: [FaultKind] = [
        FaultKind(
            "app.bytes", "Bytes of the card that are readable without a key or password are changed.",
            models: "A different version of a writer, a clone or worn memory has left content that no reader expects.",
            [editedService, editedByte, ByteEdit.replacement, ByteEdit.difference],
            effect: .data(of: editedService) { bytes, arguments in
                ByteEdit(arguments, at: arguments[editedByte]).apply(to: &bytes)
            }),
        FaultKind(
            "app.ndef_bytes", "Bytes of an NDEF record are changed, but the message keeps its length.",
            models: "A writer miscounts type, ID and payload, or writes a short length where a long one is needed.",
            [editedRecord, editedRecordByte, headers, ByteEdit.difference],
            effect: .message { image, arguments in
                guard let record = image.place(ofRecord: arguments[editedRecord]) else { return }
                ByteEdit(arguments, at: record + arguments[editedRecordByte]).apply(to: &image.message)
            }),
    ]

    private static let editedService = FaultKey<[UInt8]?>(
        "service", .bytes(2...2),
        "The service of a FeliCa card in the usual notation, such as 090F. If omitted, the first that needs no key."
    ).preferring(freeServices).map { $0.map(NodeCode.init(saidAs:)) }
    /// In the order in which people write them.
    private static let freeServices: [[UInt8]] = {
        let known = TransitServices.all + EdyServices.all + NanacoServices.all + WAONServices.all
        let free = known.map(\.code).filter(\.attribute.isAuthenticationFree)
        return ([Type3Services.read] + free).map { [UInt8($0.rawValue >> 8), UInt8($0.rawValue & 0xFF)] }
    }()
    private static let editedByte = FaultKey(
        ByteEdit.placeName, .integer(0...ByteEdit.places.upperBound), default: 0,
        "The first changed byte, counted from 0 in block 0 of the service or in page 04 of a tag."
    ).preferring(0..<16)
    private static let editedRecord = FaultKey("record", .integer(1...16), default: 1, "The record, counted from 1.")
    private static let editedRecordByte = FaultKey(
        ByteEdit.placeName, .integer(0...ByteEdit.places.upperBound), default: 2,
        "The first changed byte: 0 contains flags and format, 1 the type length, 2 the payload length."
    ).preferring(0..<8)
    /// Replacements for the first bytes: a payload of 4 GiB, an ID that ends after the record, a type that ends after the
    /// record.
    private static let headers = ByteEdit.replacement.preferring(
        ByteEdit.bounds + [[0xC1, 0x01, 0xFF, 0xFF, 0xFF, 0xFF], [0xD9, 0x01, 0x00, 0xFF], [0xD1, 0xFF, 0x00]])
}

extension FaultCatalogue {
    static let appMessages: [FaultKind] = [
        FaultKind(
            "app.ndef_length", "The NDEF message announces more bytes than the card has.",
            models: "A writer was interrupted between length and message, or used the length of another card.",
            [announcedLength],
            effect: .message { image, arguments in image.announced = arguments[announcedLength] }),
        FaultKind(
            "app.ndef_long_form", "The NDEF message announces its length in three bytes, and more bytes than it has.",
            models: "A writer uses the three-byte form for a short message and counts it as part of the message.",
            [excess],
            effect: .message { image, arguments in
                image.isLong = true
                image.announced = image.message.count + arguments[excess]
            }),
        FaultKind(
            "app.ndef_truncated", "The last NDEF record is shorter than its payload length.",
            models: "A message was cut to the size of a card without rebuilding its records.",
            [missingBytes],
            effect: .message { image, arguments in
                image.message = image.message.dropLast(arguments[missingBytes])
                image.announced = image.message.count
            }),
        FaultKind(
            "app.ndef_tnf", "The first NDEF record has an unknown type name format.",
            models: "A tag with other data is read as NDEF, or a bit of the header is wrong.",
            [typeNameFormat],
            effect: .message { image, arguments in
                image.changeByte(0) { $0 & 0xF8 | UInt8(arguments[typeNameFormat]) }
            }),
        FaultKind(
            "app.ndef_type_length", "The type of the first NDEF record is longer than the message.",
            models: "A bit of the length is wrong, or a writer counts type and payload together.",
            [typeLength],
            effect: .message { image, arguments in
                image.changeByte(1) { _ in UInt8(arguments[typeLength]) }
            }),
        FaultKind(
            "app.ndef_chunk", "The first NDEF record announces a chunk, but none follows.",
            models: "A message in chunks was only partly written.",
            effect: .message { image, _ in image.changeByte(0) { $0 | 0x20 } }),
        FaultKind(
            "app.ndef_empty", "The NDEF message is empty.",
            models: "A tag is formatted but not written yet, or a writer set the length to 00 and then lost the tag.",
            effect: .message { image, _ in
                image.message = []
                image.announced = 0
            }),
        FaultKind(
            "app.ndef_unfinished",
            "A write of the NDEF message was not finished: a Type 2 tag has length 0, a Type 3 tag has write flag 0F.",
            models: "The user took the card away during a write.", effect: .unfinishedMessage),
        FaultKind(
            "app.ndef_no_terminator", "No terminator follows the NDEF message of a Type 2 tag.",
            models: "A shorter message was written over a longer one, and the rest of the longer one follows it.",
            [byteAfterMessage], scope: .typeA,
            effect: .message { image, arguments in image.byteAfter = arguments[byteAfterMessage] }),
    ]

    private static let announcedLength = FaultKey(
        "length", .integer(0...65_534), default: 65_534, "The announced length.")
    private static let excess = FaultKey("by", .integer(0...1_000), default: 4, "The number of excess bytes announced.")
    private static let missingBytes = FaultKey("by", .integer(1...1_000), default: 1, "The number of missing bytes.")
    private static let typeNameFormat = FaultKey(
        "tnf", .integer(0...7), default: 7, "The format: 7 is reserved, 6 continues a chunk.")
    private static let typeLength = FaultKey(
        "length", .integer(0...255), default: 255, "The announced length of the type.")
    private static let byteAfterMessage = FaultKey<UInt8>(
        "behind", .bytes(1...1), default: 0xFD, "The byte in place of the terminator.")
}

extension FaultScope {
    static let typeA = FaultScope(layers: [.selection, .ntag])
}

extension NDEFImage {
    fileprivate mutating func changeByte(_ index: Int, _ change: (UInt8) -> UInt8) {
        if message.indices.contains(index) { message[index] = change(message[index]) }
    }
}

extension FaultCatalogue {
    /// Wrong capability containers of Type 2 tags and attribute information blocks of Type 3 tags.
    static let appContainers: [FaultKind] = [
        FaultKind(
            "app.cc_magic",
            "The card is not marked as NDEF: no E1 on a Type 2 tag, a wrong checksum on a Type 3 tag.",
            models: "A tag was never formatted, or a bit of the container was set and cannot be cleared.",
            [magic],
            effect: .container(
                type2: { container, arguments in container.magic = arguments[magic] },
                type3: { block, _ in block.checksum = block.expectedChecksum &+ 1 })),
        FaultKind(
            "app.cc_version", "The card has a mapping version that readers do not know.",
            models: "A tag follows a later specification, whose layout an old reader must not guess.",
            [mappingVersion],
            effect: .container(
                type2: { container, arguments in container.version = arguments[mappingVersion] },
                type3: { block, arguments in
                    block.version = arguments[mappingVersion]
                    block.updateChecksum()
                })),
        FaultKind(
            "app.cc_size", "The card announces a wrong size.",
            models: "A clone or a writer copies the container of a larger product.",
            [size],
            effect: .container(
                type2: { container, arguments in container.size = UInt8(arguments[size]) },
                type3: { block, arguments in
                    block.blockCount = UInt16(arguments[size])
                    block.updateChecksum()
                })),
        FaultKind(
            "app.cc_read_only", "The card is marked as read-only.",
            models: "A tag was locked before it was handed out.",
            effect: .container(
                type2: { container, _ in container.writeAccess = .none },
                type3: { block, _ in
                    block.accessFlag = .readOnly
                    block.updateChecksum()
                })),
    ]

    private static let magic = FaultKey<UInt8>(
        "magic", .bytes(1...1), default: 0x00, "The first byte of the container.")
    private static let mappingVersion = FaultKey<UInt8>(
        "version", .bytes(1...1), default: 0x20, "The version, major and minor: 20 is 2.0."
    ).map { MappingVersion($0) }
    private static let size = FaultKey(
        "size", .integer(0...255), default: 255, "Units of eight bytes on a Type 2 tag, blocks on a Type 3 tag.")
}

extension FaultCatalogue {
    static let appTexts: [FaultKind] = [
        FaultKind(
            "app.uri_code", "The prefix code of the first URI record is changed.",
            models: "A writer uses a code that few readers know, or a reserved one.",
            [prefixCode], variants: [[:], ["code": .bytes([0x24])]],
            effect: .record(of: "U") { payload, arguments in payload[0] = arguments[prefixCode] }),
        FaultKind(
            "app.text_utf8", "The text of the first Text record is not valid UTF-8.",
            models: "A writer stores Latin-1 or Shift JIS but declares UTF-8.",
            [textBytes],
            effect: .record(of: "T") { payload, arguments in
                payload[0] &= 0x7F
                let begin = min(1 + Int(payload[0] & 0x3F), payload.count)
                let bytes = arguments[textBytes]
                payload = payload[..<begin] + bytes + payload[begin...].dropFirst(bytes.count)
            }),
        FaultKind(
            "app.text_language", "The language code of the first Text record is longer than the record.",
            models: "A writer puts the text right after the status byte, whose low bits then are not a length.",
            effect: .record(of: "T") { payload, _ in payload[0] |= 0x3F }),
        FaultKind(
            "app.text_utf16", "The first Text record is in UTF-16 and ends with half a code unit.",
            models: "A text was truncated by bytes, or the UTF-16 bit is wrong.",
            effect: .record(of: "T") { payload, _ in
                payload[0] |= 0x80
                let length = payload.count - 1 - Int(payload[0] & 0x3F)
                if length > 0, length % 2 == 0 { payload.removeLast() }
            }),
    ]

    private static let prefixCode = FaultKey<UInt8>(
        "code", .bytes(1...1), default: 0x1D, "The code: 1D is `file://`, 24 to FF are reserved.")
    private static let textBytes = FaultKey(
        "bytes", .bytes(1...16), default: [0xC3, 0x28], "The first bytes of the text.")
}

extension FaultEffect {
    /// Changes the payload of the first record of a well-known type; everything else is unchanged.
    fileprivate static func record(
        of type: Unicode.Scalar, _ change: @escaping @Sendable (inout [UInt8], FaultArguments) -> Void
    ) -> FaultEffect {
        .message { image, arguments in
            guard var message = try? NDEFMessage(parsing: image.message),
                let index = message.records.firstIndex(where: { $0.is(UInt8(ascii: type)) })
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
    fileprivate func `is`(_ letter: UInt8) -> Bool { format == .wellKnown && type == [letter] && !payload.isEmpty }
}
