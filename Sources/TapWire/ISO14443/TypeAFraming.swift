/// The rules for CRC_A in type A frames, and conversions between transmitted bytes and frames without CRC.
///
/// The bytes of a frame do not reveal whether they end with a CRC; the kind of frame decides. Short frames, anticollision
/// frames and their answers have no CRC. Every other command has one, and so does its answer unless it is a four-bit
/// acknowledgement. Only a card that is being selected treats a frame as anticollision; for any other card the same bytes are
/// a command if they end with a correct CRC. Source: ISO/IEC 14443-3, frame formats.
public enum TypeAFraming {
    public static let shortFrameBits = 7
    /// The minimum length of a frame with CRC in bits: one byte and the checksum.
    public static let shortestStandardFrameBits = 24

    /// Returns whether a frame has the form of an anticollision frame: SEL, then an NVB below 70 that matches the number of
    /// bits.
    @inlinable
    public static func isAnticollision(_ frame: Span<UInt8>, bitCount: Int) -> Bool {
        guard frame.count >= 2, CascadeLevel(sel: frame[0]) != nil, frame[1] < Select.nvb else { return false }
        return bitCount == Int(frame[1] >> 4) * 8 + Int(frame[1] & 0x0F)
    }

    /// Returns whether a command with this form, given without CRC, is sent with a CRC.
    @inlinable
    public static func hasCRC(_ command: Span<UInt8>, bitCount: Int) -> Bool {
        bitCount % 8 == 0 && !isAnticollision(command, bitCount: bitCount)
    }

    /// The extent of the frame in the bits sent by a reader.
    ///
    /// A standard frame that is too short for a CRC is an empty frame with a bad CRC; if nothing was sent, the result is a
    /// good empty frame. A command that would look like an anticollision frame without its CRC keeps the CRC.
    ///
    /// - Parameters:
    ///   - bytes: The bits as sent, with CRC but without parity, least significant bit first.
    ///   - bitCount: The number of bits, at most the number in `bytes`.
    @inline(always)
    public static func extent(rfBytes bytes: Span<UInt8>, bitCount: Int) -> FrameExtent {
        if bitCount == 0 || bitCount == shortFrameBits || isAnticollision(bytes, bitCount: bitCount) {
            return FrameExtent(byteCount: bytes.count, bitCount: bitCount, integrity: .good, hasCRC: false)
        }
        let extent = standardExtent(bytes, bitCount)
        guard extent.integrity == .good, isAnticollision(bytes, bitCount: extent.bitCount) else { return extent }
        return FrameExtent(byteCount: bytes.count, integrity: .good)
    }

    /// The frame in bytes sent by a reader, as defined by ``extent(rfBytes:bitCount:)``; by default all bits count.
    public static func command(rfBytes bytes: [UInt8], bitCount: Int? = nil) -> RFFrame {
        let raw = RFFrame(.typeA106, bytes, bitCount: bitCount ?? bytes.count * 8)
        let slice = raw.bytes[...]
        return raw.cut(to: extent(rfBytes: slice.span, bitCount: raw.bitCount))
    }

    /// The frame of a command to which a reader always appends a CRC, even if it looks like an anticollision frame.
    public static func command(_ bytes: [UInt8]) -> RFFrame {
        let frame = RFFrame(.typeA106, bytes)
        return hasCRC(frame) ? frame : RFFrame(.typeA106, bytes + CRCA.wireBytes(of: CRCA.checksum(of: bytes)))
    }

    /// The frame in bytes sent by a card; `command` determines whether the answer has a CRC.
    public static func answer(rfBytes bytes: [UInt8], bitCount: Int? = nil, to command: RFFrame) -> RFFrame {
        let raw = RFFrame(.typeA106, bytes, bitCount: bitCount ?? bytes.count * 8)
        if raw.bitCount == 0 || raw.bitCount == Acknowledgement.bitCount || !hasCRC(command) { return raw }
        let slice = raw.bytes[...]
        return raw.cut(to: standardExtent(slice.span, raw.bitCount))
    }

    /// The bytes a reader sends for a frame; the last byte of a frame without CRC may be partly used.
    ///
    /// A frame marked with a bad CRC gets the correct CRC with its second byte inverted. The bytes do not include parity.
    package static func rfBytes(command frame: RFFrame) -> [UInt8] {
        rfBytes(frame, withCRC: hasCRC(frame))
    }

    /// The bytes a card sends for its answer to `command`.
    ///
    /// A frame marked with a bad CRC gets the correct CRC with its second byte inverted. The bytes do not include parity.
    package static func rfBytes(answer frame: RFFrame, to command: RFFrame) -> [UInt8] {
        rfBytes(frame, withCRC: hasCRC(command) && frame.bitCount % 8 == 0)
    }

    /// Returns whether a command is sent with a CRC; a frame that failed its CRC check had one.
    static func hasCRC(_ command: RFFrame) -> Bool {
        let slice = command.bytes[...]
        return command.integrity == .badCRC || hasCRC(slice.span, bitCount: command.bitCount)
    }

    /// Locates the CRC of a frame that must have one.
    @inlinable
    @inline(__always)
    static func standardExtent(_ bytes: Span<UInt8>, _ bitCount: Int) -> FrameExtent {
        guard bitCount >= shortestStandardFrameBits else { return FrameExtent(byteCount: 0, integrity: .badCRC) }
        guard bitCount % 8 == 0 else {
            return FrameExtent(byteCount: bytes.count, bitCount: bitCount, integrity: .badParity, hasCRC: false)
        }
        // CRC_A has no final XOR, so the checksum over data and CRC is zero.
        let isRight = CRCA.checksum(of: bytes.extracting(first: bitCount / 8)) == 0
        return FrameExtent(byteCount: bitCount / 8 - CRCA.byteCount, integrity: isRight ? .good : .badCRC)
    }

    private static func rfBytes(_ frame: RFFrame, withCRC: Bool) -> [UInt8] {
        let isNothing = frame.bitCount == 0 && frame.integrity == .good
        guard withCRC, !isNothing else { return frame.bytes }
        let checksum = CRCA.checksum(of: frame.bytes)
        // The first CRC byte stays unchanged: after a single SEL byte, a different value could look like an NVB.
        return frame.bytes + CRCA.wireBytes(of: frame.integrity == .badCRC ? checksum ^ 0xFF00 : checksum)
    }
}

extension RFFrame {
    fileprivate func cut(to extent: FrameExtent) -> RFFrame {
        RFFrame(
            technology, Array(bytes.prefix(extent.byteCount)), bitCount: extent.bitCount, integrity: extent.integrity)
    }
}

/// The frame delay time of type A: from the last bit of a reader's frame to the first bit of the answer.
///
/// A card answers on its own bit grid, `(n·128 + 84)/fc` after a last bit 1 and `(n·128 + 20)/fc` after a last bit 0. Answers
/// to REQA, WUPA, ANTICOLLISION and SELECT come at exactly n = 9, answers to other commands at n = 9 or later. Source:
/// ISO/IEC 14443-3, type A, "frame delay time".
public enum FrameDelay {
    /// The delay at n = 9 after a last bit 1: 1236/fc.
    @inlinable public static var afterOne: Duration { TransmissionTime.carrierPeriods(periodsAfterOne) }
    /// ``afterOne`` in carrier periods.
    @inlinable public static var periodsAfterOne: Int { 9 * 128 + 84 }
    /// The delay at n = 9 after a last bit 0: 1172/fc.
    @inlinable public static var afterZero: Duration { TransmissionTime.carrierPeriods(9 * 128 + 20) }

    /// The delay at n = 9 after a command, given without its CRC.
    ///
    /// The last bit sent is the parity bit of the last byte, or the last data bit of a frame that ends inside a byte.
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
