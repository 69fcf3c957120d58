import TapWire

/// An answer as a value, for callers that do not mind one allocation.
public struct CardAnswer: Hashable, Sendable {
    /// The bytes without CRC.
    public let bytes: [UInt8]
    /// Number of bits, least significant bit of each byte first.
    public let bitCount: Int
    /// When the answer begins, and in which slot.
    public let reply: CardReply
}

extension CardEngine {
    /// Hears a frame of whole bytes, or of `bitCount` bits, and answers it.
    ///
    /// - Returns: The answer, or nothing for silence.
    public mutating func answer(
        _ frame: [UInt8], bitCount: Int? = nil, integrity: FrameIntegrity = .good, context: inout CardContext
    ) -> CardAnswer? {
        let bits = max(0, min(bitCount ?? frame.count * 8, frame.count * 8))
        return FrameBuffer.withTemporary { buffer in
            let slice = frame[...]
            let reply = answer(slice.span, bitCount: bits, integrity: integrity, context: &context, into: &buffer)
            guard reply != .silence else { return nil }
            return CardAnswer(bytes: buffer.bytes, bitCount: buffer.bitCount, reply: reply)
        }
    }
}
