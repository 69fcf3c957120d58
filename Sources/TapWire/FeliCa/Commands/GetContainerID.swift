/// Get Container ID, command code 70: the IDm of the container that holds a phone's cards.
///
/// ```
/// command   04 | 70 | 00 00
/// response  0A | 71 | container IDm (8)
/// ```
/// The command carries no IDm. Source: measured by felica-tool on Mobile FeliCa 4.1.
public enum GetContainerID: FeliCaCommand {
    public static let code = CommandCode.getContainerID

    public struct Request: FixedLengthPacket {
        public static let length = 4
        public static var packetCode: CommandCode { code }

        /// Reserved, zero; first byte on the wire highest.
        public var reserved: UInt16

        public init(reserved: UInt16 = 0) {
            self.reserved = reserved
        }

        public init(unchecked packet: Span<UInt8>) {
            reserved = packet.bigEndian16(at: 2)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, code)
            buffer.append(bigEndian: reserved)
        }
    }

    public struct Response: FixedLengthPacket {
        public static let length = FeliCaPacket.idmLength
        public static var packetCode: CommandCode { code.response }

        /// IDm of the container.
        public var containerIDm: IDm

        public init(containerIDm: IDm) {
            self.containerIDm = containerIDm
        }

        public init(unchecked packet: Span<UInt8>) {
            containerIDm = packet.idm
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, Self.packetCode, containerIDm)
        }
    }
}
