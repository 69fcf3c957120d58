/// Request Response, command code 04: whether the card is there, and its mode.
///
/// ```
/// command   0A | 04 | IDm (8)
/// response  0B | 05 | IDm (8) | mode
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Request Response".
public enum RequestResponse: FeliCaCommand {
    public static let code = CommandCode.requestResponse

    public typealias Request = IDmRequest<RequestResponse>

    public struct Response: FixedLengthPacket {
        public static let length = 11
        public static var packetCode: CommandCode { code.response }

        public var idm: IDm
        /// The mode, 00 to 03.
        public var mode: UInt8

        public init(idm: IDm, mode: UInt8) {
            self.idm = idm
            self.mode = mode
        }

        @inlinable
        public init(unchecked packet: Span<UInt8>) {
            idm = packet.idm
            mode = packet[10]
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, Self.packetCode, idm)
            buffer.append(mode)
        }
    }
}
