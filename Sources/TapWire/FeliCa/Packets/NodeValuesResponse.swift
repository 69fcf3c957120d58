/// An answer with one number for each node, in the order of the request.
///
/// ```
/// LEN | code + 1 | IDm (8) | n | number (LE) × n
/// ```
public struct NodeValuesResponse<Command: FeliCaCommand>: FrameValue {
    public var idm: IDm
    /// The numbers: key versions of Request Service, block counts of Request Block Information.
    public var values: [UInt16]

    public init(idm: IDm, values: [UInt16]) {
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

    /// Appends all that comes before the numbers; the caller appends as many as it announces.
    @inline(always)
    public static func writeHeader(idm: IDm, count: Int, into buffer: inout FrameBuffer) {
        buffer.append(listHeader: count, Command.code.response, idm)
    }
}
