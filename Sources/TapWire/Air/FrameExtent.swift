/// How much of the bytes on air is the frame itself, and what the check of parity and CRC gave.
public struct FrameExtent: Hashable, Sendable {
    /// Bytes of the frame; behind them comes its CRC, if its kind has one.
    public let byteCount: Int
    /// Bits of the frame, least significant bit of each byte first.
    public let bitCount: Int
    /// What the check gave.
    public let integrity: FrameIntegrity

    /// A frame of whole bytes.
    init(byteCount: Int, integrity: FrameIntegrity) {
        self.init(byteCount: byteCount, bitCount: byteCount * 8, integrity: integrity)
    }

    init(byteCount: Int, bitCount: Int, integrity: FrameIntegrity) {
        self.byteCount = byteCount
        self.bitCount = bitCount
        self.integrity = integrity
    }
}
