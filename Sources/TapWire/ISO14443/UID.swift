/// The unique identifier of a type A card: 4, 7 or 10 bytes.
///
/// Source: ISO/IEC 14443-3, "UID contents and cascade levels".
public struct UID: Hashable, Sendable, CustomStringConvertible {
    /// The cascade tag, first byte of a cascade level that does not end the UID.
    public static let cascadeTag: UInt8 = 0x88
    public static let lengths: Set<Int> = [4, 7, 10]

    public let bytes: [UInt8]

    /// Creates a UID, or `nil` if the length is not 4, 7 or 10.
    public init?(_ bytes: [UInt8]) {
        guard Self.lengths.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    public var description: String { Hex.text(bytes) }
}

/// A cascade level: which part of the UID an anticollision or SELECT speaks of.
///
/// Source: ISO/IEC 14443-3, type A, "SEL" and "UID contents and cascade levels".
public enum CascadeLevel: Int, Hashable, Sendable, CaseIterable {
    /// The first part: UID0–UID3, or CT and UID0–UID2 where more follows.
    case first = 1
    case second
    case third

    /// The level a SEL byte names, or `nil` if the byte is no SEL.
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

/// The five bytes of one cascade level: four of cascade tag and UID, then their check byte BCC.
///
/// The BCC is held as sent, right or wrong; ``isBCCRight`` judges it.
/// Source: ISO/IEC 14443-3, type A, "UID contents and cascade levels".
public struct CascadePart: WireValue, CustomStringConvertible {
    public static let byteCount = 5
    package static let bitCount = 40

    /// The forty bits as a number: bit 0 is the first on air, byte 0 lies lowest.
    public let rawValue: UInt64

    /// Creates a part from its bits; only the low forty count.
    @inlinable
    public init(rawValue: UInt64) {
        self.rawValue = rawValue & 0xFF_FFFF_FFFF
    }

    /// Creates a part from four bytes, the first on air lowest, and their BCC, by default the right one.
    public init(data: UInt32, bcc: UInt8? = nil) {
        self.init(rawValue: UInt64(data) | UInt64(bcc ?? Self.bcc(of: data)) << 32)
    }

    /// The four bytes before the BCC, the first on air lowest.
    package var data: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
    package var bcc: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 32) }
    /// Whether the check byte is the exclusive or of the four bytes before it.
    var isBCCRight: Bool { bcc == Self.bcc(of: data) }
    /// Whether the first byte is the cascade tag, so that the UID goes on in the next level.
    var hasCascadeTag: Bool { UInt8(truncatingIfNeeded: data) == UID.cascadeTag }

    package static func bcc(of data: UInt32) -> UInt8 {
        let folded = data ^ data >> 16
        return UInt8(truncatingIfNeeded: folded ^ folded >> 8)
    }

    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.byteCount, of: "UID part")
        self.init(bytes, at: 0)
    }

    /// Reads five bytes whose presence the caller has checked.
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
    /// The parts of the UID, one for each cascade level, with cascade tags and right check bytes.
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

    /// Puts a UID together from its parts, the first cascade level first.
    ///
    /// - Throws: ``WireError`` with the offset in the parts laid end to end: a wrong BCC, a cascade tag missing where
    ///   another part follows, a tag in the last part, no part or more than three.
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
            throw WireError(.wrongLength, at: 0, in: "UID", "\(parts.count) parts; there are one to three")
        }
        self = uid
    }

    private static func part(_ bytes: [UInt8]) -> CascadePart {
        CascadePart(data: bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }
}

/// The answer to REQA and WUPA, two bytes, the low one first on air, without CRC.
///
/// Source: ISO/IEC 14443-3, type A, "ATQA".
public struct ATQA: FrameValue, OpenCode, CustomStringConvertible {
    /// Both bytes as a number; `0x0044` travels as `44 00`.
    public let rawValue: UInt16

    @inlinable
    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// What NTAG213, NTAG215 and NTAG216 answer: a UID of seven bytes, bit frame anticollision.
    public static let ntag21x = ATQA(0x0044)

    /// Bytes of the UID as bits 7–6 announce them: 4, 7 or 10, or `nil` for the reserved value.
    package var uidByteCount: Int? {
        switch rawValue >> 6 & 3 {
        case 0: 4
        case 1: 7
        case 2: 10
        default: nil
        }
    }

    /// Whether the card takes part in bit frame anticollision: exactly one of bits 4–0 is set.
    package var supportsAnticollision: Bool { (rawValue & 0x1F).nonzeroBitCount == 1 }

    /// Reads two bytes, the low one first.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: 2, of: "ATQA")
        self.init(bytes.littleEndian16(at: 0))
    }

    /// Appends two bytes, the low one first.
    public func write(into buffer: inout FrameBuffer) {
        buffer.append(littleEndian: rawValue)
    }
}

/// The select acknowledge, one byte, answer to SELECT.
///
/// Source: ISO/IEC 14443-3, type A, "SAK".
public struct SAK: FrameValue, OpenCode, CustomStringConvertible {
    public let rawValue: UInt8

    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The UID goes on in the next cascade level.
    public static let uidNotComplete = SAK(0x04)
    /// The UID is complete and the card has no ISO/IEC 14443-4 layer.
    public static let complete = SAK(0x00)

    package var isUIDComplete: Bool { rawValue & 0x04 == 0 }
    /// Whether a selected card speaks ISO/IEC 14443-4: bit 5 is set and bit 2 clear.
    package var speaksISO14443Part4: Bool { rawValue & 0x24 == 0x20 }

    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: 1, of: "SAK")
        self.init(bytes[0])
    }

    public func write(into buffer: inout FrameBuffer) {
        buffer.append(rawValue)
    }
}
