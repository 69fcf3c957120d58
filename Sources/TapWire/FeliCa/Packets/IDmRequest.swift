/// A command that says nothing but its code and whom it addresses.
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
