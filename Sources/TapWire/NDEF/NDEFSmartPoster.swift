/// The payload of a Smart Poster record, type `Sp`: a message with one URI and what is said about it.
///
/// The message is kept whole, so records without a meaning here are not lost; the properties pick out what they name.
/// Source: NFC Forum RTD Smart Poster.
public struct NDEFSmartPoster: WireValue {
    /// What a phone should do with the URI, record type `act`.
    public struct Action: Hashable, Sendable, CustomStringConvertible {
        /// Do it: open the page, send the message, call the number.
        package static let perform = Action(0)
        package static let save = Action(1)
        package static let edit = Action(2)

        public let rawValue: UInt8

        /// Creates an action; others than the named ones are reserved.
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

    /// Types of the records that only a poster has.
    private enum RecordType {
        static let action = Array("act".utf8)
        static let size = Array("s".utf8)
        static let mediaType = Array("t".utf8)
    }

    public var message: NDEFMessage

    public init(_ message: NDEFMessage) {
        self.message = message
    }

    /// Creates a poster with a title for each language, and size and media type of what the URI names.
    ///
    /// - Throws: ``WireError`` if a media type is longer than a record can hold.
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
    /// What the poster points to; throws ``WireError`` unless there is exactly one URI record and it can be read.
    public var uri: NDEFURI {
        get throws(WireError) {
            let payloads = payloads(NDEFRecord.WellKnownType.uri)
            guard payloads.count == 1 else {
                throw WireError(.wrongValue, at: 0, in: "Smart Poster", "\(payloads.count) URI records, one is needed")
            }
            return try NDEFURI(parsing: payloads[0])
        }
    }

    /// The titles, one for each language; throws ``WireError`` if one cannot be read.
    public var titles: [NDEFText] {
        get throws(WireError) {
            var titles: [NDEFText] = []
            for payload in payloads(NDEFRecord.WellKnownType.text) { titles.append(try NDEFText(parsing: payload)) }
            return titles
        }
    }

    /// What to do with the URI, if the poster says so.
    public var action: Action? {
        get throws(WireError) {
            guard let payload = payloads(RecordType.action).first else { return nil }
            try WireError.requireCount(payload.count, is: 1, of: "Smart Poster action")
            return Action(payload[0])
        }
    }

    /// Bytes of what the URI names, if the poster says so.
    package var size: UInt32? {
        get throws(WireError) {
            guard let payload = payloads(RecordType.size).first else { return nil }
            try WireError.requireCount(payload.count, is: 4, of: "Smart Poster size")
            return payload.reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// Media type of what the URI names, if the poster says so.
    package var mediaType: String? {
        get throws(WireError) {
            guard let payload = payloads(RecordType.mediaType).first else { return nil }
            return try StrictText.utf8(payload, at: 0, in: "Smart Poster media type")
        }
    }

    /// The pictures; throws ``WireError`` if a media type is not UTF-8.
    package var icons: [Icon] {
        get throws(WireError) {
            var icons: [Icon] = []
            for record in message.records {
                if case .media(let type, let data) = try record.content { icons.append(Icon(type: type, data: data)) }
            }
            return icons
        }
    }

    private func payloads(_ type: [UInt8]) -> [[UInt8]] {
        message.records.filter { $0.format == .wellKnown && $0.type == type }.map(\.payload)
    }
}
