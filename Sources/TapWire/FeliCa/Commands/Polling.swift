extension CommandCode {
    @inlinable public static var polling: CommandCode { CommandCode(0x00) }
}

/// Polling, command code 00: finds cards by system code and selects a system.
///
/// ```
/// command   06 | 00 | system code (2, BE) | request code | time slot
/// response  12 | 01 | IDm (8) | PMm (8)
/// response  14 | 01 | IDm (8) | PMm (8) | request data (2)
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "Polling".
public enum Polling: FeliCaCommand {
    @inlinable public static var code: CommandCode { .polling }
    package static let description = CommandDescription.manual(
        code, "Polling", word: "polling", "Finds cards by system code and selects the first system that matches.",
        notes: [
            "Silence: no system has the code, or the matching system is current and in a session.",
            "A byte FF in the system code matches any byte; FFFF finds only system 0, so poll for FE00 by its own code.",
            "Request code 01 adds the system code to the answer, 02 the communication performance; old cards ignore it.",
        ],
        command: [
            .field(.big("system code", .polledSystem)), .field(.byte("request code", .requestCode)),
            .field(.byte("time slot", .timeSlot)),
        ],
        response: [
            .field(FrameField("IDm", 8, .plain, .foundIDm)), .field(.pmm),
            .optional([.field(.big("request data", .requestData))]),
        ])

    /// The optional data that a reader requests in addition to IDm and PMm.
    public struct RequestCode: Hashable, Sendable {
        public let rawValue: UInt8

        /// Creates a request code; values other than the named ones are reserved.
        @inlinable
        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        @inlinable public static var none: RequestCode { RequestCode(0) }
        @inlinable public static var systemCode: RequestCode { RequestCode(1) }
        @inlinable public static var communicationPerformance: RequestCode { RequestCode(2) }
    }

    /// The time slot byte for sixteen slots, which a reader uses to poll again after a collision.
    package static let sixteenSlots: UInt8 = 0x0F

    public struct Request: FixedLengthPacket {
        public static let length = 6
        public static var packetCode: CommandCode { code }

        /// The system code to look for; a byte `FF` matches any byte.
        public var systemCode: SystemCode
        public var requestCode: RequestCode
        /// The time slot byte: 00, 01, 03, 07, 0F for 1, 2, 4, 8, 16 slots.
        public var timeSlot: UInt8

        public init(systemCode: SystemCode, requestCode: RequestCode = .none, timeSlot: UInt8 = 0) {
            self.systemCode = systemCode
            self.requestCode = requestCode
            self.timeSlot = timeSlot
        }

        @inline(always)
        public init(unchecked packet: Span<UInt8>) {
            systemCode = SystemCode(packet.bigEndian16(at: 2))
            requestCode = RequestCode(packet[4])
            timeSlot = packet[5]
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, code)
            buffer.append(bigEndian: systemCode.rawValue)
            buffer.append(requestCode.rawValue)
            buffer.append(timeSlot)
        }
    }

    public struct Response: FrameValue {
        /// The length without request data, LEN included.
        @inlinable package static var shortLength: Int { 18 }
        /// The length with request data, LEN included.
        @inlinable static var longLength: Int { 20 }

        /// The IDm of the system, which later commands use as the address.
        public var idm: IDm
        public var pmm: PMm
        /// The two bytes requested by the request code, if the card returned any; a system code is big-endian.
        public var requestData: UInt16?

        @inlinable
        public init(idm: IDm, pmm: PMm, requestData: UInt16? = nil) {
            self.idm = idm
            self.pmm = pmm
            self.requestData = requestData
        }

        public init(parsing packet: Span<UInt8>) throws(WireError) {
            try FeliCaPacket.check(packet, code.response, length: Self.shortLength...Self.longLength)
            idm = packet.idm
            pmm = PMm(packet.bigEndian64(at: 10))
            requestData = nil
            guard packet.count > Self.shortLength else { return }
            try FeliCaPacket.checkEnd(packet, at: Self.longLength, of: "request data")
            requestData = packet.bigEndian16(at: Self.shortLength)
        }

        @inline(always)
        public func write(into buffer: inout FrameBuffer) {
            buffer.append(byteCount: Self.shortLength) { bytes in
                bytes.store(header: requestData == nil ? Self.shortLength : Self.longLength, code.response, idm)
                bytes.store(pmm.rawValue.bigEndian, at: FeliCaPacket.idmLength)
            }
            if let requestData { buffer.append(bigEndian: requestData) }
        }
    }
}
