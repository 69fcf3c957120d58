/// Request Response, command code 04: whether the card is there, and its mode.
///
/// ```
/// command   0A | 04 | IDm (8)
/// response  0B | 05 | IDm (8) | mode
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Request Response".
public enum RequestResponse: FeliCaCommand {
    /// Command code.
    public static let code = CommandCode.requestResponse

    /// The command.
    public typealias Request = IDmRequest<RequestResponse>

    /// The answer.
    public struct Response: FixedLengthPacket {
        /// Length of the packet, LEN included.
        public static let length = 11
        /// The code of the response.
        public static var packetCode: CommandCode { code.response }

        /// IDm of the system.
        public var idm: IDm
        /// The mode, 00 to 03.
        public var mode: UInt8

        /// Creates an answer.
        public init(idm: IDm, mode: UInt8) {
            self.idm = idm
            self.mode = mode
        }

        /// Reads the fields of a packet whose length and code the caller has checked.
        @inlinable
        public init(unchecked packet: Span<UInt8>) {
            idm = packet.idm
            mode = packet[10]
        }

        /// Appends the packet.
        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, Self.packetCode, idm)
            buffer.append(mode)
        }
    }
}
