/// A frame between a host and Sony's NFC Port-100, the chip of the RC-S380.
///
/// ```
/// ACK   00 00 FF 00 FF 00
/// data  00 00 FF FF FF | LEN (2, LE) | LCS | packet | DCS | 00
/// ```
/// LEN and LCS add up to zero modulo 256, and so do the packet and DCS. Source: nfcpy, driver `rcs380`; Linux, driver
/// `port100`.
package enum Port100Frame: Hashable, Sendable {
    case acknowledgement
    case packet([UInt8])

    private static let start: [UInt8] = [0x00, 0x00, 0xFF]
    private static let acknowledgementBytes: [UInt8] = start + [0x00, 0xFF, 0x00]

    /// Parses a transfer that consists of exactly one frame; `nil` if it is not a frame.
    package init?(_ bytes: [UInt8]) {
        if bytes == Self.acknowledgementBytes {
            self = .acknowledgement
            return
        }
        guard bytes.count >= 10, bytes.starts(with: Self.start + [0xFF, 0xFF]), bytes[5] &+ bytes[6] &+ bytes[7] == 0
        else { return nil }
        let end = 8 + Int(bytes.span.littleEndian16(at: 5))
        guard end + 2 == bytes.count, bytes[8...end].reduce(0, &+) == 0 else { return nil }
        self = .packet(Array(bytes[8..<end]))
    }

    package var bytes: [UInt8] {
        switch self {
        case .acknowledgement: return Self.acknowledgementBytes
        case .packet(let packet):
            let length = UInt16(packet.count).littleEndianBytes
            return Self.start + [0xFF, 0xFF] + length + [0 &- length[0] &- length[1]] + packet
                + [0 &- packet.reduce(0, &+), 0x00]
        }
    }
}

/// A command of the Port-100 and its answer, without the surrounding frame.
///
/// ```
/// host to chip   D6 | code | data
/// chip to host   D7 | code + 1 | data
/// ```
package enum Port100Packet {
    package static let toChip: UInt8 = 0xD6
    package static let toHost: UInt8 = 0xD7

    package struct Code: OpenCode {
        package let rawValue: UInt8
        package init(_ rawValue: UInt8) { self.rawValue = rawValue }

        /// The modulation of frames: set and speed for each direction.
        package static let setRF = Code(0x00)
        /// Pairs of a setting and its value.
        package static let setProtocol = Code(0x02)
        /// Sends a frame and waits for the answer.
        package static let exchange = Code(0x04)
        package static let switchRF = Code(0x06)
        package static let getFirmwareVersion = Code(0x20)
        package static let getDataVersion = Code(0x22)
        package static let getCommandTypes = Code(0x28)
        package static let setCommandType = Code(0x2A)
    }

    package struct Command: Hashable, Sendable {
        package let code: Code
        package let data: [UInt8]

        /// Returns `nil` for a packet that is not a command.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count >= 2, bytes[0] == Port100Packet.toChip else { return nil }
            code = Code(bytes[1])
            data = Array(bytes[2...])
        }

        package var bytes: [UInt8] { [Port100Packet.toChip, code.rawValue] + data }

        package func answer(_ data: [UInt8]) -> [UInt8] { [Port100Packet.toHost, code.rawValue &+ 1] + data }
    }

    /// The technology selected by the data of ``Code/setRF``; `nil` if TapSim has no cards with it.
    ///
    /// The data is set and speed for sending, then for receiving: 02 03 is type A at 106 kbit/s, 01 and a speed is FeliCa.
    package static func technology(setting data: [UInt8]) -> Technology? {
        switch Array(data.prefix(2)) {
        case [0x01, 0x01]: .felica212
        case [0x01, 0x02]: .felica424
        case [0x02, 0x03]: .typeA106
        default: nil
        }
    }

    /// A setting of ``Code/setProtocol``.
    package enum Setting: UInt8, Hashable, Sendable {
        /// The kind of CRC to append; 0 for none.
        case appendedCRC = 0x01
        /// The check and removal of the CRC of answers.
        case checkedCRC = 0x02
        case sentParity = 0x04
        case checkedParity = 0x05
        /// The number of bits of the last byte to send; 8 for all.
        case lastBits = 0x07
    }

    /// The status of ``Code/exchange``, four bytes, low byte first.
    package enum Status: UInt32, Hashable, Sendable {
        case success = 0x00
        case badParity = 0x02
        case badCRC = 0x04
        case timeout = 0x80

        package var bytes: [UInt8] { rawValue.littleEndianBytes }
    }
}
