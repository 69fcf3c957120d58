#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapWire

    /// A record of an NDEF message.
    ///
    /// Source: Core NFC, NFCNDEFPayload.
    open class NFCNDEFPayload: NSObject, NSSecureCoding {
        /// How the type is to be read.
        open var typeNameFormat: NFCTypeNameFormat

        /// The type, at most 255 bytes.
        open var type: Data

        /// The identifier, at most 255 bytes; empty for none.
        open var identifier: Data

        /// The payload.
        open var payload: Data

        /// Most payload bytes of a chunk; 0 for a record in one piece.
        let chunkSize: Int

        /// Not for apps: a record needs its parts.
        @available(*, unavailable)
        public override init() {
            (typeNameFormat, type, identifier, payload, chunkSize) = (.empty, Data(), Data(), Data(), 0)
        }

        /// Creates a record in one piece.
        public init(format: NFCTypeNameFormat, type: Data, identifier: Data, payload: Data) {
            (typeNameFormat, self.type, self.identifier, self.payload, chunkSize) = (
                format, type, identifier, payload, 0
            )
        }

        /// Creates a record that is stored in chunks of at most `chunkSize` payload bytes; 0 for one piece.
        public init(format: NFCTypeNameFormat, type: Data, identifier: Data, payload: Data, chunkSize: Int) {
            (typeNameFormat, self.type, self.identifier, self.payload) = (format, type, identifier, payload)
            self.chunkSize = max(0, chunkSize)
        }

        /// Creates a URI record; for what `URL` refuses, such as ä.
        ///
        /// - Returns: Nothing for an empty text, and for a subclass, which has no such initialiser.
        open class func wellKnownTypeURIPayload(string uri: String) -> Self? {
            guard !uri.isEmpty else { return nil }
            return wellKnown(NDEFRecord.WellKnownType.uri, NDEFURI(uri).bytes)
        }

        /// Creates a URI record with the shortest prefix code there is.
        open class func wellKnownTypeURIPayload(url: URL) -> Self? {
            wellKnownTypeURIPayload(string: url.absoluteString)
        }

        /// Creates a text record in UTF-8 with the language of the locale.
        ///
        /// - Returns: Nothing for a locale without a language, and for a subclass, which has no such initialiser.
        open class func wellKnownTypeTextPayload(string text: String, locale: Locale) -> Self? {
            guard
                let language = locale.language.languageCode?.identifier,
                let content = try? NDEFText(text, language: language)
            else { return nil }
            return wellKnown(NDEFRecord.WellKnownType.text, content.bytes)
        }

        /// Creates a text record, by the misspelt name of the first beta of iOS 13.
        @available(*, deprecated, renamed: "wellKnownTypeTextPayload(string:locale:)")
        open class func wellKnowTypeTextPayload(string text: String, locale: Locale) -> Self? {
            wellKnownTypeTextPayload(string: text, locale: locale)
        }

        /// The URI of a URI record; nothing for another record, and for what `URL` refuses.
        open func wellKnownTypeURIPayload() -> URL? {
            guard let payload = wellKnownPayload(NDEFRecord.WellKnownType.uri), let uri = try? NDEFURI(parsing: payload)
            else { return nil }
            return URL(string: uri.description)
        }

        /// `true`: a record can be archived.
        public static var supportsSecureCoding: Bool { true }

        /// Archives the record.
        open func encode(with coder: NSCoder) {
            coder.encode(Int(typeNameFormat.rawValue), forKey: "format")
            coder.encode(type as NSData, forKey: "recordType")
            coder.encode(identifier as NSData, forKey: "recordID")
            coder.encode(payload as NSData, forKey: "recordPayload")
            coder.encode(chunkSize, forKey: "chunk")
        }

        /// Reads a record from an archive; nothing if the archive holds another thing.
        public required init?(coder: NSCoder) {
            guard
                let rawFormat = UInt8(exactly: coder.decodeInteger(forKey: "format")),
                let format = NFCTypeNameFormat(rawValue: rawFormat),
                let type = coder.decodeObject(of: NSData.self, forKey: "recordType"),
                let identifier = coder.decodeObject(of: NSData.self, forKey: "recordID"),
                let payload = coder.decodeObject(of: NSData.self, forKey: "recordPayload")
            else { return nil }
            typeNameFormat = format
            (self.type, self.identifier, self.payload) = (type as Data, identifier as Data, payload as Data)
            chunkSize = max(0, coder.decodeInteger(forKey: "chunk"))
        }
    }

    extension NFCNDEFPayload {
        /// Creates the record that stands in a message, with its chunks joined.
        ///
        /// - Parameters:
        ///   - record: The record, in one piece.
        ///   - chunkSize: Payload bytes of its first chunk; 0 if it has none.
        convenience init(_ record: NDEFRecord, chunkSize: Int = 0) {
            self.init(
                format: NFCTypeNameFormat(record.format), type: Data(record.type), identifier: Data(record.id ?? []),
                payload: Data(record.payload), chunkSize: chunkSize)
        }

        /// The record as it is stored, in its chunks.
        ///
        /// - Throws: ``WireError`` if type or identifier are too long, or the record is a chunk itself and to be cut.
        func wireRecords() throws(WireError) -> [NDEFRecord] {
            let record = try NDEFRecord(
                format: typeNameFormat.wire, type: Array(type), id: identifier.isEmpty ? nil : Array(identifier),
                payload: Array(payload))
            return chunkSize > 0 ? try record.chunks(ofAtMost: chunkSize) : [record]
        }
    }
#endif
