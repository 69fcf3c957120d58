/// A command APDU: a header, data and the expected length of the response.
///
/// ```
/// short      CLA | INS | P1 | P2 | [Lc | data (1…255)] | [Le]
/// extended   CLA | INS | P1 | P2 | [00 | Lc (2, BE) | data (1…65535)] | [Le (2, BE)]
/// ```
/// An extended Le without data is `00` and two bytes. Source: ISO/IEC 7816-4, "command-response pairs".
package struct CommandAPDU: WireValue, CustomStringConvertible {
    static let headerLength = 4
    package static let maximumShortData = 255
    package static let maximumData = 65_535

    /// The class; `FF` addresses the reader instead of the card.
    package var cla: UInt8
    package var ins: Instruction
    package var p1: UInt8
    package var p2: UInt8
    package let data: [UInt8]
    /// Le as sent: the expected length, 0 for all available data, `nil` if the field is missing.
    package let expected: Int?
    /// A Boolean value that indicates whether lengths take two bytes.
    package let isExtended: Bool

    /// Creates a command.
    ///
    /// Lengths take two bytes if one is not enough; data and lengths are truncated to what two bytes can represent.
    package init(
        cla: UInt8 = Self.reader, ins: Instruction, p1: UInt8 = 0, p2: UInt8 = 0, data: [UInt8] = [],
        expected: Int? = nil, isExtended: Bool = false
    ) {
        self.cla = cla
        self.ins = ins
        self.p1 = p1
        self.p2 = p2
        self.data = data.count > Self.maximumData ? Array(data.prefix(Self.maximumData)) : data
        self.expected = expected.map { max(0, min($0, Self.maximumData)) }
        let isLong = data.count > Self.maximumShortData || (expected ?? 0) > Self.maximumShortData
        // Without data and Le there is no length field to extend.
        self.isExtended = (isExtended || isLong) && !(data.isEmpty && expected == nil)
    }

    /// The class of commands that the reader answers itself.
    ///
    /// Source: PC/SC part 3, "storage card functionality".
    package static let reader: UInt8 = 0xFF

    /// Throws ``WireError`` if the header is truncated or Lc does not match the bytes.
    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        guard bytes.count >= Self.headerLength else {
            throw WireError(.truncated, at: bytes.count, in: ["CLA", "INS", "P1", "P2"][bytes.count])
        }
        let body = try Self.body(bytes)
        self.init(
            cla: bytes[0], ins: Instruction(bytes[1]), p1: bytes[2], p2: bytes[3], data: body.data,
            expected: body.expected, isExtended: body.isExtended)
    }

    private typealias Body = (data: [UInt8], expected: Int?, isExtended: Bool)

    /// Reads everything after the header.
    private static func body(_ bytes: Span<UInt8>) throws(WireError) -> Body {
        guard bytes.count > headerLength else { return ([], nil, false) }
        let first = Int(bytes[headerLength])
        guard bytes.count > headerLength + 1 else { return ([], first, false) }
        var reader = ByteReader(bytes, from: headerLength + 1)
        let isExtended = first == 0
        let width = isExtended ? 2 : 1
        let length = isExtended ? try reader.number(byteCount: 2, "Lc") : first
        if isExtended, reader.isAtEnd { return ([], length, true) }
        guard length > 0 else {
            throw WireError(.wrongLength, at: reader.offset - width, in: "Lc", "the length is zero")
        }
        let data = try reader.bytes(length, "data")
        guard !reader.isAtEnd else { return (data, nil, isExtended) }
        let expected = try reader.number(byteCount: width, "Le")
        guard reader.isAtEnd else { throw WireError(.trailingBytes, at: reader.offset, in: "Le") }
        return (data, expected, isExtended)
    }

    package var bytes: [UInt8] {
        var bytes = [cla, ins.rawValue, p1, p2]
        if isExtended { bytes.append(0) }
        if !data.isEmpty { bytes += Self.length(data.count, isExtended) + data }
        if let expected { bytes += Self.length(expected, isExtended) }
        return bytes
    }

    private static func length(_ length: Int, _ isExtended: Bool) -> [UInt8] {
        isExtended ? UInt16(truncatingIfNeeded: length).bigEndianBytes : [UInt8(truncatingIfNeeded: length)]
    }

    package var description: String { Hex.text(bytes, separator: " ") }
}

/// A response APDU: data, then the status word.
///
/// ```
/// data (0…65536) | SW1 | SW2
/// ```
/// Source: ISO/IEC 7816-4, "command-response pairs".
package struct ResponseAPDU: WireValue, CustomStringConvertible {
    package var data: [UInt8]
    package var status: StatusWord

    package init(_ data: [UInt8] = [], _ status: StatusWord = .success) {
        self.data = data
        self.status = status
    }

    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        guard bytes.count >= 2 else { throw WireError(.truncated, at: bytes.count, in: "status word") }
        let end = bytes.count - 2
        self.init(bytes.array(0..<end), StatusWord(bytes.bigEndian16(at: end)))
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 2)
        bytes.append(contentsOf: data)
        bytes.append(status.sw1)
        bytes.append(status.sw2)
        return bytes
    }

    package var description: String { Hex.text(bytes, separator: " ") }
}

/// The instruction byte of a command APDU.
///
/// Sources: PC/SC part 3 and its supplement for contactless cards; manuals of the readers named below.
package struct Instruction: OpenCode, CustomStringConvertible {
    package let rawValue: UInt8

    package init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// ACS: commands for the reader itself, distinguished by P1 and P2.
    package static let acs = Instruction(0x00)
    /// ACS, SCM: get response, under T=0.
    package static let getResponse = Instruction(0xC0)
    package static let getData = Instruction(0xCA)
    package static let readBinary = Instruction(0xB0)
    package static let updateBinary = Instruction(0xD6)
    /// Load keys, for MIFARE Classic.
    package static let loadKeys = Instruction(0x82)
    /// General authenticate, for MIFARE Classic.
    package static let generalAuthenticate = Instruction(0x86)
    /// Authenticate, the older form of general authenticate.
    package static let authenticate = Instruction(0x88)
    /// Manage session, transparent exchange and switch protocol.
    package static let transparent = Instruction(0xC2)
    /// ACS: store, increment or decrement a value, for MIFARE Classic.
    package static let value = Instruction(0xD7)
    /// ACS: read a value, for MIFARE Classic.
    package static let readValue = Instruction(0xB1)
    /// Sony: select service.
    package static let selectService = Instruction(0xA4)
    /// Sony: send a raw packet to the card.
    package static let sonyRaw = Instruction(0xFE)
    /// Sony RC-S300: the counterpart of ``transparent``.
    package static let sonyTransparent = Instruction(0x50)
    /// Sony RC-S300: firmware version.
    package static let sonyFirmware = Instruction(0x56)
}
