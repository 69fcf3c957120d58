import TapWire

extension CardEngine {
    /// Hears the bytes of a frame as they cross the air, CRC included, and answers with bytes as they cross the air.
    ///
    /// For who carries raw frames; readers, doors and traces carry frames without their CRC.
    ///
    /// - Parameters:
    ///   - bytes: What a reader sends, parity left out; FeliCa frames from LEN on.
    ///   - bitCount: Number of bits, least significant bit of each byte first.
    ///   - technology: Decides on the kind of CRC, and which frames have one.
    ///   - context: Chance and the state of the silicon.
    ///   - buffer: Emptied, then filled with the answer and its CRC; its content means nothing after silence.
    /// - Returns: Silence, or when the answer in `buffer` begins.
    @inlinable
    public mutating func answer(
        onAir bytes: Span<UInt8>, bitCount: Int, technology: Technology, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        let extent =
            technology.isFeliCa
            ? CRC16FeliCa.extent(onAir: bytes) : TypeAFraming.extent(onAir: bytes, bitCount: bitCount)
        let frame = bytes.extracting(first: extent.byteCount)
        let reply = answer(
            frame, bitCount: extent.bitCount, integrity: extent.integrity, context: &context, into: &buffer)
        guard reply != .silence else { return .silence }
        if technology.isFeliCa {
            CRC16FeliCa.append(to: &buffer)
        } else if extent.hasCRC, buffer.bitCount % 8 == 0 {
            CRCA.append(to: &buffer)
        }
        return reply
    }
}
