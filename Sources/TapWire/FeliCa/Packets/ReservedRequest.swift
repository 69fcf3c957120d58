/// A command with two reserved bytes behind the IDm.
///
/// ```
/// 0C | code | IDm (8) | reserved (2), 00 00
/// ```
public struct ReservedRequest<Command: FeliCaCommand>: FixedLengthPacket {
    public static var length: Int { 12 }
    public static var packetCode: CommandCode { Command.code }

    public var idm: IDm
    /// Reserved, zero; first byte on the wire highest.
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
