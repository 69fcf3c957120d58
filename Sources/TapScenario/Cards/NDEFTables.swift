import TapCards
import TapDocument
import TapWire

/// The maps under `ndef`.
enum NDEFTables {
    /// The key that determines the kind of a record.
    enum Content: String, CaseIterable {
        case uri, text
        case smartPoster = "smart_poster"
        case mime, external
        case absoluteURI = "absolute_uri"
        case tnf

        fileprivate var key: Key {
            let name = rawValue
            return switch self {
            case .uri: Key(name, .verbatim, "A URI record.", synonyms: ["url", "link"])
            case .text: Key(name, .verbatim, "A text record.")
            case .smartPoster: Key(name, .map(poster), "A URI with a title.", synonyms: ["poster"])
            case .mime:
                Key(name, .text, "The media type of a record of data, such as `text/plain`.", synonyms: ["media"])
            case .external: Key(name, .text, "The type of an external record, such as `example.com:x`.")
            case .absoluteURI: Key(name, .verbatim, "A record whose type is a URI.")
            case .tnf: Key(name, .integer(0...7), "The type name format of a record with a raw type and payload.")
            }
        }

        /// The other keys that apply to such a record.
        fileprivate var company: [String] {
            switch self {
            case .text: [lang.name, encoding.name]
            case .mime, .external: [payload.name, body.name]
            case .tnf: [type.name, payload.name, body.name]
            case .uri, .smartPoster, .absoluteURI: []
            }
        }
    }

    fileprivate static let lang = TypedKey(
        "lang", .text, "The language of the text. Default: `en`.", synonyms: ["language"])
    fileprivate static let encoding = TypedKey(
        "encoding", .words(["utf-8": NDEFText.Encoding.utf8, "utf-16": .utf16]), "The encoding of the text.")
    fileprivate static let type = TypedKey("type", .text, "The type of a record with `tnf`.")
    fileprivate static let payload = TypedKey(
        "payload", .hex(0...1024), "The payload of a record with `mime`, `external` or `tnf`, in hexadecimal.",
        synonyms: ["data"])
    fileprivate static let body = TypedKey(
        "body", .text(.verbatim), "The payload as UTF-8 text.", synonyms: ["content"])
    fileprivate static let id = TypedKey("id", .text, "The ID of the record.")

    static let message = HexRule([0...1024]) { "[\(record(of: $0))]" }

    static let record = KeyTable(
        "an NDEF record",
        Content.allCases.flatMap { $0 == .text ? [$0.key, lang.key, encoding.key] : [$0.key] }
            + [type.key, payload.key, body.key, id.key],
        exactlyOne: Content.allCases.map(\.rawValue), meant: { node in node.text.map(record) })

    /// A map for a record, from its content alone.
    static func record(of content: String) -> String {
        // RFC 3986, section 3.1: a URI begins with a scheme.
        let scheme = content.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        let isURI = scheme.first?.isLetter == true && content.dropFirst(scheme.count).first == ":"
        return "{\(isURI ? "uri" : "text"): \(JSONWriter.text(.text(content)))}"
    }

    fileprivate static let uri = TypedKey(
        "uri", .text(.verbatim), "The URI of the smart poster.", isRequired: true, synonyms: ["url"])
    fileprivate static let title = TypedKey("title", .text(.verbatim), "The title of the smart poster.")
    fileprivate static let titleLang = TypedKey(
        "lang", .text, "The language of the title. Default: `en`.", synonyms: ["language"])
    fileprivate static let action = TypedKey(
        "action", .words(["perform": NDEFSmartPoster.Action.perform, "save": .save, "edit": .edit]),
        "The recommended action for the URI.")
    fileprivate static let size = TypedKey(
        "size", FieldForm<UInt32>.integer(0...Int(UInt32.max)), "The size of the resource, in bytes.")
    fileprivate static let mediaType = TypedKey("type", .text, "The media type of the resource.")

    static let poster = KeyTable(
        "a smart poster", [uri.key, title.key, titleLang.key, action.key, size.key, mediaType.key])
}

extension CardDecoder {
    /// Writes the message of the file or the template after the content that the tag was delivered with.
    mutating func addNDEF(to tag: inout NTAGDefinition, _ template: CardTemplate?) {
        let message: [UInt8]
        if let value = map[CardLanguage.ndef] {
            guard let stated = self.message(value) else { return }
            message = stated
        } else if template?.isNDEF ?? false, map[CardLanguage.preset] == nil, map[CardLanguage.image] == nil {
            guard let record = try? NDEFRecord(.uri(NDEFURI(CardTemplate.defaultURI))) else { return }
            message = NDEFMessage([record]).bytes
        } else {
            return
        }
        write(message, to: &tag)
    }

    private mutating func write(_ message: [UInt8], to tag: inout NTAGDefinition) {
        let place = value(CardLanguage.ndef.name)
        // If the capability container announces no area, use the area it announces at delivery.
        let stated = try? CapabilityContainer(parsing: tag.capabilityContainer.bytes)
        let delivered = try? CapabilityContainer(parsing: tag.product.deliveredCapabilityContainer.bytes)
        guard let container = stated?.magic == CapabilityContainer.ndefMagic ? stated : delivered else { return }
        let area = Type2DataArea(container)
        var memory = Array(repeating: UInt8(0), count: Type2DataArea.firstAddress) + tag.userMemory
        let controls = Self.controlBlocks(of: tag.product)
        let room = area.largestMessage(after: controls) ?? 0
        guard message.count <= room else {
            report(
                .impossibleCard, "the message has \(message.count) bytes, but the tag only has room for \(room)",
                at: place,
                hint: "shorten it, or use a larger tag")
            return
        }
        do {
            try area.write(controls + [try TLVBlock(.ndefMessage, message), .terminator], into: &memory)
            tag.userMemory = Array(memory.dropFirst(Type2DataArea.firstAddress))
        } catch {
            report(error, at: place)
        }
    }

    /// The control TLVs of a tag at delivery.
    private static func controlBlocks(of product: NTAGProduct) -> [TLVBlock] {
        guard product == .ntag213 else { return [] }
        let control = product.deliveredUserPages.flatMap(\.bytes).prefix(5)
        return (try? TLVBlock(parsing: Array(control))).map { [$0] } ?? []
    }

    mutating func message(_ value: ValueReader) -> [UInt8]? {
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
        typealias Keys = NDEFTables
        let id = map[Keys.id].map { Array($0.utf8) }
        let payload = map[Keys.payload] ?? map[Keys.body].map { Array($0.utf8) } ?? []
        switch choice {
        case .uri: return try NDEFRecord(.uri(NDEFURI(value.text)), id: id)
        case .text:
            let (language, encoding) = (map[Keys.lang] ?? "en", map[Keys.encoding] ?? .utf8)
            return try NDEFRecord(.text(try NDEFText(value.text, language: language, encoding: encoding)), id: id)
        case .smartPoster: return try NDEFRecord(.smartPoster(try poster(value.map)), id: id)
        case .mime: return try NDEFRecord(.media(type: value.text, payload), id: id)
        case .external: return try NDEFRecord(.external(type: value.text, payload), id: id)
        case .absoluteURI: return try NDEFRecord(.absoluteURI(value.text), id: id)
        case .tnf:
            let format = TypeNameFormat(rawValue: UInt8(clamping: value.integer)) ?? .unknown
            return try NDEFRecord(
                format: format, type: Array((map[Keys.type] ?? "").utf8), id: id, payload: payload)
        }
    }

    private func poster(_ map: MapReader) throws(WireError) -> NDEFSmartPoster {
        typealias Keys = NDEFTables
        var titles: [NDEFText] = []
        if let title = map[Keys.title] { titles = [try NDEFText(title, language: map[Keys.titleLang] ?? "en")] }
        return try NDEFSmartPoster(
            uri: NDEFURI(map.required(Keys.uri)), titles: titles, action: map[Keys.action], size: map[Keys.size],
            mediaType: map[Keys.mediaType])
    }

    /// Reports keys that do not apply to a record of this content.
    private mutating func checkKeys(of choice: NDEFTables.Content, _ map: MapReader) {
        let dependent = NDEFTables.Content.allCases.flatMap(\.company)
        for entry in map.node.entries
        where dependent.contains(entry.key.text) && !choice.company.contains(entry.key.text) {
            report(
                .misplacedKey, "`\(entry.key.text)` does not apply to a record with `\(choice.rawValue)`",
                at: .scalar(entry.key), hint: "remove it")
        }
        if map[NDEFTables.payload] != nil, map[NDEFTables.body] != nil {
            report(
                .contradiction, "both `payload` and `body` define the content of the record", at: .map(map.node),
                hint: "remove one of them")
        }
    }
}
