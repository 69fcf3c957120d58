#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapWire

    /// An NDEF message: records one after the other.
    ///
    /// Source: Core NFC, NFCNDEFMessage.
    open class NFCNDEFMessage: NSObject, NSSecureCoding {
        /// Longest message, 128 KB.
        ///
        /// Source: Core NFC, NFCNDEFMessage.
        static let maximumLength = 128 * 1024

        /// The records.
        open var records: [NFCNDEFPayload]

        /// Bytes of the message as a tag stores it, without the TLV around it; 0 without records, and where a record has
        /// parts too long to be stored.
        open var length: Int { (try? wire().bytes.count) ?? 0 }

        /// Not for apps: a message has its records.
        @available(*, unavailable)
        public override init() {
            records = []
        }

        /// Creates a message; without records it is the one that an erased tag has.
        public init(records: [NFCNDEFPayload]) {
            self.records = records
        }

        /// Reads a message as a tag stores it, without the TLV around it; chunks are joined.
        ///
        /// Nothing if the bytes are not exactly one message, or more than 128 KB.
        public convenience init?(data: Data) {
            guard !data.isEmpty, data.count <= Self.maximumLength,
                let message = try? NDEFMessage(parsing: Array(data)), let payloads = try? Self.payloads(of: message)
            else { return nil }
            self.init(records: payloads)
        }

        /// `true`: a message can be archived.
        public static var supportsSecureCoding: Bool { true }

        /// Archives the message.
        open func encode(with coder: NSCoder) {
            coder.encode(records as NSArray, forKey: "records")
        }

        /// Reads a message from an archive; nothing if the archive holds another thing.
        public required init?(coder: NSCoder) {
            guard
                let records = coder.decodeObject(of: [NSArray.self, NFCNDEFPayload.self], forKey: "records")
                    as? [NFCNDEFPayload]
            else { return nil }
            self.records = records
        }
    }

    extension NFCNDEFMessage {
        /// Creates the message that was read from a tag, with its chunks joined.
        ///
        /// - Throws: ``WireError`` if chunks are out of order.
        convenience init(_ message: NDEFMessage) throws(WireError) {
            self.init(records: try Self.payloads(of: message))
        }

        /// The message as it is stored.
        ///
        /// - Throws: ``WireError`` if a record has parts too long, and if records that are chunks are out of order.
        func wire() throws(WireError) -> NDEFMessage {
            var wireRecords: [NDEFRecord] = []
            for record in records { wireRecords += try record.wireRecords() }
            return NDEFMessage(wireRecords)
        }

        /// The records with their chunks joined; each remembers how it was cut.
        private static func payloads(of message: NDEFMessage) throws(WireError) -> [NFCNDEFPayload] {
            let firsts = message.records.filter { $0.format != .unchanged }
            let whole = try message.reassembled().records
            return zip(firsts, whole).map { first, record in
                NFCNDEFPayload(record, chunkSize: first.isChunked ? first.payload.count : 0)
            }
        }
    }
#endif
