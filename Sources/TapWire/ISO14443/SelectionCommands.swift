/// A type A short frame: seven bits, no parity, no CRC.
///
/// Source: ISO/IEC 14443-3, type A, "short frame".
public struct ShortFrame: FrameValue, CustomStringConvertible {
    public let rawValue: UInt8

    /// Creates a short frame; only the low seven bits count.
    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue & 0x7F
    }

    /// Requests an answer from all idle cards.
    public static let reqa = ShortFrame(0x26)
    /// Requests an answer from all cards, including halted ones.
    public static let wupa = ShortFrame(0x52)

    /// Reads the seven bits from one byte whose highest bit is zero.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: 1, of: "short frame")
        guard bytes[0] < 0x80 else { throw WireError(.wrongValue, at: 0, in: "short frame", "it has seven bits") }
        self.init(bytes[0])
    }

    public func write(into buffer: inout FrameBuffer) {
        buffer.append(rawValue)
        buffer.trim(toBits: TypeAFraming.shortFrameBits)
    }

    public var description: String {
        switch self {
        case .reqa: "REQA"
        case .wupa: "WUPA"
        default: "short frame " + Hex.digits(rawValue, width: 2)
        }
    }
}

/// ANTICOLLISION: requests the rest of a cascade level from all cards whose UID begins with the known bits.
///
/// ```
/// command   SEL | NVB 20…67 | known bits (0…39)      without CRC; ends after any bit
/// answer    the other bits of the part (1…40)        without CRC, least significant bit first
/// ```
/// The high nibble of NVB counts the whole bytes of the command, the low nibble the remaining bits. The answer has no type of
/// its own because its bits depend on the command; a ``Request`` reads it. Source: ISO/IEC 14443-3, type A, "anticollision
/// and select".
public enum Anticollision {
    /// The number of bits in SEL and NVB.
    package static let headerBits = 16

    public struct Request: FrameValue {
        public let level: CascadeLevel
        /// The known bits of the part, the first transmitted bit lowest; bits past ``knownBitCount`` are zero.
        package let knownBits: UInt64
        /// The number of known bits, 0 to 39.
        package let knownBitCount: Int

        /// Creates a command from the known bits of the part, at most 39; with 40 there would be nothing left to request.
        public init(_ level: CascadeLevel, knownBits: UInt64 = 0, knownBitCount: Int = 0) {
            self.level = level
            self.knownBitCount = max(0, min(knownBitCount, CascadePart.bitCount - 1))
            self.knownBits = knownBits & Self.mask(self.knownBitCount)
        }

        public var bitCount: Int { headerBits + knownBitCount }

        /// The second byte of the command.
        package var nvb: UInt8 { UInt8(truncatingIfNeeded: bitCount / 8 * 16 + bitCount % 8) }

        public func matches(_ part: CascadePart) -> Bool {
            (part.rawValue ^ knownBits) & Self.mask(knownBitCount) == 0
        }

        /// Reads the command from exactly as many bytes as NVB counts.
        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            guard bytes.count >= 2 else { throw WireError(.truncated, at: bytes.count, in: "anticollision") }
            guard let level = CascadeLevel(sel: bytes[0]) else { throw WireError(.wrongCode, at: 0, in: "SEL") }
            let (whole, extra) = (Int(bytes[1] >> 4), Int(bytes[1] & 0x0F))
            guard 2...6 ~= whole, extra < 8 else {
                throw WireError(.wrongValue, at: 1, in: "NVB", "it must be 20 to 67 in an anticollision frame")
            }
            let length = whole + (extra == 0 ? 0 : 1)
            try WireError.requireCount(bytes.count, is: length, of: "anticollision")
            var known: UInt64 = 0
            for index in 2..<length { known |= UInt64(bytes[index]) << (8 * UInt64(index - 2)) }
            let knownBitCount = 8 * (whole - 2) + extra
            guard known & ~Self.mask(knownBitCount) == 0 else {
                throw WireError(.wrongValue, at: length - 1, in: "known bits", "bits beyond NVB are set")
            }
            self.init(level, knownBits: known, knownBitCount: knownBitCount)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(level.sel)
            buffer.append(nvb)
            Anticollision.append(knownBits, bitCount: knownBitCount, into: &buffer)
            buffer.trim(toBits: bitCount)
        }

        /// Appends the answer of a card with `part`: the unknown bits, packed from bit 0.
        public func writeAnswer(of part: CascadePart, into buffer: inout FrameBuffer) {
            let rest = CascadePart.bitCount - knownBitCount
            Anticollision.append(part.rawValue >> UInt64(knownBitCount), bitCount: rest, into: &buffer)
            buffer.trim(toBits: rest)
        }

        /// The whole part, combined from the known bits and the answer, or `nil` if the answer has the wrong number of bits.
        public func part(completedBy answer: RFFrame) -> CascadePart? {
            guard answer.bitCount == CascadePart.bitCount - knownBitCount else { return nil }
            return CascadePart(rawValue: knownBits | Self.bits(of: answer) << UInt64(knownBitCount))
        }

        /// The command to send after a collision at `bit` of the answer, for the cards that have `choice` as that bit.
        ///
        /// Returns `nil` if the answer has no such bit or no bit would be left to request.
        public func afterCollision(at bit: Int, in answer: RFFrame, choosing choice: Bool) -> Request? {
            guard bit >= 0, bit < answer.bitCount, knownBitCount + bit + 1 < CascadePart.bitCount else { return nil }
            let received = Self.bits(of: answer) & Self.mask(bit) | (choice ? 1 : 0) << UInt64(bit)
            let count = knownBitCount + bit + 1
            return Request(level, knownBits: knownBits | received << UInt64(knownBitCount), knownBitCount: count)
        }

        private static func mask(_ bitCount: Int) -> UInt64 { (1 << UInt64(bitCount)) - 1 }

        private static func bits(of answer: RFFrame) -> UInt64 {
            answer.bytes.prefix(CascadePart.byteCount).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private static func append(_ bits: UInt64, bitCount: Int, into buffer: inout FrameBuffer) {
        for index in 0..<(bitCount + 7) / 8 { buffer.append(UInt8(truncatingIfNeeded: bits >> (8 * UInt64(index)))) }
    }
}

/// SELECT: sends a whole cascade level; the matching card answers with SAK.
///
/// ```
/// command   SEL | 70 | UID part (4) | BCC
/// answer    SAK
/// ```
/// Source: ISO/IEC 14443-3, type A, "anticollision and select".
public enum Select {
    /// The NVB of a SELECT: all forty bits are known.
    public static let nvb: UInt8 = 0x70

    public struct Request: FrameValue {
        public static let length = 7

        public var level: CascadeLevel
        public var part: CascadePart

        public init(_ level: CascadeLevel, _ part: CascadePart) {
            self.level = level
            self.part = part
        }

        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            try WireError.requireCount(bytes.count, is: Self.length, of: "SELECT")
            guard let level = CascadeLevel(sel: bytes[0]) else { throw WireError(.wrongCode, at: 0, in: "SEL") }
            guard bytes[1] == nvb else { throw WireError(.wrongCode, at: 1, in: "NVB", "it must be 70 in a SELECT") }
            self.init(level, CascadePart(bytes, at: 2))
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(level.sel)
            buffer.append(nvb)
            buffer.append(part.bytes)
        }
    }

    public typealias Response = SAK
}

/// HLTA, `50 00`: puts the selected card into HALT; the card does not answer.
///
/// Source: ISO/IEC 14443-3, type A, "HLTA".
public enum HLTA {
    public struct Request: FrameValue {
        public static let length = 2
        /// Both bytes, the first byte high.
        public static let code: UInt16 = 0x5000

        public init() {}

        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            try WireError.requireCount(bytes.count, is: Self.length, of: "HLTA")
            guard bytes.bigEndian16(at: 0) == Self.code else { throw WireError(.wrongCode, at: 0, in: "HLTA") }
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(bigEndian: Self.code)
        }
    }
}
