/// Search Service Code, command code 0A: the area or service at an index of a system.
///
/// ```
/// command   0C | 0A | IDm (8) | index (LE)
/// response  0E | 0B | IDm (8) | area code (LE) | end service code (LE)
/// response  0C | 0B | IDm (8) | service code (LE)
/// response  0C | 0B | IDm (8) | FF FF
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Search Service Code".
public enum SearchServiceCode: FeliCaCommand {
    public static let code = CommandCode.searchServiceCode

    public struct Request: FixedLengthPacket {
        public static let length = 12
        public static var packetCode: CommandCode { code }

        public var idm: IDm
        /// Index in ascending order of codes; 0 is the root area.
        public var index: UInt16

        public init(idm: IDm, index: UInt16) {
            self.idm = idm
            self.index = index
        }

        @inlinable
        public init(unchecked packet: Span<UInt8>) {
            idm = packet.idm
            index = packet.littleEndian16(at: 10)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, code, idm)
            buffer.append(littleEndian: index)
        }
    }

    public struct Response: FrameValue {
        /// Length where the node is a service or there is none, LEN included.
        static let serviceLength = 12
        /// Length where the node is an area, LEN included.
        static let areaLength = 14

        public var idm: IDm
        /// The node; FFFF where the index is beyond the last.
        public var node: NodeCode
        /// The last service code of an area; nothing for a service.
        public var areaEnd: NodeCode?

        public init(idm: IDm, node: NodeCode, areaEnd: NodeCode? = nil) {
            self.idm = idm
            self.node = node
            self.areaEnd = areaEnd
        }

        /// Whether the index is beyond the last node.
        public var isEnd: Bool { node == .system && areaEnd == nil }

        public init(parsing packet: Span<UInt8>) throws(WireError) {
            try FeliCaPacket.check(packet, code.response, length: Self.serviceLength...Self.areaLength)
            idm = packet.idm
            node = NodeCode(packet.littleEndian16(at: 10))
            areaEnd = nil
            guard packet.count > Self.serviceLength else { return }
            try FeliCaPacket.checkEnd(packet, at: Self.areaLength, of: "end service code")
            areaEnd = NodeCode(packet.littleEndian16(at: Self.serviceLength))
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: areaEnd == nil ? Self.serviceLength : Self.areaLength, code.response, idm)
            buffer.append(littleEndian: node.rawValue)
            if let areaEnd { buffer.append(littleEndian: areaEnd.rawValue) }
        }
    }
}
