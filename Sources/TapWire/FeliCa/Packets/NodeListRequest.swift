/// A command about a list of nodes.
///
/// ```
/// LEN | code | IDm (8) | n | node code (LE) × n
/// ```
public struct NodeListRequest<Command: FeliCaCommand>: FrameValue {
    /// Offset of n.
    public static var countOffset: Int { 10 }

    public var idm: IDm
    /// The nodes: services, areas, or the system.
    public var nodes: [NodeCode]

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
