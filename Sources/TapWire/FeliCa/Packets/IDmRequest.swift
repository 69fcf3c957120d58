/// A command that says nothing but its code and whom it addresses.
///
/// ```
/// 0A | code | IDm (8)
/// ```
public struct IDmRequest<Command: FeliCaCommand>: FixedLengthPacket {
    /// Length of the packet, LEN included.
    public static var length: Int { FeliCaPacket.idmLength }
    /// The code of the command.
    public static var packetCode: CommandCode { Command.code }

    /// IDm of the system.
    public var idm: IDm

    /// Creates a command.
    public init(idm: IDm) {
        self.idm = idm
    }

    /// Reads the fields of a packet whose length and code the caller has checked.
    @inlinable
    public init(unchecked packet: Span<UInt8>) {
        idm = packet.idm
    }

    /// Appends the packet.
    public func write(into buffer: inout FrameBuffer) {
        buffer.append(header: Self.length, Command.code, idm)
    }
}
