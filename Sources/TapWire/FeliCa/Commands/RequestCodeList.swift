/// Request Code List, command code 1A: the nodes below an area, one packet at a time.
///
/// ```
/// command   0E  | 1A | IDm (8) | area code (LE) | packet index (LE), from 1
/// response  LEN | 1B | IDm (8) | 00 00 | continue flag | a | (area code, end service code) (LE) × a
///                                      | s | service code (LE) × s
/// response  0C  | 1B | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: layouts and use measured by felica-tool on Mobile FeliCa 4.1.
public enum RequestCodeList: FeliCaCommand {
    public static let code = CommandCode.requestCodeList
    /// Most bytes of codes one answer has room for.
    public static let maximumCodeBytes = FeliCaPacket.maximumLength - FeliCaPacket.statusLength - 3
    /// Bytes an area takes of them.
    public static let areaLength = 4
    /// Bytes a service takes of them.
    public static let serviceLength = 2

    public typealias Response = ReportResponse<RequestCodeList, Nodes>

    public struct Request: FixedLengthPacket {
        public static let length = 14
        public static var packetCode: CommandCode { code }

        public var idm: IDm
        /// The area whose nodes to list.
        public var area: NodeCode
        /// Which packet of the list to send; the first is 1.
        public var packetIndex: UInt16

        public init(idm: IDm, area: NodeCode, packetIndex: UInt16) {
            self.idm = idm
            self.area = area
            self.packetIndex = packetIndex
        }

        @inlinable
        public init(unchecked packet: Span<UInt8>) {
            idm = packet.idm
            area = NodeCode(packet.littleEndian16(at: 10))
            packetIndex = packet.littleEndian16(at: 12)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, code, idm)
            buffer.append(littleEndian: area.rawValue)
            buffer.append(littleEndian: packetIndex)
        }
    }

    /// An area with its last service code.
    public struct Area: Hashable, Sendable {
        /// The area code.
        public var code: NodeCode
        /// The last service code of the area.
        public var end: NodeCode

        public init(code: NodeCode, end: NodeCode) {
            self.code = code
            self.end = end
        }

        /// Appends both codes.
        public func write(into buffer: inout FrameBuffer) {
            buffer.append(littleEndian: code.rawValue)
            buffer.append(littleEndian: end.rawValue)
        }
    }

    /// One packet of the list.
    public struct Nodes: ReportBody {
        /// 01 where more packets follow, 00 at the last.
        public var continueFlag: UInt8
        /// Areas, in ascending order.
        public var areas: [Area]
        /// Service codes, in ascending order.
        public var services: [NodeCode]

        public init(continueFlag: UInt8 = 0, areas: [Area] = [], services: [NodeCode] = []) {
            self.continueFlag = continueFlag
            self.areas = areas
            self.services = services
        }

        public init(parsing packet: Span<UInt8>, from offset: Int) throws(WireError) {
            let areaCount = try FeliCaPacket.checkByte(packet, at: offset + 1, of: "number of areas")
            let areaList = offset + 2
            let serviceList = areaList + 4 * areaCount + 1
            let serviceCount = try FeliCaPacket.checkByte(packet, at: serviceList - 1, of: "number of services")
            try FeliCaPacket.checkEnd(packet, at: serviceList + 2 * serviceCount, of: "service code list")
            let words = packet.littleEndian16s(2 * areaCount, at: areaList).map(NodeCode.init)
            continueFlag = packet[offset]
            areas = (0..<areaCount).map { Area(code: words[2 * $0], end: words[2 * $0 + 1]) }
            services = packet.littleEndian16s(serviceCount, at: serviceList).map(NodeCode.init)
        }

        public var byteCount: Int { Self.byteCount(areaCount: areas.count, serviceCount: services.count) }

        public func write(into buffer: inout FrameBuffer) {
            Self.writeHeader(continueFlag: continueFlag, areaCount: areas.count, into: &buffer)
            for area in areas { area.write(into: &buffer) }
            NodeListLayout.write(services, into: &buffer)
        }

        fileprivate static func byteCount(areaCount: Int, serviceCount: Int) -> Int {
            3 + areaLength * areaCount + serviceLength * serviceCount
        }

        fileprivate static func writeHeader(continueFlag: UInt8, areaCount: Int, into buffer: inout FrameBuffer) {
            buffer.append(continueFlag)
            buffer.append(UInt8(truncatingIfNeeded: areaCount))
        }
    }
}

extension RequestCodeList.Response {
    /// Appends all that comes before the areas; the caller appends as many areas as it announces, the number of
    /// services, and the services.
    public static func writeHeader(
        idm: IDm, continueFlag: UInt8, areaCount: Int, serviceCount: Int, into buffer: inout FrameBuffer
    ) {
        let length = RequestCodeList.Nodes.byteCount(areaCount: areaCount, serviceCount: serviceCount)
        writeHeader(idm: idm, bodyLength: length, into: &buffer)
        RequestCodeList.Nodes.writeHeader(continueFlag: continueFlag, areaCount: areaCount, into: &buffer)
    }
}
