/// How much of the bytes on air is the frame itself, and what the check of parity and CRC gave.
public struct FrameExtent: Hashable, Sendable {
    /// Bytes of the frame; behind them comes its CRC, if its kind has one.
    public let byteCount: Int
    /// Bits of the frame, least significant bit of each byte first.
    public let bitCount: Int
    /// What the check gave.
    public let integrity: FrameIntegrity
    /// Whether the kind of frame has a CRC; an answer of whole bytes then has one too.
    public let hasCRC: Bool

    /// A frame of whole bytes that has a CRC behind it, or should have.
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
