#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapWire

    /// An NDEF message: a sequence of records.
    ///
    /// Source: Core NFC, NFCNDEFMessage.
    open class NFCNDEFMessage: NSObject, NSSecureCoding {
        /// The maximum length of a message, 128 KB.
        ///
        /// Source: Core NFC, NFCNDEFMessage.
        static let maximumLength = 128 * 1024

        /// The records.
        open var records: [NFCNDEFPayload]

        /// The number of bytes of the message as a tag stores it, without the TLV around it; 0 if it has no records, or if a
        /// part of a record is too long to be stored.
        open var length: Int { (try? wire().bytes.count) ?? 0 }

        /// Not for apps: a message needs its records.
        @available(*, unavailable)
        public override init() {
            records = []
        }

        /// Creates a message; a message without records is that of an erased tag.
        public init(records: [NFCNDEFPayload]) {
            self.records = records
        }

        /// Parses a message as a tag stores it, without the TLV around it, and joins chunks.
        ///
        /// Returns `nil` if the bytes are not exactly one message, or more than 128 KB.
        public convenience init?(data: Data) {
            guard !data.isEmpty, data.count <= Self.maximumLength,
                let message = try? NDEFMessage(parsing: Array(data)), let payloads = try? Self.payloads(of: message)
            else { return nil }
            self.init(records: payloads)
        }

        public static var supportsSecureCoding: Bool { true }

        open func encode(with coder: NSCoder) {
            coder.encode(records as NSArray, forKey: "records")
        }

        public required init?(coder: NSCoder) {
            guard
                let records = coder.decodeObject(of: [NSArray.self, NFCNDEFPayload.self], forKey: "records")
                    as? [NFCNDEFPayload]
            else { return nil }
            self.records = records
        }
    }

    extension NFCNDEFMessage {
        /// Creates a message that was read from a tag, with its chunks joined.
        ///
        /// - Throws: ``WireError`` if chunks are out of order.
        convenience init(_ message: NDEFMessage) throws(WireError) {
            self.init(records: try Self.payloads(of: message))
        }

        /// Returns the message as it is stored.
        ///
        /// - Throws: ``WireError`` if a part of a record is too long, or if records that are chunks are out of order.
        func wire() throws(WireError) -> NDEFMessage {
            var wireRecords: [NDEFRecord] = []
            for record in records { wireRecords += try record.wireRecords() }
            return NDEFMessage(wireRecords)
        }

        /// Returns the records with their chunks joined; each remembers how it was split.
        private static func payloads(of message: NDEFMessage) throws(WireError) -> [NFCNDEFPayload] {
            let firsts = message.records.filter { $0.format != .unchanged }
            let whole = try message.reassembled().records
            return zip(firsts, whole).map { first, record in
                NFCNDEFPayload(record, chunkSize: first.isChunked ? first.payload.count : 0)
            }
        }
    }

    /// A record of an NDEF message.
    ///
    /// Source: Core NFC, NFCNDEFPayload.
    open class NFCNDEFPayload: NSObject, NSSecureCoding {
        /// The format of the type.
        open var typeNameFormat: NFCTypeNameFormat

        /// The type, at most 255 bytes.
        open var type: Data

        /// The identifier, at most 255 bytes; empty if there is none.
        open var identifier: Data

        open var payload: Data

        /// The maximum number of payload bytes in a chunk; 0 for a record in one piece.
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

        /// Creates a URI record, even from text that `URL` rejects, such as ä.
        ///
        /// - Returns: The record; `nil` for an empty text, and for a subclass, which has no such initialiser.
        open class func wellKnownTypeURIPayload(string uri: String) -> Self? {
            guard !uri.isEmpty else { return nil }
            return wellKnown(NDEFRecord.WellKnownType.uri, NDEFURI(uri).bytes)
        }

        /// Creates a URI record with the shortest possible encoding.
        open class func wellKnownTypeURIPayload(url: URL) -> Self? {
            wellKnownTypeURIPayload(string: url.absoluteString)
        }

        /// Creates a text record in UTF-8 with the language of the locale.
        ///
        /// - Returns: The record; `nil` for a locale without a language, and for a subclass, which has no such initialiser.
        open class func wellKnownTypeTextPayload(string text: String, locale: Locale) -> Self? {
            guard
                let language = locale.language.languageCode?.identifier,
                let content = try? NDEFText(text, language: language)
            else { return nil }
            return wellKnown(NDEFRecord.WellKnownType.text, content.bytes)
        }

        /// Creates a text record, under the misspelt name of the first beta of iOS 13.
        @available(*, deprecated, renamed: "wellKnownTypeTextPayload(string:locale:)")
        open class func wellKnowTypeTextPayload(string text: String, locale: Locale) -> Self? {
            wellKnownTypeTextPayload(string: text, locale: locale)
        }

        /// Returns the URI of a URI record; `nil` for another record, and for a URI that `URL` rejects.
        open func wellKnownTypeURIPayload() -> URL? {
            guard let payload = wellKnownPayload(NDEFRecord.WellKnownType.uri), let uri = try? NDEFURI(parsing: payload)
            else { return nil }
            return URL(string: uri.description)
        }

        public static var supportsSecureCoding: Bool { true }

        open func encode(with coder: NSCoder) {
            coder.encode(Int(typeNameFormat.rawValue), forKey: "format")
            coder.encode(type as NSData, forKey: "recordType")
            coder.encode(identifier as NSData, forKey: "recordID")
            coder.encode(payload as NSData, forKey: "recordPayload")
            coder.encode(chunkSize, forKey: "chunk")
        }

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
        /// Creates a record from a message, with its chunks joined.
        ///
        /// - Parameters:
        ///   - record: The record, in one piece.
        ///   - chunkSize: The number of payload bytes in its first chunk; 0 if it has none.
        convenience init(_ record: NDEFRecord, chunkSize: Int = 0) {
            self.init(
                format: NFCTypeNameFormat(record.format), type: Data(record.type), identifier: Data(record.id ?? []),
                payload: Data(record.payload), chunkSize: chunkSize)
        }

        /// Returns the record as it is stored, in its chunks.
        ///
        /// - Throws: ``WireError`` if type or identifier are too long, or if the record is itself a chunk and has to be
        ///   split.
        func wireRecords() throws(WireError) -> [NDEFRecord] {
            let record = try NDEFRecord(
                format: typeNameFormat.wire, type: Array(type), id: identifier.isEmpty ? nil : Array(identifier),
                payload: Array(payload))
            return chunkSize > 0 ? try record.chunks(ofAtMost: chunkSize) : [record]
        }
    }

    extension NFCNDEFPayload {
        /// Creates a well-known record; `nil` for a subclass, which has no such initialiser.
        class func wellKnown(_ type: [UInt8], _ payload: [UInt8]) -> Self? {
            NFCNDEFPayload(format: .nfcWellKnown, type: Data(type), identifier: Data(), payload: Data(payload)) as? Self
        }

        /// Returns the text and language of a text record; `(nil, nil)` for another record.
        public func wellKnownTypeTextPayload() -> (String?, Locale?) {
            guard let payload = wellKnownPayload(NDEFRecord.WellKnownType.text),
                let text = try? NDEFText(parsing: payload)
            else { return (nil, nil) }
            return (text.text, Locale(identifier: text.language))
        }

        /// Returns the payload if the record is well-known and has the expected type.
        func wellKnownPayload(_ expectedType: [UInt8]) -> [UInt8]? {
            typeNameFormat == .nfcWellKnown && Array(type) == expectedType ? Array(payload) : nil
        }
    }

    /// The format of the type of a record.
    ///
    /// Source: Core NFC, NFCTypeNameFormat; NFC Forum NDEF, "TNF".
    public enum NFCTypeNameFormat: UInt8, Sendable {
        /// No type, no identifier, no payload.
        case empty = 0
        /// A type of the NFC Forum, such as `U` or `T`.
        case nfcWellKnown = 1
        /// A media type, such as `text/plain`.
        case media = 2
        /// The type is a URI.
        case absoluteURI = 3
        /// A type named by a domain, such as `example.com:x`.
        case nfcExternal = 4
        /// A payload without a type.
        case unknown = 5
        /// A chunk that continues the previous record.
        case unchanged = 6

        /// The reserved format becomes unknown.
        init(_ format: TypeNameFormat) {
            self = NFCTypeNameFormat(rawValue: format.rawValue) ?? .unknown
        }

        var wire: TypeNameFormat { TypeNameFormat(rawValue: rawValue) ?? .unknown }
    }

    #if !canImport(ObjectiveC)
        /// An activity for an app to continue, such as a tag that was read while the app was not running.
        ///
        /// Foundation on Linux has no such class; tests create it. Source: Foundation, NSUserActivity.
        open class NSUserActivity: NSObject {
            /// The type, such as ``NSUserActivityTypeBrowsingWeb``.
            public let activityType: String

            open var title: String?

            open var userInfo: [AnyHashable: Any]?

            open var webpageURL: URL?

            private var message = NFCNDEFMessage(records: [])

            public init(activityType: String) {
                self.activityType = activityType
            }

            /// Creates the activity that an app gets when a tag is read in the background.
            public convenience init(activityType: String, ndefMessagePayload: NFCNDEFMessage) {
                self.init(activityType: activityType)
                message = ndefMessagePayload
            }

            /// The message of the tag that was read; if there was no tag, a message without records.
            open var ndefMessagePayload: NFCNDEFMessage { message }
        }

        /// The type of an activity that opens a page, or comes from a tag read in the background.
        public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
    #else
        extension NSUserActivity {
            /// A message without records: no tag is read in the background here.
            @objc open var ndefMessagePayload: NFCNDEFMessage { NFCNDEFMessage(records: []) }
        }
    #endif
#endif
