/// A command that contains only its code and the IDm of its target.
///
/// ```
/// 0A | code | IDm (8)
/// ```
public struct IDmRequest<Command: FeliCaCommand>: FixedLengthPacket {
    public static var length: Int { FeliCaPacket.idmLength }
    public static var packetCode: CommandCode { Command.code }

    public var idm: IDm

    public init(idm: IDm) {
        self.idm = idm
    }

    @inlinable
    public init(unchecked packet: Span<UInt8>) {
        idm = packet.idm
    }

    public func write(into buffer: inout FrameBuffer) {
        buffer.append(header: Self.length, Command.code, idm)
    }
}

/// A command with two reserved bytes after the IDm.
///
/// ```
/// 0C | code | IDm (8) | reserved (2), 00 00
/// ```
public struct ReservedRequest<Command: FeliCaCommand>: FixedLengthPacket {
    public static var length: Int { 12 }
    public static var packetCode: CommandCode { Command.code }

    public var idm: IDm
    /// Reserved, zero; high byte first.
    public var reserved: UInt16

    public init(idm: IDm, reserved: UInt16 = 0) {
        self.idm = idm
        self.reserved = reserved
    }

    @inlinable
    public init(unchecked packet: Span<UInt8>) {
        idm = packet.idm
        reserved = packet.bigEndian16(at: 10)
    }

    public func write(into buffer: inout FrameBuffer) {
        buffer.append(header: Self.length, Command.code, idm)
        buffer.append(bigEndian: reserved)
    }
}

/// A command about a list of nodes.
///
/// ```
/// LEN | code | IDm (8) | n | node code (LE) × n
/// ```
public struct NodeListRequest<Command: FeliCaCommand>: FrameValue {
    package static var countOffset: Int { 10 }

    public var idm: IDm
    /// The nodes: services, areas, or the system.
    package var nodes: [NodeCode]

    public init(idm: IDm, nodes: [NodeCode]) {
        self.idm = idm
        self.nodes = nodes
    }

    public init(parsing packet: Span<UInt8>) throws(WireError) {
        try FeliCaPacket.check(packet, Command.code, length: 11...FeliCaPacket.maximumLength)
        idm = packet.idm
        nodes = try NodeListLayout.nodes(ending: packet, countOffset: Self.countOffset)
    }

    public func write(into buffer: inout FrameBuffer) {
        buffer.append(header: 11 + 2 * nodes.count, Command.code, idm)
        NodeListLayout.write(nodes, into: &buffer)
    }
}

/// The position of a counted list of node codes in a packet; lets a card walk the list without copying it.
///
/// ```
/// … | n | node code (LE) × n
/// ```
public struct NodeListLayout: Hashable, Sendable {
    @usableFromInline let nodes: UInt8
    @usableFromInline let countOffset: UInt8

    @inline(always) public var count: Int { Int(nodes) }
    /// The offset of the first node code.
    @inline(always) public var offset: Int { Int(countOffset) + 1 }

    /// Reads the count at `countOffset`, or returns `nil` if the packet ends inside the list.
    @inline(always)
    public init?(_ packet: Span<UInt8>, countOffset: UInt8) {
        guard packet.count > countOffset else { return nil }
        nodes = packet[Int(countOffset)]
        self.countOffset = countOffset
        guard packet.count >= end else { return nil }
    }

    @inline(always) public var end: Int { offset + 2 * count }

    /// The node code at an index below ``count``.
    @inline(always)
    public func node(_ index: Int, in packet: Span<UInt8>) -> NodeCode {
        NodeCode(packet.littleEndian16(at: offset &+ 2 &* index))
    }

    public func nodes(in packet: Span<UInt8>) -> [NodeCode] {
        (0..<count).map { node($0, in: packet) }
    }

    /// The node codes at the end of a packet; throws ``WireError`` unless list and packet end together.
    static func nodes(ending packet: Span<UInt8>, countOffset: Int) throws(WireError) -> [NodeCode] {
        let count = try FeliCaPacket.checkByte(packet, at: countOffset, of: "number of nodes")
        try FeliCaPacket.checkEnd(packet, at: countOffset + 1 + 2 * count, of: "node code list")
        return packet.littleEndian16s(count, at: countOffset + 1).map(NodeCode.init)
    }

    /// The node codes at the end of a whole packet; empty if the list is truncated or followed by more bytes.
    package static func nodes(endingPacket bytes: [UInt8], at countOffset: Int) -> [NodeCode] {
        let slice = bytes[...]
        guard FeliCaPacket.isWhole(slice.span) else { return [] }
        return (try? nodes(ending: slice.span, countOffset: countOffset)) ?? []
    }

    /// Appends the count and the list.
    static func write(_ nodes: [NodeCode], into buffer: inout FrameBuffer) {
        buffer.append(UInt8(truncatingIfNeeded: nodes.count))
        for node in nodes { buffer.append(littleEndian: node.rawValue) }
    }
}

/// An answer with a number for each node, in the order of the request.
///
/// ```
/// LEN | code + 1 | IDm (8) | n | number (LE) × n
/// ```
public struct NodeValuesResponse<Command: FeliCaCommand>: FrameValue {
    public var idm: IDm
    /// The numbers: key versions of Request Service, block counts of Request Block Information.
    package var values: [UInt16]

    package init(idm: IDm, values: [UInt16]) {
        self.idm = idm
        self.values = values
    }

    public init(parsing packet: Span<UInt8>) throws(WireError) {
        try FeliCaPacket.check(packet, Command.code.response, length: 11...FeliCaPacket.maximumLength)
        try FeliCaPacket.checkEnd(packet, at: 11 + 2 * Int(packet[10]), of: "list of numbers")
        idm = packet.idm
        values = packet.littleEndian16s(Int(packet[10]), at: 11)
    }

    public func write(into buffer: inout FrameBuffer) {
        Self.writeHeader(idm: idm, count: values.count, into: &buffer)
        buffer.append(littleEndian: values)
    }

    /// Appends everything before the numbers; the caller must append `count` numbers.
    @inline(always)
    public static func writeHeader(idm: IDm, count: Int, into buffer: inout FrameBuffer) {
        buffer.append(listHeader: count, Command.code.response, idm)
    }
}

/// An answer that consists only of status flags.
///
/// ```
/// 0C | code + 1 | IDm (8) | status flag 1 | status flag 2
/// ```
public struct StatusResponse<Command: FeliCaCommand>: FixedLengthPacket {
    public static var length: Int { FeliCaPacket.statusLength }
    public static var packetCode: CommandCode { Command.code.response }

    public var idm: IDm
    public var status: StatusFlags

    public init(idm: IDm, status: StatusFlags = .success) {
        self.idm = idm
        self.status = status
    }

    @inlinable
    public init(unchecked packet: Span<UInt8>) {
        idm = packet.idm
        status = packet.status
    }

    public func write(into buffer: inout FrameBuffer) {
        FeliCaPacket.writeStatus(status, code: Self.packetCode, idm: idm, into: &buffer)
    }
}

/// The data after the status flags of an answer.
public protocol ReportBody: Hashable, Sendable {
    /// Reads the body, which is the rest of `packet` from `offset`.
    ///
    /// - Throws: ``WireError`` if the rest does not fit.
    init(parsing packet: Span<UInt8>, from offset: Int) throws(WireError)

    /// The number of bytes, at least one.
    var byteCount: Int { get }

    func write(into buffer: inout FrameBuffer)
}

/// An answer with status flags, followed by a report unless the card refused the command.
///
/// ```
/// LEN | code + 1 | IDm (8) | status flag 1 | status flag 2 | report
/// 0C  | code + 1 | IDm (8) | status flag 1 | status flag 2
/// ```
public struct ReportResponse<Command: FeliCaCommand, Body: ReportBody>: FrameValue {
    public var idm: IDm
    public var status: StatusFlags
    /// The report; `nil` if the answer ends with the status flags.
    public var body: Body?

    public init(idm: IDm, status: StatusFlags = .success, body: Body? = nil) {
        self.idm = idm
        self.status = status
        self.body = body
    }

    public init(parsing packet: Span<UInt8>) throws(WireError) {
        let lengths = FeliCaPacket.statusLength...FeliCaPacket.maximumLength
        try FeliCaPacket.check(packet, Command.code.response, length: lengths)
        idm = packet.idm
        status = packet.status
        body =
            packet.count > FeliCaPacket.statusLength
            ? try Body(parsing: packet, from: FeliCaPacket.statusLength) : nil
    }

    public func write(into buffer: inout FrameBuffer) {
        Self.writeHeader(idm: idm, status: status, bodyLength: body?.byteCount ?? 0, into: &buffer)
        body?.write(into: &buffer)
    }

    /// Appends everything before a report of `bodyLength` bytes.
    static func writeHeader(
        idm: IDm, status: StatusFlags = .success, bodyLength: Int, into buffer: inout FrameBuffer
    ) {
        buffer.append(header: FeliCaPacket.statusLength + bodyLength, Command.code.response, idm, status)
    }
}

// Layouts that several commands share.

extension [LayoutPart] {
    /// ``ReservedRequest``.
    static let reserved: [LayoutPart] = [.field(.idm), .field(.reserved(2))]
    /// ``NodeListRequest``.
    static let nodes: [LayoutPart] = [.field(.idm), .count(of: "nodes", "n"), .list([[.node]])]
    /// ``BlockAccessLayout``, preceded by the IDm.
    static let blocks: [LayoutPart] = [
        .field(.idm), .count(of: "services", "m"), .list([[.service]]), .count(of: "blocks", "n"), .blockList,
    ]
}
