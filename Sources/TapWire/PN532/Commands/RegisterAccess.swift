/// ReadRegister, code 06.
///
/// ```
/// command  D4 | 06 | address (2, BE) × n
/// answer   D5 | 07 | value × n
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "ReadRegister".
public enum ReadRegister: PN532Command {
    public static let code = PN532Code.readRegister

    public typealias Response = PN532DataResponse<ReadRegister>

    public struct Request: PN532Value {
        public static var tfi: UInt8 { PN532Packet.toChip }
        public static var packetCode: PN532Code { code }

        /// The registers to read.
        public var registers: [PN532Register]

        public init(_ registers: [PN532Register]) {
            self.registers = registers
        }

        public init(data: [UInt8]) throws(WireError) {
            guard data.count % 2 == 0, !data.isEmpty else {
                throw WireError(.wrongLength, at: 2 + data.count, in: "list of registers", "addresses have two bytes")
            }
            registers = stride(from: 0, to: data.count, by: 2).map { PN532Register(data[$0], data[$0 + 1]) }
        }

        public var data: [UInt8] { registers.flatMap(\.rawValue.bigEndianBytes) }
    }
}

/// WriteRegister, code 08.
///
/// ```
/// command  D4 | 08 | (address (2, BE) | value) × n
/// answer   D5 | 09
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "WriteRegister".
public enum WriteRegister: PN532Command {
    public static let code = PN532Code.writeRegister

    public typealias Response = PN532DataResponse<WriteRegister>

    /// A register and what to write into it.
    public struct Entry: Hashable, Sendable {
        /// The register.
        public var register: PN532Register
        /// What to write.
        public var value: UInt8

        public init(_ register: PN532Register, _ value: UInt8) {
            self.register = register
            self.value = value
        }
    }

    public struct Request: PN532Value {
        public static var tfi: UInt8 { PN532Packet.toChip }
        public static var packetCode: PN532Code { code }

        /// What to write where, in order.
        public var entries: [Entry]

        public init(_ entries: [Entry]) {
            self.entries = entries
        }

        public init(data: [UInt8]) throws(WireError) {
            guard data.count % 3 == 0, !data.isEmpty else {
                throw WireError(.wrongLength, at: 2 + data.count, in: "list of registers", "entries have three bytes")
            }
            entries = stride(from: 0, to: data.count, by: 3).map { start in
                Entry(PN532Register(data[start], data[start + 1]), data[start + 2])
            }
        }

        public var data: [UInt8] { entries.flatMap { $0.register.rawValue.bigEndianBytes + [$0.value] } }
    }
}

/// The address of a register of a PN532.
///
/// Source: NXP, PN532 user manual UM0701-02, "list of SFR and XRAM registers".
public struct PN532Register: Hashable, Sendable, CustomStringConvertible {
    /// The address.
    public let rawValue: UInt16

    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public init(_ high: UInt8, _ low: UInt8) {
        self.init(UInt16(high) << 8 | UInt16(low))
    }

    /// CIU_TxMode: bit 7 CRC, bits 6 to 4 bit rate, bits 1 and 0 framing.
    public static let txMode = PN532Register(0x6302)
    /// CIU_RxMode, as ``txMode``.
    public static let rxMode = PN532Register(0x6303)
    /// CIU_TxControl: bits 1 and 0 field on.
    public static let txControl = PN532Register(0x6304)
    /// CIU_TxAuto: bit 6 100 % ASK.
    public static let txAuto = PN532Register(0x6305)
    /// CIU_ManualRCV: bit 4 parity off.
    public static let manualRCV = PN532Register(0x630D)
    /// CIU_Status2: bit 3 crypto of MIFARE Classic.
    public static let status2 = PN532Register(0x6338)
    /// CIU_FIFOData.
    public static let fifoData = PN532Register(0x6339)
    /// CIU_Control: bit 4 initiator, bits 2 to 0 valid bits of the last byte received.
    public static let control = PN532Register(0x633C)
    /// CIU_BitFraming: bits 2 to 0 bits to send of the last byte.
    public static let bitFraming = PN532Register(0x633D)

    /// Four hexadecimal digits.
    public var description: String { Hex.digits(rawValue, width: 4) }
}
