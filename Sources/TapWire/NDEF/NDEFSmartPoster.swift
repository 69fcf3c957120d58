/// The payload of a Smart Poster record, type `Sp`: a message with one URI and data about it.
///
/// The whole message is kept, so records of unknown types are not lost; the properties extract known records. Source: NFC
/// Forum RTD Smart Poster.
public struct NDEFSmartPoster: WireValue {
    /// The recommended action for the URI, record type `act`.
    public struct Action: Hashable, Sendable, CustomStringConvertible {
        /// Perform the action: open the page, send the message, call the number.
        package static let perform = Action(0)
        package static let save = Action(1)
        package static let edit = Action(2)

        public let rawValue: UInt8

        /// Creates an action; values other than the named ones are reserved.
        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public var description: String {
            switch self {
            case .perform: "perform"
            case .save: "save"
            case .edit: "edit"
            default: "reserved \(Hex.digits(rawValue, width: 2))"
            }
        }
    }

    public struct Icon: Hashable, Sendable {
        package var type: String
        package var data: [UInt8]

        public init(type: String, data: [UInt8]) {
            self.type = type
            self.data = data
        }
    }

    /// The types of records that occur only in a Smart Poster.
    private enum RecordType {
        static let action = Array("act".utf8)
        static let size = Array("s".utf8)
        static let mediaType = Array("t".utf8)
    }

    public var message: NDEFMessage

    public init(_ message: NDEFMessage) {
        self.message = message
    }

    /// Creates a poster with a title for each language, and the size and media type of the URI's target.
    ///
    /// - Throws: ``WireError`` if a media type is too long for a record.
    public init(
        uri: NDEFURI, titles: [NDEFText] = [], action: Action? = nil, size: UInt32? = nil, mediaType: String? = nil,
        icons: [Icon] = []
    ) throws(WireError) {
        var records = [try NDEFRecord(.uri(uri))]
        for title in titles { records.append(try NDEFRecord(.text(title))) }
        if let action {
            records.append(try NDEFRecord(format: .wellKnown, type: RecordType.action, payload: [action.rawValue]))
        }
        if let size {
            records.append(try NDEFRecord(format: .wellKnown, type: RecordType.size, payload: size.bigEndianBytes))
        }
        if let mediaType {
            records.append(
                try NDEFRecord(format: .wellKnown, type: RecordType.mediaType, payload: Array(mediaType.utf8)))
        }
        for icon in icons { records.append(try NDEFRecord(.media(type: icon.type, icon.data))) }
        self.init(NDEFMessage(records))
    }

    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        message = try NDEFMessage(parsing: bytes)
    }

    public var bytes: [UInt8] { message.bytes }
}

extension NDEFSmartPoster {
    /// The URI of the poster; throws ``WireError`` unless there is exactly one valid URI record.
    public var uri: NDEFURI {
        get throws(WireError) {
            let payloads = payloads(NDEFRecord.WellKnownType.uri)
            guard payloads.count == 1 else {
                throw WireError(
                    .wrongValue, at: 0, in: "Smart Poster", "\(payloads.count) URI records; exactly one is required")
            }
            return try NDEFURI(parsing: payloads[0])
        }
    }

    /// The titles, one for each language; throws ``WireError`` if a title is invalid.
    public var titles: [NDEFText] {
        get throws(WireError) {
            var titles: [NDEFText] = []
            for payload in payloads(NDEFRecord.WellKnownType.text) { titles.append(try NDEFText(parsing: payload)) }
            return titles
        }
    }

    /// The action for the URI, if the poster specifies one.
    public var action: Action? {
        get throws(WireError) {
            guard let payload = payloads(RecordType.action).first else { return nil }
            try WireError.requireCount(payload.count, is: 1, of: "Smart Poster action")
            return Action(payload[0])
        }
    }

    private func payloads(_ type: [UInt8]) -> [[UInt8]] {
        message.records.filter { $0.format == .wellKnown && $0.type == type }.map(\.payload)
    }
}
