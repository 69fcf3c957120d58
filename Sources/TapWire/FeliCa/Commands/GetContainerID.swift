/// Get Container ID, command code 70: the IDm of the container that holds a phone's cards.
///
/// ```
/// command   04 | 70 | 00 00
/// response  0A | 71 | container IDm (8)
/// ```
/// The command carries no IDm. Source: measured by felica-tool on Mobile FeliCa 4.1.
public enum GetContainerID: FeliCaCommand {
    /// Command code.
    public static let code = CommandCode.getContainerID

    /// The command.
    public struct Request: FixedLengthPacket {
        /// Length of the packet, LEN included.
        public static let length = 4
        /// The code of the command.
        public static var packetCode: CommandCode { code }

        /// Reserved, zero; first byte on the wire highest.
        public var reserved: UInt16

        /// Creates a command.
        public init(reserved: UInt16 = 0) {
            self.reserved = reserved
        }

        /// Reads the fields of a packet whose length and code the caller has checked.
        public init(unchecked packet: Span<UInt8>) {
            reserved = packet.bigEndian16(at: 2)
        }

        /// Appends the packet.
        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, code)
            buffer.append(bigEndian: reserved)
        }
    }

    /// The answer.
    public struct Response: FixedLengthPacket {
        /// Length of the packet, LEN included.
        public static let length = FeliCaPacket.idmLength
        /// The code of the response.
        public static var packetCode: CommandCode { code.response }

        /// IDm of the container.
        public var containerIDm: IDm

        /// Creates an answer.
        public init(containerIDm: IDm) {
            self.containerIDm = containerIDm
        }

        /// Reads the fields of a packet whose length and code the caller has checked.
        public init(unchecked packet: Span<UInt8>) {
            containerIDm = packet.idm
        }

        /// Appends the packet.
        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, Self.packetCode, containerIDm)
        }
    }
}
