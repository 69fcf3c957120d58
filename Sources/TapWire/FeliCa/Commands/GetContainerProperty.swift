/// Get Container Property, command code 2E: a property of the phone's container by index.
///
/// ```
/// command   04  | 2E | index (LE)
/// response  LEN | 2F | data
/// ```
/// It carries no IDm. Source: measured by felica-tool on Mobile FeliCa 4.1, which also gave the command its name.
public enum GetContainerProperty: FeliCaCommand {
    public static let code = CommandCode.getContainerProperty
    /// Most bytes of data an answer has room for.
    public static let maximumDataLength = FeliCaPacket.maximumLength - FeliCaPacket.minimumLength

    public struct Request: FixedLengthPacket {
        public static let length = 4
        public static var packetCode: CommandCode { code }

        /// Index of the property.
        public var index: UInt16

        public init(index: UInt16) {
            self.index = index
        }

        public init(unchecked packet: Span<UInt8>) {
            index = packet.littleEndian16(at: 2)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, code)
            buffer.append(littleEndian: index)
        }
    }

    public struct Response: FrameValue {
        /// The property, its meaning unpublished.
        public var data: [UInt8]

        public init(data: [UInt8]) {
            self.data = data
        }

        public init(parsing packet: Span<UInt8>) throws(WireError) {
            let lengths = FeliCaPacket.minimumLength...FeliCaPacket.maximumLength
            try FeliCaPacket.check(packet, code.response, length: lengths)
            data = packet.array(FeliCaPacket.minimumLength..<packet.count)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: FeliCaPacket.minimumLength + data.count, code.response)
            buffer.append(data)
        }
    }
}
