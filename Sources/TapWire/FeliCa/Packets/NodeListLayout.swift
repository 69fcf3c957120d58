/// Where a counted list of node codes lies in a packet, so that a card walks it without copying.
///
/// ```
/// … | n | node code (LE) × n
/// ```
public struct NodeListLayout: Hashable, Sendable {
    @usableFromInline let nodes: UInt8
    @usableFromInline let countOffset: UInt8

    /// Number of nodes, n.
    @inline(always)
    public var count: Int { Int(nodes) }
    /// Offset of the first node code.
    @inline(always)
    public var offset: Int { Int(countOffset) + 1 }

    /// Reads the count at `countOffset`, or nothing if the packet ends inside the list.
    @inline(always)
    public init?(_ packet: Span<UInt8>, countOffset: UInt8) {
        guard packet.count > countOffset else { return nil }
        nodes = packet[Int(countOffset)]
        self.countOffset = countOffset
        guard packet.count >= end else { return nil }
    }

    /// Offset behind the list.
    @inline(always)
    public var end: Int { offset + 2 * count }

    /// The node code at an index below ``count``.
    @inline(always)
    public func node(_ index: Int, in packet: Span<UInt8>) -> NodeCode {
        NodeCode(packet.littleEndian16(at: offset &+ 2 &* index))
    }

    /// The node codes that end a packet.
    ///
    /// - Throws: ``WireError`` if the list and the packet do not end together.
    static func nodes(ending packet: Span<UInt8>, countOffset: Int) throws(WireError) -> [NodeCode] {
        let count = try FeliCaPacket.checkByte(packet, at: countOffset, of: "number of nodes")
        try FeliCaPacket.checkEnd(packet, at: countOffset + 1 + 2 * count, of: "node code list")
        return packet.littleEndian16s(count, at: countOffset + 1).map(NodeCode.init)
    }

    /// Appends count and list.
    static func write(_ nodes: [NodeCode], into buffer: inout FrameBuffer) {
        buffer.append(UInt8(truncatingIfNeeded: nodes.count))
        for node in nodes { buffer.append(littleEndian: node.rawValue) }
    }
}
