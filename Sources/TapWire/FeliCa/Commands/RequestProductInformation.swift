/// Request Product Information, command code 3A: product data of the chip.
///
/// ```
/// command   0A  | 3A | IDm (8)
/// response  LEN | 3B | IDm (8) | 00 00 | number of bytes | data
/// response  0C  | 3B | IDm (8) | status flag 1 | status flag 2
/// ```
/// Sources: FeliCa Card User's Manual (Unofficial Edition), "Request Product Information"; felica-tool, which first
/// called it Get Platform Information.
public enum RequestProductInformation: FeliCaCommand {
    public static let code = CommandCode.requestProductInformation

    public typealias Request = IDmRequest<RequestProductInformation>
    public typealias Response = ReportResponse<RequestProductInformation, Information>

    public struct Information: ReportBody {
        /// Most bytes of data an answer has room for.
        public static let maximumDataLength = FeliCaPacket.maximumLength - FeliCaPacket.statusLength - 1

        public var data: [UInt8]

        public init(data: [UInt8] = []) {
            self.data = data
        }

        public init(parsing packet: Span<UInt8>, from offset: Int) throws(WireError) {
            let end = offset + 1 + Int(packet[offset])
            try FeliCaPacket.checkEnd(packet, at: end, of: "product information")
            data = packet.array(offset + 1..<end)
        }

        public var byteCount: Int { 1 + data.count }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(UInt8(truncatingIfNeeded: data.count))
            buffer.append(data)
        }
    }
}
