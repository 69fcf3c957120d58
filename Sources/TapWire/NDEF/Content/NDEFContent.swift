extension NDEFRecord {
    /// What a record says, by its format and type.
    public enum Content: Hashable, Sendable {
        case empty
        /// A URI, well-known type `U`.
        case uri(NDEFURI)
        /// A text, well-known type `T`.
        case text(NDEFText)
        /// A URI with a title and more, well-known type `Sp`.
        case smartPoster(NDEFSmartPoster)
        /// Data of a media type, such as `text/plain`.
        case media(type: String, [UInt8])
        /// A URI that stands in the type field.
        case absoluteURI(String)
        /// Data of a type named by a domain, such as `example.com:x`.
        case external(type: String, [UInt8])
        /// Data without a type.
        case unknown([UInt8])
        /// Anything else: another well-known type, a chunk, a reserved format, or parts the format does not allow.
        case other(NDEFRecord)
    }

    /// Types the NFC Forum defines.
    public enum WellKnownType {
        /// A URI.
        public static let uri = Array("U".utf8)
        /// A text.
        public static let text = Array("T".utf8)
        /// A smart poster.
        public static let smartPoster = Array("Sp".utf8)
    }

    /// What the record says.
    ///
    /// Converting back gives the same record but for its ID and the form of its payload length.
    ///
    /// - Throws: ``WireError`` if the payload or the type is not as the content needs it.
    public var content: Content {
        get throws(WireError) {
            if isChunked { return .other(self) }
            switch format {
            case .empty where type.isEmpty && payload.isEmpty: return .empty
            case .wellKnown: return try wellKnownContent()
            case .media: return .media(type: try typeText("media type"), payload)
            case .absoluteURI where payload.isEmpty: return .absoluteURI(try typeText("absolute URI"))
            case .external: return .external(type: try typeText("external type"), payload)
            case .unknown where type.isEmpty: return .unknown(payload)
            case .empty, .absoluteURI, .unknown, .unchanged, .reserved: return .other(self)
            }
        }
    }

    private func wellKnownContent() throws(WireError) -> Content {
        switch type {
        case WellKnownType.uri: .uri(try NDEFURI(parsing: payload))
        case WellKnownType.text: .text(try NDEFText(parsing: payload))
        case WellKnownType.smartPoster: .smartPoster(try NDEFSmartPoster(parsing: payload))
        default: .other(self)
        }
    }

    private func typeText(_ name: String) throws(WireError) -> String {
        try StrictText.utf8(type, at: 0, in: name)
    }

    /// Creates the record that says something.
    ///
    /// - Parameters:
    ///   - content: What it says.
    ///   - id: Its ID; ``Content/other(_:)`` keeps its own.
    /// - Throws: ``WireError`` if a type is longer than a record can hold.
    public init(_ content: Content, id: [UInt8]? = nil) throws(WireError) {
        switch content {
        case .empty: try self.init(format: .empty, id: id)
        case .uri(let uri): try self.init(format: .wellKnown, type: WellKnownType.uri, id: id, payload: uri.bytes)
        case .text(let text): try self.init(format: .wellKnown, type: WellKnownType.text, id: id, payload: text.bytes)
        case .smartPoster(let poster):
            try self.init(format: .wellKnown, type: WellKnownType.smartPoster, id: id, payload: poster.bytes)
        case .media(let type, let data): try self.init(format: .media, type: Array(type.utf8), id: id, payload: data)
        case .absoluteURI(let uri): try self.init(format: .absoluteURI, type: Array(uri.utf8), id: id)
        case .external(let type, let data):
            try self.init(format: .external, type: Array(type.utf8), id: id, payload: data)
        case .unknown(let data): try self.init(format: .unknown, id: id, payload: data)
        case .other(let record): self = record
        }
    }
}
