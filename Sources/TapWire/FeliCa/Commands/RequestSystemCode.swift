/// Request System Code, command code 0C: the systems of a card.
///
/// ```
/// command   0A  | 0C | IDm (8)
/// response  LEN | 0D | IDm (8) | n | system code (BE) × n
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Request System Code".
public enum RequestSystemCode: FeliCaCommand {
    public static let code = CommandCode.requestSystemCode

    public typealias Request = IDmRequest<RequestSystemCode>

    public struct Response: FrameValue {
        /// IDm of the system that was asked.
        public var idm: IDm
        /// System codes from system 0 upward.
        public var systems: [SystemCode]

        public init(idm: IDm, systems: [SystemCode]) {
            self.idm = idm
            self.systems = systems
        }

        public init(parsing packet: Span<UInt8>) throws(WireError) {
            try FeliCaPacket.check(packet, code.response, length: 11...FeliCaPacket.maximumLength)
            try FeliCaPacket.checkEnd(packet, at: 11 + 2 * Int(packet[10]), of: "system code list")
            idm = packet.idm
            systems = (0..<Int(packet[10])).map { SystemCode(packet.bigEndian16(at: 11 + 2 * $0)) }
        }

        public func write(into buffer: inout FrameBuffer) {
            Self.writeHeader(idm: idm, count: systems.count, into: &buffer)
            for system in systems { buffer.append(bigEndian: system.rawValue) }
        }

        /// Appends all that comes before the system codes; the caller appends as many as it announces.
        public static func writeHeader(idm: IDm, count: Int, into buffer: inout FrameBuffer) {
            buffer.append(listHeader: count, code.response, idm)
        }
    }
}
