/// The five bytes of one cascade level: four of cascade tag and UID, then their check byte BCC.
///
/// The BCC is held as sent, right or wrong; ``isBCCRight`` judges it.
/// Source: ISO/IEC 14443-3, type A, "UID contents and cascade levels".
public struct CascadePart: WireValue, CustomStringConvertible {
    /// Bytes of a part.
    public static let byteCount = 5
    /// Bits of a part.
    public static let bitCount = 40

    /// The forty bits as a number: bit 0 is the first on air, byte 0 lies lowest.
    public let rawValue: UInt64

    /// Creates a part from its bits; only the low forty count.
    @inlinable
    public init(rawValue: UInt64) {
        self.rawValue = rawValue & 0xFF_FFFF_FFFF
    }

    /// Creates a part from four bytes and their BCC.
    ///
    /// - Parameters:
    ///   - data: Four bytes, the first on air lowest.
    ///   - bcc: The check byte; by default the right one.
    public init(data: UInt32, bcc: UInt8? = nil) {
        self.init(rawValue: UInt64(data) | UInt64(bcc ?? Self.bcc(of: data)) << 32)
    }

    /// The four bytes before the BCC, the first on air lowest.
    public var data: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
    /// The check byte as sent.
    public var bcc: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 32) }
    /// Whether the check byte is the exclusive or of the four bytes before it.
    public var isBCCRight: Bool { bcc == Self.bcc(of: data) }
    /// Whether the first byte is the cascade tag, so that the UID goes on in the next level.
    public var hasCascadeTag: Bool { UInt8(truncatingIfNeeded: data) == UID.cascadeTag }

    /// The exclusive or of four bytes.
    public static func bcc(of data: UInt32) -> UInt8 {
        let folded = data ^ data >> 16
        return UInt8(truncatingIfNeeded: folded ^ folded >> 8)
    }

    /// Reads five bytes.
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

    /// The five bytes.
    public var bytes: [UInt8] {
        (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: rawValue >> (8 * UInt64($0))) }
    }

    /// Ten hexadecimal digits.
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
    public init(cascadeParts parts: [CascadePart]) throws(WireError) {
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
