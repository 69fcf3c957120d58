/// Request Specification Version, command code 3C: versions of the card specification and of its options.
///
/// ```
/// command   0C  | 3C | IDm (8) | 00 00
/// response  LEN | 3D | IDm (8) | 00 00 | format (00) | basic version (LE) | k | option version (LE) × k
/// response  0C  | 3D | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Request Specification Version".
public enum RequestSpecificationVersion: FeliCaCommand {
    public static let code = CommandCode.requestSpecificationVersion

    public typealias Request = ReservedRequest<RequestSpecificationVersion>
    public typealias Response = ReportResponse<RequestSpecificationVersion, Versions>

    /// A version: the upper digit is 8, then three decimal digits, so 5.0.0 is 8500.
    public struct Version: Hashable, Sendable, CustomStringConvertible {
        /// The word, little-endian on the wire.
        public let rawValue: UInt16

        @inlinable
        public init(_ rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// The three digits with points between them.
        public var description: String {
            "\(rawValue >> 8 & 0xF).\(rawValue >> 4 & 0xF).\(rawValue & 0xF)"
        }
    }

    public struct Versions: ReportBody {
        /// Most options an answer has room for.
        public static let maximumOptions = (FeliCaPacket.maximumLength - FeliCaPacket.statusLength - 4) / 2

        /// Format of the report, 00.
        public var format: UInt8
        /// Version of the card specification.
        public var basic: Version
        /// Versions of DES, a mobile option, extended overlap, value-limited purse, MAC, random ID, in this order;
        /// 0000 for an option the card lacks.
        public var options: [Version]

        public init(format: UInt8 = 0, basic: Version, options: [Version] = []) {
            self.format = format
            self.basic = basic
            self.options = options
        }

        public init(parsing packet: Span<UInt8>, from offset: Int) throws(WireError) {
            let count = try FeliCaPacket.checkByte(packet, at: offset + 3, of: "number of options")
            try FeliCaPacket.checkEnd(packet, at: offset + 4 + 2 * count, of: "option version list")
            format = packet[offset]
            basic = Version(packet.littleEndian16(at: offset + 1))
            options = packet.littleEndian16s(count, at: offset + 4).map(Version.init)
        }

        public var byteCount: Int { 4 + 2 * options.count }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(format)
            buffer.append(littleEndian: basic.rawValue)
            buffer.append(UInt8(truncatingIfNeeded: options.count))
            for option in options { buffer.append(littleEndian: option.rawValue) }
        }
    }
}
