extension CommandCode {
    public static let getContainerIssueInformation = CommandCode(0x22)
    public static let getContainerProperty = CommandCode(0x2E)
    public static let getContainerID = CommandCode(0x70)
}

/// Get Container Issue Information, command code 22: format version, carrier and model of the phone that contains the card.
///
/// ```
/// command   0C | 22 | IDm (8) | 00 00
/// response  1A | 23 | IDm (8) | format version and carrier (5) | phone model (11, ASCII)
/// ```
/// Source: measured by felica-tool on Mobile FeliCa 4.0 and 4.1.
public enum GetContainerIssueInformation: FeliCaCommand {
    public static let code = CommandCode.getContainerIssueInformation
    package static let description = CommandDescription.measured(
        code, "Get Container Issue Information", word: "get_container_issue_information",
        "Returns the format version, carrier and model of the phone that contains the card.",
        command: .reserved,
        response: [
            .field(.idm), .field(FrameField("format version and carrier", 5)),
            .field(FrameField("phone model", 11, .plain, .text)),
        ])

    public typealias Request = ReservedRequest<GetContainerIssueInformation>

    public struct Response: FixedLengthPacket {
        public static let length = 26
        public static var packetCode: CommandCode { code.response }

        public var idm: IDm
        /// The sixteen bytes: five bytes of format version and carrier, eleven bytes of phone model.
        package var information: BlockData

        public init(idm: IDm, information: BlockData) {
            self.idm = idm
            self.information = information
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

/// Get Container Property, command code 2E: returns a property of the phone's container by index.
///
/// ```
/// command   04  | 2E | index (LE)
/// response  LEN | 2F | data
/// ```
/// It has no IDm. Source: measured by felica-tool on Mobile FeliCa 4.1; the command's name also comes from felica-tool.
public enum GetContainerProperty: FeliCaCommand {
    public static let code = CommandCode.getContainerProperty
    package static let description = CommandDescription.measured(
        code, "Get Container Property", word: "get_container_property",
        "Returns a property of the phone's container by index.",
        notes: ["The command has no IDm."],
        command: [.field(.number("index"))], response: [.field(.rest("property"))])

    public static let maximumDataLength = FeliCaPacket.maximumLength - FeliCaPacket.minimumLength

    public struct Request: FixedLengthPacket {
        public static let length = 4
        public static var packetCode: CommandCode { code }

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
        /// The property, whose meaning is unpublished.
        package var data: [UInt8]

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

/// Get Container ID, command code 70: returns the IDm of the container of a phone's cards.
///
/// ```
/// command   04 | 70 | 00 00
/// response  0A | 71 | container IDm (8)
/// ```
/// The command has no IDm. Source: measured by felica-tool on Mobile FeliCa 4.1.
public enum GetContainerID: FeliCaCommand {
    public static let code = CommandCode.getContainerID
    package static let description = CommandDescription.measured(
        code, "Get Container ID", word: "get_container_id",
        "Returns the IDm of the container that holds a phone's cards.",
        notes: ["The command has no IDm."],
        command: [.field(.reserved(2))], response: [.field(FrameField("container IDm", 8, .plain, .containerIDm))])

    public struct Request: FixedLengthPacket {
        public static let length = 4
        public static var packetCode: CommandCode { code }

        /// Reserved, zero; high byte first.
        package var reserved: UInt16

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

        package var containerIDm: IDm

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
