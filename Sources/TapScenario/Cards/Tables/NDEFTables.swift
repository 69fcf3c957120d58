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
