extension CommandCode {
    public static let requestSystemCode = CommandCode(0x0C)
    public static let searchServiceCode = CommandCode(0x0A)
    public static let requestCodeList = CommandCode(0x1A)
    public static let getAreaInformation = CommandCode(0x24)
}

/// Request System Code, command code 0C: lists the systems of a card.
///
/// ```
/// command   0A  | 0C | IDm (8)
/// response  LEN | 0D | IDm (8) | n | system code (BE) × n
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Request System Code".
public enum RequestSystemCode: FeliCaCommand {
    public static let code = CommandCode.requestSystemCode
    package static let description = CommandDescription.manual(
        code, "Request System Code", word: "request_system_code",
        "Lists the system codes of the card, starting with system 0.",
        notes: ["Any system's IDm will do. FeliCa Lite does not answer it."],
        command: [.field(.idm)],
        response: [.field(.idm), .count("system", "systems", "n", mark: ":"), .list([[.systemCode]])])

    public typealias Request = IDmRequest<RequestSystemCode>

    public struct Response: FrameValue {
        /// The IDm of the system that received the command.
        public var idm: IDm
        /// The system codes in order, starting with system 0.
        public var systems: [SystemCode]

        package init(idm: IDm, systems: [SystemCode]) {
            self.idm = idm
            self.systems = systems
        }

        public init(parsing packet: Span<UInt8>) throws(WireError) {
            try FeliCaPacket.check(packet, code.response, length: 11...FeliCaPacket.maximumLength)
            try FeliCaPacket.checkEnd(packet, at: 11 + 2 * Int(packet[10]), of: "system code list")
            idm = packet.idm
            systems = (0..<Int(packet[10])).map { SystemCode(packet.bigEndian16(at: 11 + 2 * $0)) }
        }

        public func write(into buffer: inout FrameBuffer) {
            Self.writeHeader(idm: idm, count: systems.count, into: &buffer)
            for system in systems { buffer.append(bigEndian: system.rawValue) }
        }

        /// Appends everything before the system codes; the caller must append `count` codes.
        public static func writeHeader(idm: IDm, count: Int, into buffer: inout FrameBuffer) {
            buffer.append(listHeader: count, code.response, idm)
        }
    }
}

/// Search Service Code, command code 0A: returns the area or service at an index of a system.
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
    package static let description = CommandDescription.manual(
        code, "Search Service Code", word: "search_service_code",
        "Returns the area or service at an index of the current system, in ascending order of codes.",
        notes: [
            "FF FF: the index is past the last node, which ends the enumeration.",
            "The answer has four bytes for an area (its code and its last service code) and two for a service.",
        ],
        command: [.field(.idm), .field(.number("index"))],
        response: [
            .field(.idm), .field(.little("area or service code", .searchedNode)), .optional([.field(.areaEnd)]),
        ])

    public struct Request: FixedLengthPacket {
        public static let length = 12
        public static var packetCode: CommandCode { code }

        public var idm: IDm
        /// The index in ascending order of codes; 0 is the root area.
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
        /// The length of the answer for a service or for no node, LEN included.
        static let serviceLength = 12
        static let areaLength = 14

        public var idm: IDm
        /// The node; FFFF if the index is past the last node.
        public var node: NodeCode
        /// The last service code of an area; `nil` for a service.
        public var areaEnd: NodeCode?

        public init(idm: IDm, node: NodeCode, areaEnd: NodeCode? = nil) {
            self.idm = idm
            self.node = node
            self.areaEnd = areaEnd
        }

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

/// Request Code List, command code 1A: lists the nodes below an area, one packet at a time.
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
    package static let description = CommandDescription.measured(
        code, "Request Code List", word: "request_code_list",
        "Lists areas and services below an area, one packet at a time.",
        notes: ["Request packets 1, 2, … until the continue flag is 00."],
        command: [.field(.idm), .field(.area), .field(.number("packet index", .after("packet")))],
        response: [
            .field(.idm), .status(done: ""), .field(.byte("continue flag", .continueFlag)),
            .count("area", "areas", "a"), .list([[.area, .areaEnd]]),
            .count("service", "services", "s"), .list([[.listedService]]),
        ])

    /// The maximum number of bytes for codes in one answer.
    public static let maximumCodeBytes = FeliCaPacket.maximumLength - FeliCaPacket.statusLength - 3
    /// The number of those bytes that an area uses.
    public static let areaLength = 4
    /// The number of those bytes that a service uses.
    public static let serviceLength = 2

    public typealias Response = ReportResponse<RequestCodeList, Nodes>

    public struct Request: FixedLengthPacket {
        public static let length = 14
        public static var packetCode: CommandCode { code }

        public var idm: IDm
        /// The area whose nodes the card lists.
        public var area: NodeCode
        /// The number of the requested packet, starting with 1.
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

    public struct Area: Hashable, Sendable {
        package var code: NodeCode
        /// The last service code of the area.
        package var end: NodeCode

        public init(code: NodeCode, end: NodeCode) {
            self.code = code
            self.end = end
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(littleEndian: code.rawValue)
            buffer.append(littleEndian: end.rawValue)
        }
    }

    public struct Nodes: ReportBody {
        /// 01 if more packets follow, 00 in the last packet.
        public var continueFlag: UInt8
        /// The areas, in ascending order.
        package var areas: [Area]
        /// The service codes, in ascending order.
        package var services: [NodeCode]

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
    /// Appends everything before the areas; the caller must append `areaCount` areas, the number of services, and the
    /// services.
    public static func writeHeader(
        idm: IDm, continueFlag: UInt8, areaCount: Int, serviceCount: Int, into buffer: inout FrameBuffer
    ) {
        let length = RequestCodeList.Nodes.byteCount(areaCount: areaCount, serviceCount: serviceCount)
        writeHeader(idm: idm, bodyLength: length, into: &buffer)
        RequestCodeList.Nodes.writeHeader(continueFlag: continueFlag, areaCount: areaCount, into: &buffer)
    }
}

/// Get Area Information, command code 24: returns two bytes of unpublished meaning about an area.
///
/// ```
/// command   0C | 24 | IDm (8) | area code (LE)
/// response  10 | 25 | IDm (8) | 00 00 | area code (LE) | data (2)
/// response  0C | 25 | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: measured by felica-tool on Mobile FeliCa 4.1; the command's name also comes from felica-tool.
public enum GetAreaInformation: FeliCaCommand {
    public static let code = CommandCode.getAreaInformation
    package static let description = CommandDescription.measured(
        code, "Get Area Information", word: "get_area_information",
        "Returns two bytes of unpublished meaning about an area.",
        notes: [
            "FF E0 for area 0, FF E2 for a code that is not an area, FF E7 if the two upper bits of its first byte are set."
        ],
        command: [.field(.idm), .field(.area)],
        response: [
            .field(.idm), .status(done: ""), .field(.area), .field(FrameField("area information", 2, .plain, .shown)),
        ])

    public typealias Response = ReportResponse<GetAreaInformation, Information>

    public struct Request: FixedLengthPacket {
        public static let length = 12
        public static var packetCode: CommandCode { code }

        public var idm: IDm
        public var area: NodeCode

        public init(idm: IDm, area: NodeCode) {
            self.idm = idm
            self.area = area
        }

        public init(unchecked packet: Span<UInt8>) {
            idm = packet.idm
            area = NodeCode(packet.littleEndian16(at: 10))
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, code, idm)
            buffer.append(littleEndian: area.rawValue)
        }
    }

    public struct Information: ReportBody {
        package var area: NodeCode
        /// The two bytes, high byte first.
        package var data: UInt16

        public init(area: NodeCode, data: UInt16) {
            self.area = area
            self.data = data
        }

        public init(parsing packet: Span<UInt8>, from offset: Int) throws(WireError) {
            try FeliCaPacket.checkEnd(packet, at: offset + 4, of: "area information")
            area = NodeCode(packet.littleEndian16(at: offset))
            data = packet.bigEndian16(at: offset + 2)
        }

        public var byteCount: Int { 4 }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(littleEndian: area.rawValue)
            buffer.append(bigEndian: data)
        }
    }
}
