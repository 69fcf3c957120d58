/// A packet to the chip with unstructured data.
package struct PN532DataRequest<Command: PN532Command>: PN532Request {
    package var data: [UInt8]

    package init(_ data: [UInt8] = []) {
        self.data = data
    }

    package init(data: [UInt8]) {
        self.init(data)
    }
}

/// An answer of the chip with unstructured data.
package struct PN532DataResponse<Command: PN532Command>: PN532Response {
    package var data: [UInt8]

    package init(_ data: [UInt8] = []) {
        self.data = data
    }

    package init(data: [UInt8]) {
        self.init(data)
    }
}

/// An answer of the chip that begins with a status.
///
/// ```
/// D5 | code + 1 | status | data
/// ```
package struct PN532StatusResponse<Command: PN532Command>: PN532Response {
    package var status: PN532Status
    package var answer: [UInt8]

    package init(_ status: PN532Status, _ answer: [UInt8] = []) {
        self.status = status
        self.answer = answer
    }

    package init(data: [UInt8]) throws(WireError) {
        guard let status = data.first else { throw WireError(.truncated, at: 2, in: "status") }
        self.init(PN532Status(status), Array(data.dropFirst()))
    }

    package var data: [UInt8] { [status.rawValue] + answer }
}

/// GetFirmwareVersion, code 02.
///
/// ```
/// command  D4 | 02
/// answer   D5 | 03 | IC | version | revision | support
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "GetFirmwareVersion".
package enum GetFirmwareVersion: PN532Command {
    package static let code = PN532Code.getFirmwareVersion

    package typealias Request = PN532DataRequest<GetFirmwareVersion>

    package struct Response: PN532Response {
        package typealias Command = GetFirmwareVersion

        /// The chip; 32 is a PN532.
        package var ic: UInt8
        package var version: UInt8
        var revision: UInt8
        /// Supported standards: bit 0 type A, bit 1 type B, bit 2 ISO/IEC 18092.
        var support: UInt8

        package init(ic: UInt8, version: UInt8, revision: UInt8, support: UInt8) {
            self.ic = ic
            self.version = version
            self.revision = revision
            self.support = support
        }

        /// The answer of a PN532 with firmware 1.6.
        package static let pn532 = Response(ic: 0x32, version: 1, revision: 6, support: 7)

        package init(data: [UInt8]) throws(WireError) {
            try WireError.requireCount(data.count, is: 4, of: "firmware version")
            self.init(ic: data[0], version: data[1], revision: data[2], support: data[3])
        }

        package var data: [UInt8] { [ic, version, revision, support] }
    }
}

/// RFConfiguration, code 32.
///
/// ```
/// command  D4 | 32 | item | data
/// answer   D5 | 33
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "RFConfiguration".
package enum RFConfiguration: PN532Command {
    package static let code = PN532Code.rfConfiguration

    package typealias Response = PN532DataResponse<RFConfiguration>

    package enum Request: PN532Request {
        package typealias Command = RFConfiguration

        /// The RF field: bit 0 on, bit 1 automatic collision avoidance.
        case field(UInt8)
        /// The number of retries of a search: for ATR_REQ, PSL_REQ and passive targets; FF retries passive targets forever.
        case searchRetries(atr: UInt8, psl: UInt8, passive: UInt8)
        /// Timeouts, retries of exchanges and analog settings, by item number.
        case other(item: UInt8, [UInt8])

        package init(data: [UInt8]) throws(WireError) {
            guard let item = data.first else { throw WireError(.truncated, at: 2, in: "item") }
            let value = Array(data.dropFirst())
            switch (item, value.count) {
            case (0x01, 1): self = .field(value[0])
            case (0x05, 3): self = .searchRetries(atr: value[0], psl: value[1], passive: value[2])
            case (0x01, _), (0x05, _): throw WireError(.wrongLength, at: 3, in: "RF configuration")
            default: self = .other(item: item, value)
            }
        }

        package var data: [UInt8] {
            switch self {
            case .field(let value): [0x01, value]
            case .searchRetries(let atr, let psl, let passive): [0x05, atr, psl, passive]
            case .other(let item, let value): [item] + value
            }
        }
    }
}

/// ReadRegister, code 06.
///
/// ```
/// command  D4 | 06 | address (2, BE) × n
/// answer   D5 | 07 | value × n
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "ReadRegister".
package enum ReadRegister: PN532Command {
    package static let code = PN532Code.readRegister

    package typealias Response = PN532DataResponse<ReadRegister>

    package struct Request: PN532Request {
        package typealias Command = ReadRegister

        package var registers: [PN532Register]

        package init(_ registers: [PN532Register]) {
            self.registers = registers
        }

        package init(data: [UInt8]) throws(WireError) {
            guard data.count % 2 == 0, !data.isEmpty else {
                throw WireError(.wrongLength, at: 2 + data.count, in: "list of registers", "addresses have two bytes")
            }
            registers = stride(from: 0, to: data.count, by: 2).map { PN532Register(data[$0], data[$0 + 1]) }
        }

        package var data: [UInt8] { registers.flatMap(\.rawValue.bigEndianBytes) }
    }
}

/// WriteRegister, code 08.
///
/// ```
/// command  D4 | 08 | (address (2, BE) | value) × n
/// answer   D5 | 09
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "WriteRegister".
package enum WriteRegister: PN532Command {
    package static let code = PN532Code.writeRegister

    package typealias Response = PN532DataResponse<WriteRegister>

    package struct Entry: Hashable, Sendable {
        package var register: PN532Register
        package var value: UInt8

        package init(_ register: PN532Register, _ value: UInt8) {
            self.register = register
            self.value = value
        }
    }

    package struct Request: PN532Request {
        package typealias Command = WriteRegister

        package var entries: [Entry]

        package init(_ entries: [Entry]) {
            self.entries = entries
        }

        package init(data: [UInt8]) throws(WireError) {
            guard data.count % 3 == 0, !data.isEmpty else {
                throw WireError(.wrongLength, at: 2 + data.count, in: "list of registers", "entries have three bytes")
            }
            entries = stride(from: 0, to: data.count, by: 3).map { start in
                Entry(PN532Register(data[start], data[start + 1]), data[start + 2])
            }
        }

        package var data: [UInt8] { entries.flatMap { $0.register.rawValue.bigEndianBytes + [$0.value] } }
    }
}

/// The address of a register of a PN532.
///
/// Source: NXP, PN532 user manual UM0701-02, "list of SFR and XRAM registers".
package struct PN532Register: OpenCode, CustomStringConvertible {
    package let rawValue: UInt16

    package init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package init(_ high: UInt8, _ low: UInt8) {
        self.init(UInt16(high) << 8 | UInt16(low))
    }

    /// CIU_TxMode: bit 7 CRC, bits 6 to 4 bit rate, bits 1 and 0 framing.
    package static let txMode = PN532Register(0x6302)
    /// CIU_RxMode, with the same bits as ``txMode``.
    package static let rxMode = PN532Register(0x6303)
    /// CIU_TxControl: bits 1 and 0 RF field on.
    package static let txControl = PN532Register(0x6304)
    /// CIU_TxAuto: bit 6 100% ASK.
    package static let txAuto = PN532Register(0x6305)
    /// CIU_ManualRCV: bit 4 parity off.
    package static let manualRCV = PN532Register(0x630D)
    package static let fifoData = PN532Register(0x6339)
    /// CIU_Control: bit 4 initiator, bits 2 to 0 valid bits of the last byte received.
    package static let control = PN532Register(0x633C)
    /// CIU_BitFraming: bits 2 to 0 number of bits to send of the last byte.
    package static let bitFraming = PN532Register(0x633D)
}
