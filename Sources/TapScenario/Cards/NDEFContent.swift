import TapCards
import TapDocument
import TapWire

/// The maps below `ndef`.
enum NDEFTables {
    /// The key that says what a record is.
    enum Content: String, CaseIterable {
        case uri, text, mime, external, tnf
        case smartPoster = "smart_poster"
        case absoluteURI = "absolute_uri"
    }

    /// How a text is written in bytes.
    enum Encoding: String, CaseIterable {
        case utf8 = "utf-8"
        case utf16 = "utf-16"
    }

    /// What a phone should do with the URI of a smart poster.
    enum Action: String, CaseIterable {
        case perform, save, edit
    }

    /// A whole message in hexadecimal.
    static let message = HexRule([0...1024]) { "[\(record(of: $0))]" }

    static let record = KeyTable(
        "an NDEF record",
        [
            Key("uri", .verbatim, "A URI record.", synonyms: ["url", "link"]),
            Key("text", .verbatim, "A text record."),
            Key("lang", .text, "The language of the text, `en` by default.", synonyms: ["language"]),
            Key("encoding", .word(Encoding.self), "How the text is written in bytes."),
            Key("smart_poster", .map(poster), "A URI with a title.", synonyms: ["poster"]),
            Key("mime", .text, "The media type of a record of data, such as `text/plain`.", synonyms: ["media"]),
            Key("external", .text, "The type of an external record, such as `example.com:x`."),
            Key("absolute_uri", .verbatim, "A record whose type is a URI."),
            Key("tnf", .integer(0...7), "The type name format of a record that is written as it is."),
            Key("type", .text, "The type of such a record."),
            Key(
                "payload", .hex(0...1024), "The bytes of a record that says mime, external or tnf.", synonyms: ["data"]),
            Key("body", .verbatim, "The same as UTF-8 text.", synonyms: ["content"]),
            Key("id", .text, "The ID of the record."),
        ], exactlyOne: ["uri", "text", "smart_poster", "mime", "external", "absolute_uri", "tnf"],
        meant: { node in node.text.map(record) })

    /// A record as a map for its content alone.
    static func record(of content: String) -> String {
        // RFC 3986, section 3.1: a URI begins with a scheme.
        let scheme = content.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        let isURI = scheme.first?.isLetter == true && content.dropFirst(scheme.count).first == ":"
        return "{\(isURI ? "uri" : "text"): \(JSONWriter.text(.text(content)))}"
    }

    static let poster = KeyTable(
        "a smart poster",
        [
            Key("uri", .verbatim, "What it points to.", isRequired: true, synonyms: ["url"]),
            Key("title", .verbatim, "Its title."),
            Key("lang", .text, "The language of the title, `en` by default.", synonyms: ["language"]),
            Key("action", .word(Action.self), "What to do with the URI."),
            Key("size", .integer(0...Int(UInt32.max)), "Bytes of what the URI names."),
            Key("type", .text, "Media type of what the URI names."),
        ])
}

extension CardDecoder {
    /// Writes the message that the file or the template has behind what the tag was delivered with.
    mutating func addNDEF(to tag: inout NTAGDefinition, _ template: CardTemplate?) {
        let message: [UInt8]
        if let value = map["ndef"] {
            guard let stated = self.message(value) else { return }
            message = stated
        } else if template == .ndef, map["preset"] == nil, map["image"] == nil {
            guard let record = try? NDEFRecord(.uri(NDEFURI(CardTemplate.defaultURI))) else { return }
            message = NDEFMessage([record]).bytes
        } else {
            return
        }
        write(message, to: &tag)
    }

    private mutating func write(_ message: [UInt8], to tag: inout NTAGDefinition) {
        let place = value("ndef")
        // A tag whose capability container announces no area is written as if it announced its own.
        let stated = try? CapabilityContainer(parsing: tag.capabilityContainer.bytes)
        let delivered = try? CapabilityContainer(parsing: tag.product.deliveredCapabilityContainer.bytes)
        guard let container = stated?.magic == CapabilityContainer.ndefMagic ? stated : delivered else { return }
        let area = Type2DataArea(container)
        var memory = Array(repeating: UInt8(0), count: Type2DataArea.firstAddress) + tag.userMemory
        let controls = Self.controlBlocks(of: tag.product)
        let room = area.largestMessage(behind: controls) ?? 0
        guard message.count <= room else {
            report(
                .impossibleCard, "the message has \(message.count) bytes and the tag has room for \(room)", at: place,
                hint: "shorten it, or take a larger tag")
            return
        }
        do {
            try area.write(controls + [try TLVBlock(.ndefMessage, message), .terminator], into: &memory)
            tag.userMemory = Array(memory.dropFirst(Type2DataArea.firstAddress))
        } catch {
            report(error, at: place)
        }
    }

    /// The control TLVs that a tag has at delivery.
    private static func controlBlocks(of product: NTAGProduct) -> [TLVBlock] {
        guard product == .ntag213 else { return [] }
        let control = product.deliveredUserPages.flatMap(\.bytes).prefix(5)
        return (try? TLVBlock(parsing: Array(control))).map { [$0] } ?? []
    }

    private mutating func message(_ value: ValueReader) -> [UInt8]? {
        if value.kind == .scalar { return value.bytes }
        var records: [NDEFRecord] = []
        for item in value.items {
            do throws(WireError) {
                records.append(try record(item.map))
            } catch {
                report(error, at: item.node)
            }
        }
        return isClean ? NDEFMessage(records).bytes : nil
    }

    private mutating func record(_ map: MapReader) throws(WireError) -> NDEFRecord {
        let (choice, value) = map.chosen(as: NDEFTables.Content.self)
        checkKeys(of: choice, map)
        let id = map["id"].map { Array($0.text.utf8) }
        let payload = map["payload"]?.bytes ?? map["body"].map { Array($0.text.utf8) } ?? []
        switch choice {
        case .uri: return try NDEFRecord(.uri(NDEFURI(value.text)), id: id)
        case .text:
            let encoding = map["encoding"]?.word(as: NDEFTables.Encoding.self) == .utf16
            let language = map["lang"]?.text ?? "en"
            return try NDEFRecord(
                .text(try NDEFText(value.text, language: language, encoding: encoding ? .utf16 : .utf8)), id: id)
        case .smartPoster: return try NDEFRecord(.smartPoster(try poster(value.map)), id: id)
        case .mime: return try NDEFRecord(.media(type: value.text, payload), id: id)
        case .external: return try NDEFRecord(.external(type: value.text, payload), id: id)
        case .absoluteURI: return try NDEFRecord(.absoluteURI(value.text), id: id)
        case .tnf:
            let format = TypeNameFormat(rawValue: UInt8(clamping: value.integer)) ?? .unknown
            return try NDEFRecord(
                format: format, type: Array((map["type"]?.text ?? "").utf8), id: id, payload: payload)
        }
    }

    private func poster(_ map: MapReader) throws(WireError) -> NDEFSmartPoster {
        var titles: [NDEFText] = []
        if let title = map["title"] { titles = [try NDEFText(title.text, language: map["lang"]?.text ?? "en")] }
        let action: NDEFSmartPoster.Action? =
            switch map["action"]?.word(as: NDEFTables.Action.self) {
            case .perform: .perform
            case .save: .save
            case .edit: .edit
            case nil: nil
            }
        return try NDEFSmartPoster(
            uri: NDEFURI(map.required("uri").text), titles: titles, action: action,
            size: map["size"].map { UInt32(clamping: $0.integer) }, mediaType: map["type"]?.text)
    }

    /// Refuses keys that say nothing about a record of this content.
    private mutating func checkKeys(of choice: NDEFTables.Content, _ map: MapReader) {
        let own: [String] =
            switch choice {
            case .text: ["lang", "encoding"]
            case .mime, .external: ["payload", "body"]
            case .tnf: ["type", "payload", "body"]
            case .uri, .smartPoster, .absoluteURI: []
            }
        for entry in map.node.entries
        where ["lang", "encoding", "payload", "body", "type"].contains(entry.key.text) && !own.contains(entry.key.text)
        {
            report(
                .misplacedKey, "`\(entry.key.text)` says nothing about a record of `\(choice.rawValue)`",
                at: .scalar(entry.key), hint: "leave it out")
        }
        if map["payload"] != nil, map["body"] != nil {
            report(
                .contradiction, "`payload` and `body` both say what the record holds", at: .map(map.node),
                hint: "keep one of them")
        }
    }
}
