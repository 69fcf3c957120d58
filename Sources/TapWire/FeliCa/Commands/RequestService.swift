extension CommandCode {
    @inlinable public static var requestService: CommandCode { CommandCode(0x02) }
    public static let requestServiceV2 = CommandCode(0x32)
}

/// Request Service, command code 02: checks whether nodes exist and returns their key versions.
///
/// ```
/// command   LEN | 02 | IDm (8) | n | node code (LE) × n
/// response  LEN | 03 | IDm (8) | n | key version (LE) × n
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Request Service".
public enum RequestService: FeliCaCommand {
    @inlinable public static var code: CommandCode { .requestService }
    package static let description = CommandDescription.manual(
        code, "Request Service", answer: "key versions", word: "request_service",
        "Returns the key version of each requested node, FFFF if absent.",
        notes: [
            "Silence: no node or more than 32, or a truncated list.",
            "FFFF means that the node does not exist; node codes are sent low byte first.",
        ],
        command: .nodes, response: [.field(.idm), .count(of: "nodes", "n"), .list([[.keyVersion]])])

    /// The key version of a node that does not exist or has no key of the requested kind.
    public static let absent: UInt16 = 0xFFFF

    public typealias Request = NodeListRequest<RequestService>
    /// The answer; its values are key versions.
    public typealias Response = NodeValuesResponse<RequestService>
}

/// Request Service v2, command code 32: returns the kinds of keys and the key versions of nodes.
///
/// ```
/// command   LEN | 32 | IDm (8) | n | node code (LE) × n
/// response  LEN | 33 | IDm (8) | 00 00 | encryption identifier | n | key version (LE) × n [| key version (LE) × n]
/// response  0C  | 33 | IDm (8) | status flag 1 | status flag 2
/// ```
/// Sources: FeliCa Card User's Manual (Unofficial Edition), "Request Service v2"; identifiers from felica-tool.
public enum RequestServiceV2: FeliCaCommand {
    public static let code = CommandCode.requestServiceV2
    package static let description = CommandDescription.aes(
        code, "Request Service v2", answer: "key versions", word: "request_service_v2",
        "Returns the kind of keys and the AES and DES key version of each node.",
        command: .nodes,
        response: [
            .field(.idm), .status(done: ""), .field(.byte("encryption identifier", .encryptionIdentifier)),
            .count(of: "nodes", "n"), .list([[.keyVersion]]), .optional([.list([[.keyVersion]])]),
        ])

    public typealias Request = NodeListRequest<RequestServiceV2>
    public typealias Response = ReportResponse<RequestServiceV2, KeyVersions>

    /// The ciphers of a system's keys.
    public struct EncryptionIdentifier: Hashable, Sendable {
        public let rawValue: UInt8

        @inlinable
        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public static let des56 = EncryptionIdentifier(0x2F)
        public static let des112 = EncryptionIdentifier(0x3F)
        public static let aesAndDES56 = EncryptionIdentifier(0x41)
        public static let aesAndDES112 = EncryptionIdentifier(0x43)
        public static let aes128 = EncryptionIdentifier(0x4F)
    }

    /// The key versions, one or two for each node.
    public struct KeyVersions: ReportBody {
        package var identifier: EncryptionIdentifier
        /// The first list: AES key versions, or DES key versions if the card has no AES keys.
        package var first: [UInt16]
        /// The second list, DES key versions: empty or as long as the first list.
        package var second: [UInt16]

        package init(identifier: EncryptionIdentifier, first: [UInt16], second: [UInt16] = []) {
            self.identifier = identifier
            self.first = first
            self.second = second
        }

        public init(parsing packet: Span<UInt8>, from offset: Int) throws(WireError) {
            let count = try FeliCaPacket.checkByte(packet, at: offset + 1, of: "number of nodes")
            let list = offset + 2
            let isDouble = packet.count > list + 2 * count
            try FeliCaPacket.checkEnd(packet, at: list + (isDouble ? 4 : 2) * count, of: "key version list")
            identifier = EncryptionIdentifier(packet[offset])
            first = packet.littleEndian16s(count, at: list)
            second = isDouble ? packet.littleEndian16s(count, at: list + 2 * count) : []
        }

        public var byteCount: Int { Self.headerLength + 2 * (first.count + second.count) }

        public func write(into buffer: inout FrameBuffer) {
            Self.writeHeader(identifier, nodeCount: first.count, into: &buffer)
            buffer.append(littleEndian: first)
            buffer.append(littleEndian: second)
        }

        fileprivate static let headerLength = 2

        fileprivate static func writeHeader(
            _ identifier: EncryptionIdentifier, nodeCount: Int, into buffer: inout FrameBuffer
        ) {
            buffer.append(identifier.rawValue)
            buffer.append(UInt8(truncatingIfNeeded: nodeCount))
        }
    }
}

extension RequestServiceV2.Response {
    /// Appends everything before one or two lists; the caller must append the announced number of key versions.
    public static func writeHeader(
        idm: IDm, identifier: RequestServiceV2.EncryptionIdentifier, nodeCount: Int, listCount: Int,
        into buffer: inout FrameBuffer
    ) {
        let length = RequestServiceV2.KeyVersions.headerLength + 2 * nodeCount * listCount
        writeHeader(idm: idm, bodyLength: length, into: &buffer)
        RequestServiceV2.KeyVersions.writeHeader(identifier, nodeCount: nodeCount, into: &buffer)
    }
}
