/// Which type A frames end with CRC_A, and the way between bytes on air and frames without it.
///
/// A frame on air does not say whether its last bytes are a CRC; the kind of frame does. Short frames and
/// anticollision frames have none, nor have the answers to them; every other command has one, and so has its answer
/// unless that is a four-bit acknowledgement. Only a card that is being selected takes a frame for anticollision: to
/// any other card the same bytes are a command, if their end is a right CRC.
/// Source: ISO/IEC 14443-3, frame formats.
public enum TypeAFraming {
    public static let shortFrameBits = 7
    /// Fewest bits of a frame with CRC: one byte and the checksum.
    public static let shortestStandardFrameBits = 24

    /// Whether a frame has the shape of an anticollision frame: SEL, then an NVB below 70 that counts its bits.
    @inlinable
    public static func isAnticollision(_ frame: Span<UInt8>, bitCount: Int) -> Bool {
        guard frame.count >= 2, CascadeLevel(sel: frame[0]) != nil, frame[1] < Select.nvb else { return false }
        return bitCount == Int(frame[1] >> 4) * 8 + Int(frame[1] & 0x0F)
    }

    /// Whether a command that has this shape without its CRC is followed by one on air.
    @inlinable
    public static func hasCRC(_ command: Span<UInt8>, bitCount: Int) -> Bool {
        bitCount % 8 == 0 && !isAnticollision(command, bitCount: bitCount)
    }

    /// What the bits a reader sent hold.
    ///
    /// A standard frame too short for a CRC is an empty frame with a bad CRC; nothing sent is an empty good frame. A
    /// command that would look like an anticollision frame without its CRC keeps it.
    ///
    /// - Parameters:
    ///   - bytes: The bits on air, CRC included, parity left out, least significant bit first.
    ///   - bitCount: Number of bits, at most those of `bytes`.
    @inline(always)
    public static func extent(onAir bytes: Span<UInt8>, bitCount: Int) -> FrameExtent {
        if bitCount == 0 || bitCount == shortFrameBits || isAnticollision(bytes, bitCount: bitCount) {
            return FrameExtent(byteCount: bytes.count, bitCount: bitCount, integrity: .good, hasCRC: false)
        }
        let extent = standardExtent(bytes, bitCount)
        guard extent.integrity == .good, isAnticollision(bytes, bitCount: extent.bitCount) else { return extent }
        return FrameExtent(byteCount: bytes.count, integrity: .good)
    }

    /// The frame behind bytes a reader sent, as ``extent(onAir:bitCount:)`` has it; by default all bits count.
    public static func command(onAir bytes: [UInt8], bitCount: Int? = nil) -> AirFrame {
        let raw = AirFrame(.typeA106, bytes, bitCount: bitCount ?? bytes.count * 8)
        let slice = raw.bytes[...]
        return raw.cut(to: extent(onAir: slice.span, bitCount: raw.bitCount))
    }

    /// The frame of a command to which a reader appends the CRC, whatever its bytes look like.
    public static func command(_ bytes: [UInt8]) -> AirFrame {
        let frame = AirFrame(.typeA106, bytes)
        return hasCRC(frame) ? frame : AirFrame(.typeA106, bytes + CRCA.wireBytes(of: CRCA.checksum(of: bytes)))
    }

    /// The frame behind bytes a card sent; the command it answers decides whether there is a CRC.
    public static func answer(onAir bytes: [UInt8], bitCount: Int? = nil, to command: AirFrame) -> AirFrame {
        let raw = AirFrame(.typeA106, bytes, bitCount: bitCount ?? bytes.count * 8)
        if raw.bitCount == 0 || raw.bitCount == Acknowledgement.bitCount || !hasCRC(command) { return raw }
        let slice = raw.bytes[...]
        return raw.cut(to: standardExtent(slice.span, raw.bitCount))
    }

    /// The bytes a reader sends for a frame; of a frame without CRC the last byte may be partly used.
    ///
    /// A frame marked as having a bad CRC gets the right one with its second byte inverted. Parity is not part of the
    /// bytes.
    package static func onAir(command frame: AirFrame) -> [UInt8] {
        onAir(frame, withCRC: hasCRC(frame))
    }

    /// The bytes a card sends for its answer to `command`.
    ///
    /// A frame marked as having a bad CRC gets the right one with its second byte inverted. Parity is not part of the
    /// bytes.
    package static func onAir(answer frame: AirFrame, to command: AirFrame) -> [UInt8] {
        onAir(frame, withCRC: hasCRC(command) && frame.bitCount % 8 == 0)
    }

    /// Whether a command is followed by a CRC on air; one that failed the check of it is.
    static func hasCRC(_ command: AirFrame) -> Bool {
        let slice = command.bytes[...]
        return command.integrity == .badCRC || hasCRC(slice.span, bitCount: command.bitCount)
    }

    /// Finds the CRC of a frame that must have one.
    @inlinable
    @inline(__always)
    static func standardExtent(_ bytes: Span<UInt8>, _ bitCount: Int) -> FrameExtent {
        guard bitCount >= shortestStandardFrameBits else { return FrameExtent(byteCount: 0, integrity: .badCRC) }
        guard bitCount % 8 == 0 else {
            return FrameExtent(byteCount: bytes.count, bitCount: bitCount, integrity: .badParity, hasCRC: false)
        }
        // Without a final addition the checksum of data and its CRC is zero.
        let isRight = CRCA.checksum(of: bytes.extracting(first: bitCount / 8)) == 0
        return FrameExtent(byteCount: bitCount / 8 - CRCA.byteCount, integrity: isRight ? .good : .badCRC)
    }

    private static func onAir(_ frame: AirFrame, withCRC: Bool) -> [UInt8] {
        let isNothing = frame.bitCount == 0 && frame.integrity == .good
        guard withCRC, !isNothing else { return frame.bytes }
        let checksum = CRCA.checksum(of: frame.bytes)
        // The first byte stays: behind a lone SEL, another could pass for an NVB.
        return frame.bytes + CRCA.wireBytes(of: frame.integrity == .badCRC ? checksum ^ 0xFF00 : checksum)
    }
}

extension AirFrame {
    fileprivate func cut(to extent: FrameExtent) -> AirFrame {
        AirFrame(
            technology, Array(bytes.prefix(extent.byteCount)), bitCount: extent.bitCount, integrity: extent.integrity)
    }
}

/// Frame delay time of type A: from the last bit a reader sends to the first bit of the answer.
///
/// A card answers on its own bit grid, `(n·128 + 84)/fc` after a last bit 1 and `(n·128 + 20)/fc` after a last bit 0.
/// REQA, WUPA, ANTICOLLISION and SELECT are answered at exactly n = 9, other commands at 9 or later.
/// Source: ISO/IEC 14443-3, type A, "frame delay time".
public enum FrameDelay {
    /// The delay at n = 9 after a last bit 1: 1236/fc.
    @inlinable public static var afterOne: Duration { AirTime.carrierPeriods(periodsAfterOne) }
    /// ``afterOne`` in carrier periods.
    @inlinable public static var periodsAfterOne: Int { 9 * 128 + 84 }
    /// The delay at n = 9 after a last bit 0: 1172/fc.
    @inlinable public static var afterZero: Duration { AirTime.carrierPeriods(9 * 128 + 20) }

    /// The delay at n = 9 after a command without its CRC.
    ///
    /// The last bit on air is the parity of the last byte, or the last data bit of a frame that ends inside a byte.
    public static func minimum(after command: Span<UInt8>, bitCount: Int) -> Duration {
        endsWithOne(command, bitCount: bitCount) ? afterOne : afterZero
    }

    private static func endsWithOne(_ command: Span<UInt8>, bitCount: Int) -> Bool {
        var last: UInt8 = 0
        if TypeAFraming.hasCRC(command, bitCount: bitCount) {
            last = UInt8(truncatingIfNeeded: CRCA.checksum(of: command) >> 8)
        } else if bitCount > 0, command.count > (bitCount - 1) / 8 {
            last = command[(bitCount - 1) / 8]
        }
        let usedBits = bitCount % 8
        return usedBits == 0 ? last.nonzeroBitCount % 2 == 0 : last >> UInt8(usedBits - 1) & 1 == 1
    }
}
