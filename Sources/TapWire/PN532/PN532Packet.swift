/// A packet between a host and a PN532, without the surrounding frame.
///
/// ```
/// host to chip   D4 | code | data
/// chip to host   D5 | code + 1 | data
/// chip to host   7F: the command is not known, or its syntax is wrong
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "frames structure".
package enum PN532Packet {
    /// The TFI of packets from the host to the chip.
    package static let toChip: UInt8 = 0xD4
    package static let toHost: UInt8 = 0xD5
    /// The byte used instead of a TFI in an error frame.
    package static let syntaxError: UInt8 = 0x7F
    /// The maximum number of data bytes after the code.
    package static let maximumData = 263

    package struct Command: WireValue {
        package var code: PN532Code
        package var data: [UInt8]

        package init(_ code: PN532Code, _ data: [UInt8] = []) {
            self.code = code
            self.data = data
        }

        package init(parsing bytes: Span<UInt8>) throws(WireError) {
            let (code, data) = try PN532Packet.parts(of: bytes, toChip)
            self.init(code, data)
        }

        package var bytes: [UInt8] { [toChip, code.rawValue] + data }
    }

    package enum Answer: WireValue {
        /// The answer to a command; its code is the command's code plus one.
        case data(to: PN532Code, [UInt8])
        /// The command is unknown, or its syntax is wrong.
        case syntaxError

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
            throw WireError(.wrongCode, at: 0, in: "TFI", "expected \(Hex.digits(tfi, width: 2))")
        }
        return (PN532Code(bytes[1]), bytes.array(2..<bytes.count))
    }

    /// The data after a code; throws ``WireError`` if the packet has the wrong direction or another code.
    static func data(of bytes: Span<UInt8>, _ tfi: UInt8, _ code: PN532Code) throws(WireError) -> [UInt8] {
        let (found, data) = try parts(of: bytes, tfi)
        guard found == code else {
            throw WireError(.wrongCode, at: 1, in: "PN532 packet", "\(found) instead of \(code)")
        }
        return data
    }
}

/// A PN532 command: its code and its request and response packets.
package protocol PN532Command: Sendable {
    associatedtype Request: PN532Request where Request.Command == Self
    associatedtype Response: PN532Response where Response.Command == Self

    static var code: PN532Code { get }
}

/// A packet of a command, represented by its data after TFI and code.
package protocol PN532Value: WireValue {
    associatedtype Command: PN532Command

    init(data: [UInt8]) throws(WireError)

    var data: [UInt8] { get }
}

/// A packet from the host.
package protocol PN532Request: PN532Value {}

/// A packet from the chip.
package protocol PN532Response: PN532Value {}

extension PN532Request {
    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        try self.init(data: PN532Packet.data(of: bytes, PN532Packet.toChip, Command.code))
    }

    package var bytes: [UInt8] { [PN532Packet.toChip, Command.code.rawValue] + data }
}

extension PN532Response {
    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        try self.init(data: PN532Packet.data(of: bytes, PN532Packet.toHost, Command.code.answer))
    }

    package var bytes: [UInt8] { [PN532Packet.toHost, Command.code.answer.rawValue] + data }
}

/// The code of a PN532 command; the code of the answer is one higher.
///
/// Source: NXP, PN532 user manual UM0701-02, "commands".
package struct PN532Code: OpenCode, CustomStringConvertible {
    package let rawValue: UInt8

    package init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let diagnose = PN532Code(0x00)
    package static let getFirmwareVersion = PN532Code(0x02)
    package static let getGeneralStatus = PN532Code(0x04)
    package static let readRegister = PN532Code(0x06)
    package static let writeRegister = PN532Code(0x08)
    package static let readGPIO = PN532Code(0x0C)
    package static let writeGPIO = PN532Code(0x0E)
    package static let setSerialBaudRate = PN532Code(0x10)
    package static let setParameters = PN532Code(0x12)
    package static let samConfiguration = PN532Code(0x14)
    package static let powerDown = PN532Code(0x16)
    /// RC-S956 only.
    package static let resetMode = PN532Code(0x18)
    package static let rfConfiguration = PN532Code(0x32)
    package static let rfRegulationTest = PN532Code(0x58)
    package static let inDataExchange = PN532Code(0x40)
    package static let inCommunicateThru = PN532Code(0x42)
    package static let inDeselect = PN532Code(0x44)
    package static let inJumpForPSL = PN532Code(0x46)
    package static let inListPassiveTarget = PN532Code(0x4A)
    package static let inPSL = PN532Code(0x4E)
    package static let inATR = PN532Code(0x50)
    package static let inRelease = PN532Code(0x52)
    package static let inSelect = PN532Code(0x54)
    package static let inJumpForDEP = PN532Code(0x56)
    package static let inAutoPoll = PN532Code(0x60)
    package static let tgInitAsTarget = PN532Code(0x8C)
    /// RC-S956 only.
    package static let communicateThruEx = PN532Code(0xA0)

    package var answer: PN532Code { PN532Code(rawValue &+ 1) }
}

/// The status byte of an answer; bits 7 and 6 belong to other protocols and are zero here.
///
/// Source: NXP, PN532 user manual UM0701-02, "error handling".
package struct PN532Status: OpenCode, CustomStringConvertible {
    package let rawValue: UInt8

    package init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let ok = PN532Status(0x00)
    package static let timeout = PN532Status(0x01)
    package static let badCRC = PN532Status(0x02)
    package static let badParity = PN532Status(0x03)
    package static let badFraming = PN532Status(0x05)
    package static let overflow = PN532Status(0x09)
    package static let wrongFormat = PN532Status(0x13)
    package static let authentication = PN532Status(0x14)
    /// The command is not allowed in the current context, or the target does not exist.
    package static let wrongContext = PN532Status(0x27)

    package var isOK: Bool { rawValue & 0x3F == 0 }
}
