import TapWire

extension FrameReading {
    /// Bits as type A frames: as they are, and with a checksum at the end.
    static func typeA(_ bytes: [UInt8], bitCount: Int) -> [FrameReading] {
        guard bitCount == bytes.count * 8 else {
            let frame = AirFrame(.typeA106, bytes, bitCount: bitCount)
            return readings(of: frame, ["it ends inside a byte"], weight: Weight.rightLength)
        }
        return shortFrame(bytes) + withCRC(bytes) + readings(of: AirFrame(.typeA106, bytes), [], weight: 0)
    }

    /// A lone byte that is REQA or WUPA, written without its number of bits.
    private static func shortFrame(_ bytes: [UInt8]) -> [FrameReading] {
        guard bytes.count == 1, [ShortFrame.reqa, .wupa].contains(where: { $0.rawValue == bytes[0] }) else { return [] }
        let frame = AirFrame(.typeA106, bytes, bitCount: TypeAFraming.shortFrameBits)
        let reason = "it has seven bits on air, written \(Hex.text(bytes)):7"
        return readings(of: frame, [reason], weight: Weight.knownCommand)
    }

    private static func withCRC(_ bytes: [UInt8]) -> [FrameReading] {
        guard bytes.count > CRCA.byteCount else { return [] }
        let data = Array(bytes.dropLast(CRCA.byteCount))
        if CRCA.checksum(of: bytes) == 0 {
            let frame = AirFrame(.typeA106, data)
            return readings(of: frame, ["the last two bytes are the right CRC"], weight: Weight.rightCRC)
        }
        // A wrong checksum is only likely where a command has its right length without it.
        guard let opcode = data.first, FrameDescription(command: AirFrame(.typeA106, data)).remark == nil,
            Type2Layout.of(Type2Opcode(opcode)) != nil || CascadeLevel(sel: opcode) != nil
        else { return [] }
        let frame = AirFrame(.typeA106, data, integrity: .badCRC)
        return readings(of: frame, ["the last two bytes are a wrong CRC"], weight: Weight.fittingLength)
    }

    private static func readings(of frame: AirFrame, _ reasons: [String], weight: Int) -> [FrameReading] {
        FrameGuess.all(for: frame).map { guess in
            let opcode = frame.bytes.first.map(Type2Opcode.init)
            let isKnown =
                opcode.flatMap(Type2Layout.of) != nil || guess.description.command?.layer == .selection
            let proof = guess.isProven.map { $0 ? Weight.rightContent : -Weight.fittingLength } ?? 0
            let own = guess.isCommand ? (isKnown ? Weight.knownCommand : 0) : Weight.fittingLength + proof
            return FrameReading(guess, of: frame, reasons, weight: weight + own)
        }
    }
}
