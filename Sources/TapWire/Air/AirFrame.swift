/// What the receiver of a frame found when it checked parity and CRC.
///
/// `good` means complete with whatever integrity fields this kind of frame has: a short frame, an anticollision
/// frame and a four-bit acknowledgement have no CRC to be wrong.
public enum FrameIntegrity: Hashable, Sendable {
    /// Parity and CRC are right, or the kind of frame has none.
    case good
    /// The CRC does not fit the bytes.
    case badCRC
    /// A parity bit or the bit framing is wrong.
    case badParity
}

/// One frame as it crosses the air, without its CRC.
///
/// FeliCa frames are LEN ‖ payload. Type A frames are the bytes before CRC_A; bits are packed least significant bit
/// first, so the first bit on air is bit 0 of byte 0. The CRC is not carried: who receives one checks it and says so
/// in ``integrity``.
public struct AirFrame: Hashable, Sendable {
    /// Technology and bit rate.
    public var technology: Technology
    /// The bytes; unused high bits of the last one are zero.
    public var bytes: [UInt8]
    /// Number of bits on air without CRC and parity: `8 * bytes.count` but for bit-oriented frames.
    public var bitCount: Int
    /// What the receiver found when checking.
    public var integrity: FrameIntegrity

    public init(_ technology: Technology, _ bytes: [UInt8], integrity: FrameIntegrity = .good) {
        self.init(technology, bytes, bitCount: bytes.count * 8, integrity: integrity)
    }

    /// Creates a frame whose last byte may hold fewer than eight bits.
    ///
    /// - Parameters:
    ///   - technology: Technology and bit rate.
    ///   - bytes: The bits, least significant bit first. Bits beyond `bitCount` are cleared.
    ///   - bitCount: Number of bits; cut down to what `bytes` holds.
    ///   - integrity: What the receiver found when checking.
    public init(_ technology: Technology, _ bytes: [UInt8], bitCount: Int, integrity: FrameIntegrity = .good) {
        let bits = max(0, min(bitCount, bytes.count * 8))
        self.technology = technology
        self.bytes = bits == bytes.count * 8 ? bytes : Self.cut(bytes, to: bits)
        self.bitCount = bits
        self.integrity = integrity
    }

    private static func cut(_ bytes: [UInt8], to bits: Int) -> [UInt8] {
        var kept = Array(bytes.prefix((bits + 7) / 8))
        if bits % 8 != 0, let last = kept.indices.last {
            kept[last] &= UInt8(truncatingIfNeeded: (1 << (bits % 8)) - 1)
        }
        return kept
    }

    /// The bit at an index below ``bitCount``, in the order of the air.
    public func bit(_ index: Int) -> Bool {
        bytes[index / 8] >> (index % 8) & 1 == 1
    }
}
