/// Echo, command code F0 00: the card returns the packet unchanged.
///
/// ```
/// command   LEN | F0 00 | data
/// response  LEN | F0 00 | data
/// ```
/// Source: measured by felica-tool.
public enum Echo: FeliCaCommand {
    /// Command code, and response code.
    public static let code = CommandCode.echo
    /// Length of a packet without data, LEN included.
    public static let minimumLength = 3
    /// Most bytes of data a packet has room for.
    public static let maximumDataLength = FeliCaPacket.maximumLength - minimumLength

    /// The answer, the same as the command.
    public typealias Response = Request

    /// The packet, in both directions.
    public struct Request: FrameValue {
        /// The data to return.
        public var data: [UInt8]

        public init(data: [UInt8]) {
            self.data = data
        }

        public init(parsing packet: Span<UInt8>) throws(WireError) {
            try FeliCaPacket.check(packet, code, length: minimumLength...FeliCaPacket.maximumLength)
            data = packet.array(minimumLength..<packet.count)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: minimumLength + data.count, code)
            buffer.append(data)
        }
    }
}
