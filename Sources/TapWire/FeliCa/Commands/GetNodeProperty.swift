extension CommandCode {
    public static let getNodeProperty = CommandCode(0x28)
}

/// Get Node Property, command code 28: returns the purse limits or the MAC communication setting of nodes.
///
/// ```
/// command   LEN | 28 | IDm (8) | type | n | node code (LE) × n
/// response  LEN | 29 | IDm (8) | 00 00 | n | property × n
/// response  0C  | 29 | IDm (8) | status flag 1 | status flag 2
///
/// property of type 00  flag | upper limit (4, LE, signed) | lower limit (4, LE, signed) | generation
/// property of type 01  flag
/// ```
/// Source: measured by felica-tool.
public enum GetNodeProperty: FeliCaCommand {
    public static let code = CommandCode.getNodeProperty
    package static let description = CommandDescription.measured(
        code, "Get Node Property", word: "get_node_property",
        "Returns the purse limits or the MAC communication setting of each node.",
        notes: ["C3: the node has no such property."],
        command: [
            .field(.idm), .field(.byte("property type", .propertyType)), .count(of: "nodes", "n"), .list([[.node]]),
        ],
        response: [
            .field(.idm), .status(done: ""), .count("property", "properties", "n"),
            .list([
                [FrameField("purse limits", PurseLimits.byteCount, .plain, .purseLimits)],
                [.byte("MAC communication", .macCommunication)],
            ]),
        ])

    public static let maximumNodes = 16

    public typealias Response = ReportResponse<GetNodeProperty, Properties>

    public struct PropertyType: Hashable, Sendable {
        public let rawValue: UInt8

        @inlinable
        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public static let purseLimits = PropertyType(0)
        public static let macCommunication = PropertyType(1)

        /// The size in bytes of a property of this type, which must be a known one.
        fileprivate var byteCount: Int { self == .purseLimits ? PurseLimits.byteCount : 1 }
    }

    public struct Request: FrameValue {
        public static let countOffset = 11

        public var idm: IDm
        package var type: PropertyType
        package var nodes: [NodeCode]

        public init(idm: IDm, type: PropertyType, nodes: [NodeCode]) {
            self.idm = idm
            self.type = type
            self.nodes = nodes
        }

        public init(parsing packet: Span<UInt8>) throws(WireError) {
            try FeliCaPacket.check(packet, code, length: 12...FeliCaPacket.maximumLength)
            idm = packet.idm
            type = Self.type(of: packet)
            nodes = try NodeListLayout.nodes(ending: packet, countOffset: Self.countOffset)
        }

        /// The property type in a packet; the caller has checked the length.
        @inlinable
        public static func type(of packet: Span<UInt8>) -> PropertyType { PropertyType(packet[10]) }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: 12 + 2 * nodes.count, code, idm)
            buffer.append(type.rawValue)
            NodeListLayout.write(nodes, into: &buffer)
        }
    }

    /// The properties of all nodes, in the order of the request; all have the same type.
    public struct Properties: ReportBody {
        package var nodes: [Property]

        package init(nodes: [Property]) {
            self.nodes = nodes
        }

        /// Reads the report; its length determines the type.
        public init(parsing packet: Span<UInt8>, from offset: Int) throws(WireError) {
            let count = Int(packet[offset])
            let isMAC = packet.count == offset + 1 + count
            let size = isMAC ? 1 : PurseLimits.byteCount
            try FeliCaPacket.checkEnd(packet, at: offset + 1 + size * count, of: "property list")
            nodes = (0..<count).map { index in
                let place = offset + 1 + size * index
                return isMAC ? .macCommunication(packet[place]) : .purseLimits(PurseLimits(packet, at: place))
            }
        }

        public var byteCount: Int { nodes.reduce(1) { $0 + $1.type.byteCount } }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(UInt8(truncatingIfNeeded: nodes.count))
            for node in nodes { node.write(into: &buffer) }
        }
    }

    public enum Property: Hashable, Sendable {
        case purseLimits(PurseLimits)
        /// 01 if the node uses MAC communication, otherwise 00.
        case macCommunication(UInt8)

        package var type: PropertyType {
            switch self {
            case .purseLimits: .purseLimits
            case .macCommunication: .macCommunication
            }
        }

        public func write(into buffer: inout FrameBuffer) {
            switch self {
            case .purseLimits(let limits): limits.write(into: &buffer)
            case .macCommunication(let flag): buffer.append(flag)
            }
        }
    }
}

extension GetNodeProperty.Response {
    /// Appends everything before the properties of a known type; the caller must append `nodeCount` properties.
    public static func writeHeader(
        idm: IDm, type: GetNodeProperty.PropertyType, nodeCount: Int, into buffer: inout FrameBuffer
    ) {
        writeHeader(idm: idm, bodyLength: 1 + type.byteCount * nodeCount, into: &buffer)
        buffer.append(UInt8(truncatingIfNeeded: nodeCount))
    }
}

/// The limits of a purse with restricted values.
///
/// ```
/// flag | upper limit (4, LE, signed) | lower limit (4, LE, signed) | generation
/// ```
/// Source: measured by felica-tool, Get Node Property.
public struct PurseLimits: Hashable, Sendable {
    public static let byteCount = 10

    /// 01 if the purse has limits, otherwise 00.
    package var flag: UInt8
    public var upper: Int32
    public var lower: Int32
    /// A counter of limit changes.
    package var generation: UInt8

    /// Creates limits; the defaults are those of a purse whose limit option is enabled but unchanged.
    public init(lower: Int32 = 0, upper: Int32 = .max, generation: UInt8 = 0) {
        self.init(flag: 1, lower: lower, upper: upper, generation: generation)
    }

    private init(flag: UInt8, lower: Int32, upper: Int32, generation: UInt8) {
        self.flag = flag
        self.lower = lower
        self.upper = upper
        self.generation = generation
    }

    /// A purse without limits: all bytes after the flag are FF.
    public static let disabled = PurseLimits(flag: 0, lower: -1, upper: -1, generation: 0xFF)

    public var isEnabled: Bool { flag != 0 }

    /// Reads ten bytes from a span whose length the caller has checked.
    package init(_ bytes: Span<UInt8>, at offset: Int) {
        func signed32(at offset: Int) -> Int32 {
            Int32(
                bitPattern: UInt32(bytes.littleEndian16(at: offset)) | UInt32(bytes.littleEndian16(at: offset + 2))
                    << 16)
        }
        flag = bytes[offset]
        upper = signed32(at: offset + 1)
        lower = signed32(at: offset + 5)
        generation = bytes[offset + 9]
    }

    func write(into buffer: inout FrameBuffer) {
        buffer.append(flag)
        buffer.append(littleEndian: UInt32(bitPattern: upper))
        buffer.append(littleEndian: UInt32(bitPattern: lower))
        buffer.append(generation)
    }
}
