/// The unique identifier of a type A card: 4, 7 or 10 bytes.
///
/// Source: ISO/IEC 14443-3, "UID contents and cascade levels".
public struct UID: Hashable, Sendable, CustomStringConvertible {
    /// The cascade tag, the first byte of every cascade level but the last.
    public static let cascadeTag: UInt8 = 0x88
    public static let lengths: Set<Int> = [4, 7, 10]

    public let bytes: [UInt8]

    /// Creates a UID, or returns `nil` if the length is not 4, 7 or 10.
    public init?(_ bytes: [UInt8]) {
        guard Self.lengths.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    public var description: String { Hex.text(bytes) }
}

/// A cascade level: the part of the UID in an ANTICOLLISION or SELECT command.
///
/// Source: ISO/IEC 14443-3, type A, "SEL" and "UID contents and cascade levels".
public enum CascadeLevel: Int, Hashable, Sendable, CaseIterable {
    /// The first part: UID0–UID3, or CT and UID0–UID2 if another part follows.
    case first = 1
    case second
    case third

    /// The level for a SEL byte, or `nil` if the byte is not a SEL.
    @inlinable
    public init?(sel: UInt8) {
        switch sel {
        case 0x93: self = .first
        case 0x95: self = .second
        case 0x97: self = .third
        default: return nil
        }
    }

    /// The SEL byte: 93, 95 or 97.
    @inlinable public var sel: UInt8 { 0x91 + 2 * UInt8(truncatingIfNeeded: rawValue) }
}

/// The five bytes of one cascade level: four bytes of cascade tag and UID, then the check byte BCC.
///
/// The BCC is kept as sent, even if wrong. Source: ISO/IEC 14443-3, type A, "UID contents and cascade levels".
public struct CascadePart: WireValue, CustomStringConvertible {
    public static let byteCount = 5
    package static let bitCount = 40

    /// The forty bits as a number: bit 0 is sent first, and byte 0 is the lowest.
    public let rawValue: UInt64

    /// Creates a part from its bits; only the low forty count.
    @inlinable
    public init(rawValue: UInt64) {
        self.rawValue = rawValue & 0xFF_FFFF_FFFF
    }

    /// Creates a part from four bytes, the first sent lowest, and a BCC.
    ///
    /// Default: the correct BCC.
    public init(data: UInt32, bcc: UInt8? = nil) {
        self.init(rawValue: UInt64(data) | UInt64(bcc ?? Self.bcc(of: data)) << 32)
    }

    /// The four bytes before the BCC, the first sent lowest.
    package var data: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
    package var bcc: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 32) }
    /// A Boolean value that indicates whether the check byte is the XOR of the four bytes before it.
    var isBCCRight: Bool { bcc == Self.bcc(of: data) }
    /// A Boolean value that indicates whether the first byte is the cascade tag and the UID continues in the next level.
    var hasCascadeTag: Bool { UInt8(truncatingIfNeeded: data) == UID.cascadeTag }

    package static func bcc(of data: UInt32) -> UInt8 {
        let folded = data ^ data >> 16
        return UInt8(truncatingIfNeeded: folded ^ folded >> 8)
    }

    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.byteCount, of: "UID part")
        self.init(bytes, at: 0)
    }

    /// Reads five bytes; the caller has checked the bounds.
    @inline(always)
    init(_ bytes: Span<UInt8>, at offset: Int) {
        var value: UInt64 = 0
        for index in 0..<Self.byteCount { value |= UInt64(bytes[offset + index]) << (8 * UInt64(index)) }
        self.init(rawValue: value)
    }

    public var bytes: [UInt8] {
        (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: rawValue >> (8 * UInt64($0))) }
    }

    public var description: String { Hex.text(bytes) }
}

extension UID {
    /// The parts of the UID, one for each cascade level, with cascade tags and correct check bytes.
    public var cascadeParts: [CascadePart] {
        var parts: [CascadePart] = []
        var rest = bytes[...]
        while rest.count > 4 {
            parts.append(Self.part([Self.cascadeTag] + rest.prefix(3)))
            rest = rest.dropFirst(3)
        }
        parts.append(Self.part(Array(rest)))
        return parts
    }

    /// Assembles a UID from its parts, first cascade level first.
    ///
    /// - Throws: ``WireError`` with the offset in the concatenated parts for a wrong BCC, a missing cascade tag before
    ///   another part, a tag in the last part, no parts, or more than three parts.
    package init(cascadeParts parts: [CascadePart]) throws(WireError) {
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            let start = index * CascadePart.byteCount
            guard part.isBCCRight else { throw WireError(.wrongValue, at: start + 4, in: "BCC") }
            let isLast = index == parts.count - 1
            guard part.hasCascadeTag != isLast else {
                throw WireError(
                    .wrongValue, at: start, in: "cascade tag", isLast ? "no part follows" : "a part follows")
            }
            bytes += part.bytes[(isLast ? 0 : 1)..<4]
        }
        guard let uid = UID(bytes) else {
            throw WireError(.wrongLength, at: 0, in: "UID", "\(parts.count) parts; expected one to three")
        }
        self = uid
    }

    private static func part(_ bytes: [UInt8]) -> CascadePart {
        CascadePart(data: bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }
}

/// The answer to REQA and WUPA: two bytes, low byte first, without CRC.
///
/// Source: ISO/IEC 14443-3, type A, "ATQA".
public struct ATQA: FrameValue, OpenCode, CustomStringConvertible {
    /// Both bytes as a number; `0x0044` is sent as `44 00`.
    public let rawValue: UInt16

    @inlinable
    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The ATQA of NTAG213, NTAG215 and NTAG216: a UID of seven bytes, bit frame anticollision.
    public static let ntag21x = ATQA(0x0044)

    /// The UID length given by bits 7–6: 4, 7 or 10 bytes; `nil` for the reserved value.
    package var uidByteCount: Int? {
        switch rawValue >> 6 & 3 {
        case 0: 4
        case 1: 7
        case 2: 10
        default: nil
        }
    }

    /// A Boolean value that indicates support for bit frame anticollision: exactly one of bits 4–0 is set.
    package var supportsAnticollision: Bool { (rawValue & 0x1F).nonzeroBitCount == 1 }

    /// Reads two bytes, low byte first.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: 2, of: "ATQA")
        self.init(bytes.littleEndian16(at: 0))
    }

    /// Appends two bytes, low byte first.
    public func write(into buffer: inout FrameBuffer) {
        buffer.append(littleEndian: rawValue)
    }
}

/// The select acknowledge, a one-byte answer to SELECT.
///
/// Source: ISO/IEC 14443-3, type A, "SAK".
public struct SAK: FrameValue, OpenCode, CustomStringConvertible {
    public let rawValue: UInt8

    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The UID continues in the next cascade level.
    public static let uidNotComplete = SAK(0x04)
    /// The UID is complete and the card has no ISO/IEC 14443-4 layer.
    public static let complete = SAK(0x00)

    package var isUIDComplete: Bool { rawValue & 0x04 == 0 }
    /// A Boolean value that indicates whether a selected card supports ISO/IEC 14443-4: bit 5 is set and bit 2 is clear.
    package var speaksISO14443Part4: Bool { rawValue & 0x24 == 0x20 }

    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: 1, of: "SAK")
        self.init(bytes[0])
    }

    public func write(into buffer: inout FrameBuffer) {
        buffer.append(rawValue)
    }
}
