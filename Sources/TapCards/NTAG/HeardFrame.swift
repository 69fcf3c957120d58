import TapWire

/// What a frame is to a type A card before its bytes are looked at.
enum HeardFrame: Hashable {
    /// Seven bits; of a damaged short frame no bits count.
    case short(ShortFrame)
    /// Fewer than three bytes on air.
    case tooShort
    /// Parity, framing or CRC is wrong.
    case damaged(FrameIntegrity)
    /// Known bits of a UID, while the card is being selected.
    case anticollision
    /// Whole bytes with a right CRC.
    case standard

    /// Judges a frame; no bits at all are none.
    ///
    /// An anticollision frame has no CRC. Outside selection a card expects one, so there it is too short, damaged or,
    /// where its end happens to be a right CRC, a command.
    @inline(always)
    init?(_ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, isBeingSelected: Bool) {
        let isAnticollision = integrity != .badCRC && TypeAFraming.isAnticollision(frame, bitCount: bitCount)
        let hasCRC = bitCount & 7 == 0 && !isAnticollision
        let isGood = integrity == .good
        if isGood, bitCount == 0 { return nil }
        if isGood, hasCRC || !isBeingSelected && Self.isCommand(frame, bitCount: bitCount) {
            self = .standard
        } else if bitCount == TypeAFraming.shortFrameBits {
            self = .short(ShortFrame(isGood ? frame[0] : 0))
        } else if isGood, isAnticollision, isBeingSelected {
            self = .anticollision
        } else if bitCount + (hasCRC ? 8 * CRCA.byteCount : 0) < TypeAFraming.shortestStandardFrameBits {
            self = .tooShort
        } else if isGood {
            self = .damaged(bitCount & 7 == 0 ? .badCRC : .badParity)
        } else {
            self = .damaged(integrity)
        }
    }

    /// Whether the bits of an anticollision frame are a command with a right CRC, too.
    private static func isCommand(_ frame: Span<UInt8>, bitCount: Int) -> Bool {
        bitCount & 7 == 0 && bitCount >= TypeAFraming.shortestStandardFrameBits && CRCA.checksum(of: frame) == 0
    }
}
