/// Set Parameter, command code 20: the encryption type and the size of node codes in later packets.
///
/// ```
/// command   12 | 20 | IDm (8) | 00 00 00 00 | encryption type | packet type | 00 00
/// response  0C | 21 | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: measured by felica-tool on Mobile FeliCa 4.1.
public enum SetParameter: FeliCaCommand {
    public static let code = CommandCode.setParameter

    public typealias Response = StatusResponse<SetParameter>

    /// How later packets are encrypted.
    public enum EncryptionType {
        /// SRM1.
        public static let srm1: UInt8 = 0
        /// SRM2.
        public static let srm2: UInt8 = 1
    }

    /// How large node codes are in later packets.
    public enum PacketType {
        /// Two bytes.
        public static let twoByteNodes: UInt8 = 0
        /// Four bytes.
        public static let fourByteNodes: UInt8 = 1
    }

    public struct Request: FixedLengthPacket {
        public static let length = 18
        public static var packetCode: CommandCode { code }

        public var idm: IDm
        /// The parameters, eight bytes, the first on the wire highest.
        var rawParameters: UInt64

        public init(idm: IDm, encryptionType: UInt8, packetType: UInt8, reserved: UInt64 = 0) {
            self.idm = idm
            rawParameters = reserved & ~0xFFFF_0000 | UInt64(encryptionType) << 24 | UInt64(packetType) << 16
        }

        /// The encryption type, byte 4 of the parameters.
        public var encryptionType: UInt8 { UInt8(truncatingIfNeeded: rawParameters >> 24) }

        /// The packet type, byte 5 of the parameters.
        public var packetType: UInt8 { UInt8(truncatingIfNeeded: rawParameters >> 16) }

        /// All other bits of the parameters in their places, zero.
        public var reserved: UInt64 { rawParameters & ~0xFFFF_0000 }

        public init(unchecked packet: Span<UInt8>) {
            idm = packet.idm
            rawParameters = packet.bigEndian64(at: 10)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, code, idm)
            buffer.append(bigEndian: rawParameters)
        }
    }
}
