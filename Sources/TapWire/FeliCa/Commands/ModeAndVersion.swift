extension CommandCode {
    public static let requestResponse = CommandCode(0x04)
    public static let resetMode = CommandCode(0x3E)
    public static let setParameter = CommandCode(0x20)
    public static let getSystemStatus = CommandCode(0x38)
    public static let requestProductInformation = CommandCode(0x3A)
    public static let requestSpecificationVersion = CommandCode(0x3C)
    @inlinable public static var echo: CommandCode { CommandCode(0xF0, 0x00) }
}

/// Request Response, command code 04: checks that the card is present and returns its mode.
///
/// ```
/// command   0A | 04 | IDm (8)
/// response  0B | 05 | IDm (8) | mode
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Request Response".
public enum RequestResponse: FeliCaCommand {
    public static let code = CommandCode.requestResponse
    package static let description = CommandDescription.manual(
        code, "Request Response", word: "request_response", "Checks that the card is present and returns its mode.",
        notes: ["FeliCa Lite and Lite-S do not answer it."],
        command: [.field(.idm)], response: [.field(.idm), .field(.byte("mode", .mode))])

    public typealias Request = IDmRequest<RequestResponse>

    public struct Response: FixedLengthPacket {
        public static let length = 11
        public static var packetCode: CommandCode { code.response }

        public var idm: IDm
        /// The mode, 00 to 03.
        public var mode: UInt8

        public init(idm: IDm, mode: UInt8) {
            self.idm = idm
            self.mode = mode
        }

        @inlinable
        public init(unchecked packet: Span<UInt8>) {
            idm = packet.idm
            mode = packet[10]
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, Self.packetCode, idm)
            buffer.append(mode)
        }
    }
}

/// Reset Mode, command code 3E: ends a session and returns to Mode0.
///
/// ```
/// command   0C | 3E | IDm (8) | 00 00
/// response  0C | 3F | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Reset Mode".
public enum ResetMode: FeliCaCommand {
    public static let code = CommandCode.resetMode
    package static let description = CommandDescription.manual(
        code, "Reset Mode", word: "reset_mode", "Ends a session and returns the system to Mode0.",
        notes: ["Silence: a card without AES keys, or reserved bytes that are not zero."],
        command: .reserved, response: [.field(.idm), .status(done: "Mode0")])

    public typealias Request = ReservedRequest<ResetMode>
    public typealias Response = StatusResponse<ResetMode>
}

/// Set Parameter, command code 20: sets the encryption type and the size of node codes in later packets.
///
/// ```
/// command   12 | 20 | IDm (8) | 00 00 00 00 | encryption type | packet type | 00 00
/// response  0C | 21 | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: measured by felica-tool on Mobile FeliCa 4.1.
public enum SetParameter: FeliCaCommand {
    public static let code = CommandCode.setParameter
    package static let description = CommandDescription.measured(
        code, "Set Parameter", word: "set_parameter",
        "Chooses the encryption type and the size of node codes in packets.",
        command: [
            .field(.idm), .field(.reserved(4)), .field(.byte("encryption type", .encryptionType)),
            .field(.byte("packet type", .packetType)), .field(.reserved(2)),
        ], response: [.field(.idm), .status(done: "set")])

    public typealias Response = StatusResponse<SetParameter>

    /// The encryption of later packets.
    public enum EncryptionType {
        package static let srm1: UInt8 = 0
        public static let srm2: UInt8 = 1
    }

    /// The size of node codes in later packets.
    public enum PacketType {
        public static let twoByteNodes: UInt8 = 0
    }

    public struct Request: FixedLengthPacket {
        public static let length = 18
        public static var packetCode: CommandCode { code }

        public var idm: IDm
        /// The eight parameter bytes, high byte first.
        var rawParameters: UInt64

        public init(idm: IDm, encryptionType: UInt8, packetType: UInt8, reserved: UInt64 = 0) {
            self.idm = idm
            rawParameters = reserved & ~0xFFFF_0000 | UInt64(encryptionType) << 24 | UInt64(packetType) << 16
        }

        /// The encryption type, byte 4 of the parameters.
        public var encryptionType: UInt8 { UInt8(truncatingIfNeeded: rawParameters >> 24) }

        /// The packet type, byte 5 of the parameters.
        public var packetType: UInt8 { UInt8(truncatingIfNeeded: rawParameters >> 16) }

        /// All other bits of the parameters at their original positions; normally zero.
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

/// Get System Status, command code 38: returns a flag and data of unpublished meaning about the system.
///
/// ```
/// command   0C  | 38 | IDm (8) | 00 00
/// response  LEN | 39 | IDm (8) | 00 00 | flag | number of bytes | data
/// response  0C  | 39 | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: layouts seen by felica-tool.
public enum GetSystemStatus: FeliCaCommand {
    public static let code = CommandCode.getSystemStatus
    package static let description = CommandDescription.aes(
        code, "Get System Status", word: "get_system_status",
        "Returns a flag and data of unpublished meaning about the system.",
        command: .reserved,
        response: [
            .field(.idm), .status(done: ""), .field(.byte("flag")), .count(of: "bytes", "n"),
            .countedBytes(.rest("status data")),
        ])

    public typealias Request = ReservedRequest<GetSystemStatus>
    public typealias Response = ReportResponse<GetSystemStatus, Status>

    public struct Status: ReportBody {
        public static let maximumDataLength = FeliCaPacket.maximumLength - FeliCaPacket.statusLength - 2

        package var flag: UInt8
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

/// Request Product Information, command code 3A: returns product data of the chip.
///
/// ```
/// command   0A  | 3A | IDm (8)
/// response  LEN | 3B | IDm (8) | 00 00 | number of bytes | data
/// response  0C  | 3B | IDm (8) | status flag 1 | status flag 2
/// ```
/// Sources: FeliCa Card User's Manual (Unofficial Edition), "Request Product Information"; felica-tool, which first called
/// the command Get Platform Information.
public enum RequestProductInformation: FeliCaCommand {
    public static let code = CommandCode.requestProductInformation
    package static let description = CommandDescription.aes(
        code, "Request Product Information", word: "request_product_information",
        "Returns product data of the chip; older name: Get Platform Information.",
        command: [.field(.idm)],
        response: [
            .field(.idm), .status(done: ""), .count(of: "bytes", "n"), .countedBytes(.rest("product information")),
        ])

    public typealias Request = IDmRequest<RequestProductInformation>
    public typealias Response = ReportResponse<RequestProductInformation, Information>

    public struct Information: ReportBody {
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

/// Request Specification Version, command code 3C: returns the versions of the card specification and its options.
///
/// ```
/// command   0C  | 3C | IDm (8) | 00 00
/// response  LEN | 3D | IDm (8) | 00 00 | format (00) | basic version (LE) | k | option version (LE) × k
/// response  0C  | 3D | IDm (8) | status flag 1 | status flag 2
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Request Specification Version".
public enum RequestSpecificationVersion: FeliCaCommand {
    public static let code = CommandCode.requestSpecificationVersion
    package static let description = CommandDescription.manual(
        code, "Request Specification Version", word: "request_specification_version",
        "Returns the version of the card specification and of each supported option.",
        notes: ["Silence: a card without AES keys, or reserved bytes that are not zero."],
        command: .reserved,
        response: [
            .field(.idm), .status(done: ""), .field(.byte("format")), .field(.little("basic version", .version)),
            .count(of: "options", "k"), .list([[.little("option version", .version)]]),
        ])

    public typealias Request = ReservedRequest<RequestSpecificationVersion>
    public typealias Response = ReportResponse<RequestSpecificationVersion, Versions>

    /// A version: the upper digit is 8, followed by three decimal digits, so 5.0.0 is 8500.
    public struct Version: Hashable, Sendable, CustomStringConvertible {
        /// The 16-bit value, little-endian when sent.
        public let rawValue: UInt16

        @inlinable
        public init(_ rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// The three digits, separated by points.
        public var description: String {
            "\(rawValue >> 8 & 0xF).\(rawValue >> 4 & 0xF).\(rawValue & 0xF)"
        }
    }

    public struct Versions: ReportBody {
        public static let maximumOptions = (FeliCaPacket.maximumLength - FeliCaPacket.statusLength - 4) / 2

        /// The format of the report, 00.
        package var format: UInt8
        package var basic: Version
        /// The versions of DES, a mobile option, extended overlap, value-limited purse, MAC and random ID, in this order;
        /// 0000 for an option that the card lacks.
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

/// Echo, command code F0 00: the card returns the packet unchanged.
///
/// ```
/// command   LEN | F0 00 | data
/// response  LEN | F0 00 | data
/// ```
/// Source: measured by felica-tool.
public enum Echo: FeliCaCommand {
    /// The code of both command and response.
    public static let code = CommandCode.echo
    package static let description = CommandDescription.echo(
        "Returns the packet unchanged, to test the connection to the card.",
        notes: ["It has no IDm. IC 0B returns at most 238 bytes, FeliCa Lite-S 75; some cards do not answer it."],
        command: [.field(.rest("data"))], response: [.field(.rest("data"))])

    /// The length of a packet without data, LEN included.
    public static let minimumLength = 3
    public static let maximumDataLength = FeliCaPacket.maximumLength - minimumLength

    /// The answer, which is identical to the command.
    public typealias Response = Request

    public struct Request: FrameValue {
        package var data: [UInt8]

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
