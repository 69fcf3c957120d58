/// An answer that is only status flags.
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
