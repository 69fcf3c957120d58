/// Get Area Information, command code 24: two bytes of unpublished meaning about an area.
///
/// ```
/// command   0C | 24 | IDm (8) | area code (LE)
/// response  10 | 25 | IDm (8) | 00 00 | area code (LE) | data (2)
/// response  0C | 25 | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: measured by felica-tool on Mobile FeliCa 4.1, which also gave the command its name.
public enum GetAreaInformation: FeliCaCommand {
    public static let code = CommandCode.getAreaInformation

    public typealias Response = ReportResponse<GetAreaInformation, Information>

    public struct Request: FixedLengthPacket {
        public static let length = 12
        public static var packetCode: CommandCode { code }

        public var idm: IDm
        /// The area to tell about.
        public var area: NodeCode

        public init(idm: IDm, area: NodeCode) {
            self.idm = idm
            self.area = area
        }

        public init(unchecked packet: Span<UInt8>) {
            idm = packet.idm
            area = NodeCode(packet.littleEndian16(at: 10))
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, code, idm)
            buffer.append(littleEndian: area.rawValue)
        }
    }

    public struct Information: ReportBody {
        public var area: NodeCode
        /// The two bytes, the first on the wire highest.
        public var data: UInt16

        public init(area: NodeCode, data: UInt16) {
            self.area = area
            self.data = data
        }

        public init(parsing packet: Span<UInt8>, from offset: Int) throws(WireError) {
            try FeliCaPacket.checkEnd(packet, at: offset + 4, of: "area information")
            area = NodeCode(packet.littleEndian16(at: offset))
            data = packet.bigEndian16(at: offset + 2)
        }

        public var byteCount: Int { 4 }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(littleEndian: area.rawValue)
            buffer.append(bigEndian: data)
        }
    }
}
