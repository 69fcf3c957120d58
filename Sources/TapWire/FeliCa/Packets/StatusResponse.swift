/// An answer that is only status flags.
///
/// ```
/// 0C | code + 1 | IDm (8) | status flag 1 | status flag 2
/// ```
public struct StatusResponse<Command: FeliCaCommand>: FixedLengthPacket {
    /// Length of the packet, LEN included.
    public static var length: Int { FeliCaPacket.statusLength }
    /// The code of the response.
    public static var packetCode: CommandCode { Command.code.response }

    /// IDm of the system.
    public var idm: IDm
    /// Status flags.
    public var status: StatusFlags

    /// Creates an answer.
    public init(idm: IDm, status: StatusFlags = .success) {
        self.idm = idm
        self.status = status
    }

    /// Reads the fields of a packet whose length and code the caller has checked.
    @inlinable
    public init(unchecked packet: Span<UInt8>) {
        idm = packet.idm
        status = packet.status
    }

    /// Appends the packet.
    public func write(into buffer: inout FrameBuffer) {
        FeliCaPacket.writeStatus(status, code: Self.packetCode, idm: idm, into: &buffer)
    }
}
