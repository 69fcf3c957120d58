/// The result of a receiver's parity and CRC check of a frame.
///
/// `good` means complete, with every integrity field that this kind of frame has: short frames, anticollision frames and
/// four-bit acknowledgements have no CRC.
public enum FrameIntegrity: Hashable, Sendable {
    /// Parity and CRC are correct, or the kind of frame has none.
    case good
    case badCRC
    /// A parity bit or the bit framing is wrong.
    case badParity
}

/// One frame as sent over the air, without its CRC.
///
/// FeliCa frames are LEN ‖ payload. Type A frames are the bytes before CRC_A; bits are packed least significant bit first, so
/// the first bit sent is bit 0 of byte 0. The CRC is not stored: the receiver checks it and records the result in
/// ``integrity``.
public struct RFFrame: Hashable, Sendable {
    /// The bytes; unused high bits of the last byte are zero.
    public var bytes: [UInt8]
    public let technology: Technology
    public var integrity: FrameIntegrity
    private let unusedBits: UInt8

    /// Number of bits without CRC and parity: `8 * bytes.count`, except for bit-oriented frames.
    public var bitCount: Int { bytes.count * 8 - Int(unusedBits) }

    public init(_ technology: Technology, _ bytes: [UInt8], integrity: FrameIntegrity = .good) {
        self.init(technology, bytes, bitCount: bytes.count * 8, integrity: integrity)
    }

    /// Creates a frame whose last byte may hold fewer than eight bits; `bitCount` is limited to the bits in `bytes`.
    public init(_ technology: Technology, _ bytes: [UInt8], bitCount: Int, integrity: FrameIntegrity = .good) {
        let bits = max(0, min(bitCount, bytes.count * 8))
        self.technology = technology
        self.bytes = bits == bytes.count * 8 ? bytes : Self.cut(bytes, to: bits)
        unusedBits = UInt8(self.bytes.count * 8 - bits)
        self.integrity = integrity
    }

    private static func cut(_ bytes: [UInt8], to bits: Int) -> [UInt8] {
        var kept = Array(bytes.prefix((bits + 7) / 8))
        if bits % 8 != 0, let last = kept.indices.last {
            kept[last] &= UInt8(truncatingIfNeeded: (1 << (bits % 8)) - 1)
        }
        return kept
    }

    /// The bit at an index below ``bitCount``, in transmission order.
    public func bit(_ index: Int) -> Bool {
        bytes[index / 8] >> (index % 8) & 1 == 1
    }
}

/// The part of received bytes that is the frame itself, and the result of the parity and CRC check.
public struct FrameExtent: Hashable, Sendable {
    /// Bytes of the frame, without the CRC that may follow.
    public let byteCount: Int
    /// Bits of the frame, least significant bit of each byte first.
    public let bitCount: Int
    public let integrity: FrameIntegrity
    /// A Boolean value that indicates whether this kind of frame has a CRC; if so, an answer of whole bytes has a CRC too.
    public let hasCRC: Bool

    /// Creates the extent of a frame of whole bytes that is followed by a CRC, or should be.
    @inlinable
    @inline(__always)
    init(byteCount: Int, integrity: FrameIntegrity) {
        self.init(byteCount: byteCount, bitCount: byteCount * 8, integrity: integrity, hasCRC: true)
    }

    @inlinable
    @inline(__always)
    init(byteCount: Int, bitCount: Int, integrity: FrameIntegrity, hasCRC: Bool) {
        self.byteCount = byteCount
        self.bitCount = bitCount
        self.integrity = integrity
        self.hasCRC = hasCRC
    }
}

/// The radio technology and bit rate of a frame.
///
/// Source: ISO/IEC 14443-3 type A at fc/128; JIS X 6319-4 at fc/64 and fc/32.
public enum Technology: Hashable, Sendable, CaseIterable {
    /// ISO/IEC 14443 type A, 106 kbit/s in both directions.
    case typeA106
    /// FeliCa, 212 kbit/s; a card answers at the rate of the command.
    case felica212
    case felica424

    /// A Boolean value that indicates whether frames are FeliCa packets, LEN first.
    @inlinable
    public var isFeliCa: Bool {
        self != .typeA106
    }

    /// Bit rate and type as nfcpy and libnfc write them: `106A`, `212F`.
    package var shortName: String {
        switch self {
        case .typeA106: "106A"
        case .felica212: "212F"
        case .felica424: "424F"
        }
    }
}

/// The text form of a frame: hexadecimal digits, then `:` and a number of bits if the frame ends inside a byte.
///
/// Examples: `3004`, `26:7`, `A:4`. Blanks may separate digits. If a number of bits is given and the number of digits is odd,
/// the last digit is a byte of its own.
public enum FrameText {
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The problem as a sentence fragment.
        public let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Reads bytes and a number of bits; keeps unused bits of the last byte as written.
    package static func parse(_ text: some StringProtocol) throws(Problem) -> (bytes: [UInt8], bitCount: Int) {
        var bytes: [UInt8] = []
        let bitCount = try parse(Array(text.utf8)[...], into: &bytes)
        return (bytes, bitCount)
    }

    /// Reads UTF-8 text like ``parse(_:)`` but into a reusable array, and returns the number of bits.
    package static func parse(_ text: ArraySlice<UInt8>, into bytes: inout [UInt8]) throws(Problem) -> Int {
        let reading = Hex.read(text.span, into: &bytes)
        let end = text.startIndex + reading.end
        let hasBitCount = end < text.endIndex
        guard !hasBitCount || text[end] == UInt8(ascii: ":") else {
            let digits = text.prefix { $0 != UInt8(ascii: ":") }
            throw Problem(description: Hex.firstStranger(in: digits.span).description)
        }
        guard hasBitCount || !reading.isOdd else {
            throw Problem(description: Hex.Problem.oddDigits(count: reading.digitCount).description)
        }
        guard bytes.count <= FrameBuffer.capacity else {
            throw Problem(
                description: "a frame has at most \(FrameBuffer.capacity) bytes, this one \(bytes.count)")
        }
        guard hasBitCount else { return bytes.count * 8 }
        return try bitCount(String(decoding: text[(end + 1)...], as: UTF8.self), of: bytes)
    }

    private static func bitCount(_ text: String, of bytes: [UInt8]) throws(Problem) -> Int {
        let range = max(0, (bytes.count - 1) * 8 + 1)...bytes.count * 8
        guard let bits = Int(text.filter { $0 != " " }), bytes.isEmpty ? bits == 0 : range.contains(bits) else {
            throw Problem(
                description: "`\(text)` is not a number of bits that ends in the last of \(bytes.count) bytes")
        }
        return bits
    }

    /// Returns the text of bytes, the last of which may hold fewer than eight bits.
    public static func text(_ bytes: [UInt8], bitCount: Int) -> String {
        var text: [UInt8] = []
        append(bytes, bitCount: bitCount, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of ``text(_:bitCount:)`` to UTF-8 text.
    package static func append(_ bytes: [UInt8], bitCount: Int, to text: inout [UInt8]) {
        let bytes = bytes[...]
        Hex.append(bytes.span, to: &text)
        guard bitCount % 8 != 0 else { return }
        if bitCount <= 4 { text.remove(at: text.count - 2) }
        text += ":\(bitCount)".utf8
    }
}
