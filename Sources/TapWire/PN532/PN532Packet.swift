/// What the host and a PN532 say to each other, without the frame around it.
///
/// ```
/// host to chip   D4 | code | data
/// chip to host   D5 | code + 1 | data
/// chip to host   7F: the command is not known, or its syntax is wrong
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "frames structure".
package enum PN532Packet {
    /// TFI from the host to the chip.
    package static let toChip: UInt8 = 0xD4
    /// TFI from the chip to the host.
    package static let toHost: UInt8 = 0xD5
    /// What stands for TFI in an error frame.
    package static let syntaxError: UInt8 = 0x7F
    /// Most bytes of data behind the code.
    package static let maximumData = 263

    /// A command.
    package struct Command: WireValue {
        package var code: PN532Code
        /// What follows it.
        package var data: [UInt8]

        package init(_ code: PN532Code, _ data: [UInt8] = []) {
            self.code = code
            self.data = data
        }

        /// Reads a command.
        package init(parsing bytes: Span<UInt8>) throws(WireError) {
            let (code, data) = try PN532Packet.parts(of: bytes, toChip)
            self.init(code, data)
        }

        package var bytes: [UInt8] { [toChip, code.rawValue] + data }
    }

    /// An answer.
    package enum Answer: WireValue {
        /// What a command is answered, under its own code plus one.
        case data(to: PN532Code, [UInt8])
        /// The command is not known, or its syntax is wrong.
        case syntaxError

        /// Reads an answer.
        package init(parsing bytes: Span<UInt8>) throws(WireError) {
            if bytes.count == 1, bytes[0] == PN532Packet.syntaxError {
                self = .syntaxError
            } else {
                let (code, data) = try PN532Packet.parts(of: bytes, toHost)
                self = .data(to: PN532Code(code.rawValue &- 1), data)
            }
        }

        package var bytes: [UInt8] {
            switch self {
            case .data(let code, let data): [toHost, code.answer.rawValue] + data
            case .syntaxError: [PN532Packet.syntaxError]
            }
        }
    }

    private static func parts(of bytes: Span<UInt8>, _ tfi: UInt8) throws(WireError) -> (PN532Code, [UInt8]) {
        guard bytes.count >= 2 else { throw WireError(.truncated, at: bytes.count, in: "PN532 packet") }
        guard bytes[0] == tfi else {
            throw WireError(.wrongCode, at: 0, in: "TFI", "\(Hex.digits(tfi, width: 2)) is needed here")
        }
        return (PN532Code(bytes[1]), bytes.array(2..<bytes.count))
    }

    /// The data behind a code.
    ///
    /// - Throws: ``WireError`` if the packet goes the other way or has another code.
    static func data(of bytes: Span<UInt8>, _ tfi: UInt8, _ code: PN532Code) throws(WireError) -> [UInt8] {
        let (found, data) = try parts(of: bytes, tfi)
        guard found == code else {
            throw WireError(.wrongCode, at: 1, in: "PN532 packet", "\(found) instead of \(code)")
        }
        return data
    }
}

/// A PN532 command: its code and the two packets that belong to it.
package protocol PN532Command: Sendable {
    /// What the host sends.
    associatedtype Request: PN532Value
    /// What the chip answers.
    associatedtype Response: PN532Value

    static var code: PN532Code { get }
}

/// A PN532 packet of one command.
package protocol PN532Value: WireValue {
    static var tfi: UInt8 { get }
    static var packetCode: PN532Code { get }

    init(data: [UInt8]) throws(WireError)

    var data: [UInt8] { get }
}

extension PN532Value {
    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        try self.init(data: PN532Packet.data(of: bytes, Self.tfi, Self.packetCode))
    }

    /// The packet.
    package var bytes: [UInt8] { [Self.tfi, Self.packetCode.rawValue] + data }
}

/// The code of a PN532 command; the answer has the next one.
///
/// Source: NXP, PN532 user manual UM0701-02, "commands".
package struct PN532Code: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8

    package init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Diagnose.
    package static let diagnose = PN532Code(0x00)
    /// GetFirmwareVersion.
    package static let getFirmwareVersion = PN532Code(0x02)
    /// GetGeneralStatus.
    package static let getGeneralStatus = PN532Code(0x04)
    /// ReadRegister.
    package static let readRegister = PN532Code(0x06)
    /// WriteRegister.
    package static let writeRegister = PN532Code(0x08)
    /// ReadGPIO.
    package static let readGPIO = PN532Code(0x0C)
    /// WriteGPIO.
    package static let writeGPIO = PN532Code(0x0E)
    /// SetSerialBaudRate.
    package static let setSerialBaudRate = PN532Code(0x10)
    /// SetParameters.
    package static let setParameters = PN532Code(0x12)
    /// SAMConfiguration.
    package static let samConfiguration = PN532Code(0x14)
    /// PowerDown.
    package static let powerDown = PN532Code(0x16)
    /// RFConfiguration.
    package static let rfConfiguration = PN532Code(0x32)
    /// RFRegulationTest.
    package static let rfRegulationTest = PN532Code(0x58)
    /// InDataExchange.
    package static let inDataExchange = PN532Code(0x40)
    /// InCommunicateThru.
    package static let inCommunicateThru = PN532Code(0x42)
    /// InDeselect.
    package static let inDeselect = PN532Code(0x44)
    /// InJumpForPSL.
    package static let inJumpForPSL = PN532Code(0x46)
    /// InListPassiveTarget.
    package static let inListPassiveTarget = PN532Code(0x4A)
    /// InPSL.
    package static let inPSL = PN532Code(0x4E)
    /// InATR.
    package static let inATR = PN532Code(0x50)
    /// InRelease.
    package static let inRelease = PN532Code(0x52)
    /// InSelect.
    package static let inSelect = PN532Code(0x54)
    /// InJumpForDEP.
    package static let inJumpForDEP = PN532Code(0x56)
    /// InAutoPoll.
    package static let inAutoPoll = PN532Code(0x60)
    /// TgInitAsTarget.
    package static let tgInitAsTarget = PN532Code(0x8C)

    /// The code of the answer.
    package var answer: PN532Code { PN532Code(rawValue &+ 1) }

    /// Two hexadecimal digits.
    package var description: String { Hex.digits(rawValue, width: 2) }
}

/// The status byte of an answer; bits 7 and 6 belong to other protocols and are zero here.
///
/// Source: NXP, PN532 user manual UM0701-02, "error handling".
package struct PN532Status: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8

    package init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let ok = PN532Status(0x00)
    /// The target has not answered.
    package static let timeout = PN532Status(0x01)
    /// The CRC of the answer is wrong.
    package static let badCRC = PN532Status(0x02)
    /// The parity of the answer is wrong.
    package static let badParity = PN532Status(0x03)
    /// The framing of the answer is wrong.
    package static let badFraming = PN532Status(0x05)
    /// The answer is longer than the buffer.
    package static let overflow = PN532Status(0x09)
    /// The data do not fit the protocol.
    package static let wrongFormat = PN532Status(0x13)
    /// Authentication failed.
    package static let authentication = PN532Status(0x14)
    /// The command does not fit what went before, or there is no such target.
    package static let wrongContext = PN532Status(0x27)
    /// The target has been released.
    package static let released = PN532Status(0x29)

    /// Whether the command was carried out.
    package var isOK: Bool { rawValue & 0x3F == 0 }

    /// Two hexadecimal digits.
    package var description: String { Hex.digits(rawValue, width: 2) }
}
