/// Get System Status, command code 38: a flag and data about the system, their meaning unpublished.
///
/// ```
/// command   0C  | 38 | IDm (8) | 00 00
/// response  LEN | 39 | IDm (8) | 00 00 | flag | number of bytes | data
/// response  0C  | 39 | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: layouts seen by felica-tool.
public enum GetSystemStatus: FeliCaCommand {
    public static let code = CommandCode.getSystemStatus

    public typealias Request = ReservedRequest<GetSystemStatus>
    public typealias Response = ReportResponse<GetSystemStatus, Status>

    public struct Status: ReportBody {
        /// Most bytes of data an answer has room for.
        public static let maximumDataLength = FeliCaPacket.maximumLength - FeliCaPacket.statusLength - 2

        /// The flag.
        public var flag: UInt8
        public var data: [UInt8]

        public init(flag: UInt8 = 0, data: [UInt8] = []) {
            self.flag = flag
            self.data = data
        }

        public init(parsing packet: Span<UInt8>, from offset: Int) throws(WireError) {
            let count = try FeliCaPacket.checkByte(packet, at: offset + 1, of: "number of status bytes")
            let end = offset + 2 + count
            try FeliCaPacket.checkEnd(packet, at: end, of: "status data")
            flag = packet[offset]
            data = packet.array(offset + 2..<end)
        }

        public var byteCount: Int { 2 + data.count }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(flag)
            buffer.append(UInt8(truncatingIfNeeded: data.count))
            buffer.append(data)
        }
    }
}
