/// Get Container Issue Information, command code 22: format, carrier and model of the phone around the card.
///
/// ```
/// command   0C | 22 | IDm (8) | 00 00
/// response  1A | 23 | IDm (8) | format version and carrier (5) | phone model (11, ASCII)
/// ```
/// Source: measured by felica-tool on Mobile FeliCa 4.0 and 4.1.
public enum GetContainerIssueInformation: FeliCaCommand {
    public static let code = CommandCode.getContainerIssueInformation

    public typealias Request = ReservedRequest<GetContainerIssueInformation>

    public struct Response: FixedLengthPacket {
        public static let length = 26
        public static var packetCode: CommandCode { code.response }

        public var idm: IDm
        /// The sixteen bytes: five of format version and carrier, eleven of the phone model.
        public var information: BlockData

        public init(idm: IDm, information: BlockData) {
            self.idm = idm
            self.information = information
        }

        /// Format version and carrier, five bytes.
        public var formatVersionCarrier: [UInt8] { Array(information.bytes.prefix(5)) }

        /// The phone model as text, bytes that are no printable ASCII left out.
        public var phoneModel: String {
            String(decoding: information.bytes.dropFirst(5).filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
        }

        public init(unchecked packet: Span<UInt8>) {
            idm = packet.idm
            information = BlockData(packet, at: 10)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, Self.packetCode, idm)
            buffer.append(information.simd)
        }
    }
}
