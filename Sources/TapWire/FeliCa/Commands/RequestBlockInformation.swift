extension CommandCode {
    public static let requestBlockInformation = CommandCode(0x0E)
    public static let requestBlockInformationEx = CommandCode(0x1E)
}

/// Request Block Information, command code 0E: returns the number of blocks of nodes.
///
/// ```
/// command   LEN | 0E | IDm (8) | n | node code (LE) × n
/// response  LEN | 0F | IDm (8) | n | number of blocks (LE) × n
/// ```
/// Source: measured by felica-tool on Mobile FeliCa 4.1.
public enum RequestBlockInformation: FeliCaCommand {
    public static let code = CommandCode.requestBlockInformation
    package static let description = CommandDescription.measured(
        code, "Request Block Information", answer: "blocks", word: "request_block_information",
        "Returns the number of blocks of each node.",
        command: .nodes,
        response: [.field(.idm), .count(of: "nodes", "n"), .list([[.number("number of blocks")]])])

    public typealias Request = NodeListRequest<RequestBlockInformation>
    /// The answer; its values are block counts.
    public typealias Response = NodeValuesResponse<RequestBlockInformation>
}

/// Request Block Information Ex, command code 1E: returns the assigned and free blocks of nodes.
///
/// ```
/// command   LEN | 1E | IDm (8) | n | node code (LE) × n
/// response  LEN | 1F | IDm (8) | 00 00 | n | (assigned (LE) | free (LE)) × n
/// response  0C  | 1F | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: measured by felica-tool on Mobile FeliCa 4.1.
public enum RequestBlockInformationEx: FeliCaCommand {
    public static let code = CommandCode.requestBlockInformationEx
    package static let description = CommandDescription.measured(
        code, "Request Block Information Ex", word: "request_block_information_ex",
        "Returns the numbers of assigned and free blocks of each node.",
        command: .nodes,
        response: [
            .field(.idm), .status(done: ""), .count(of: "nodes", "n"),
            .list([[.number("assigned blocks", .after("assigned")), .number("free blocks", .after("free"))]]),
        ])

    public typealias Request = NodeListRequest<RequestBlockInformationEx>
    public typealias Response = ReportResponse<RequestBlockInformationEx, BlockCounts>

    public struct BlockCount: Hashable, Sendable {
        package var assigned: UInt16
        package var free: UInt16

        public init(assigned: UInt16, free: UInt16) {
            self.assigned = assigned
            self.free = free
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(littleEndian: assigned)
            buffer.append(littleEndian: free)
        }
    }

    /// The counts of all nodes, in the order of the request.
    public struct BlockCounts: ReportBody {
        package var nodes: [BlockCount]

        package init(nodes: [BlockCount]) {
            self.nodes = nodes
        }

        public init(parsing packet: Span<UInt8>, from offset: Int) throws(WireError) {
            let count = Int(packet[offset])
            try FeliCaPacket.checkEnd(packet, at: offset + 1 + 4 * count, of: "list of block counts")
            let words = packet.littleEndian16s(2 * count, at: offset + 1)
            nodes = (0..<count).map { BlockCount(assigned: words[2 * $0], free: words[2 * $0 + 1]) }
        }

        public var byteCount: Int { Self.byteCount(nodeCount: nodes.count) }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(UInt8(truncatingIfNeeded: nodes.count))
            for node in nodes { node.write(into: &buffer) }
        }

        fileprivate static func byteCount(nodeCount: Int) -> Int { 1 + 4 * nodeCount }
    }
}

extension RequestBlockInformationEx.Response {
    /// Appends everything before the counts; the caller must append `nodeCount` counts.
    public static func writeHeader(idm: IDm, nodeCount: Int, into buffer: inout FrameBuffer) {
        let length = RequestBlockInformationEx.BlockCounts.byteCount(nodeCount: nodeCount)
        writeHeader(idm: idm, bodyLength: length, into: &buffer)
        buffer.append(UInt8(truncatingIfNeeded: nodeCount))
    }
}
