import TapWire

/// How frames are damaged on air, and what a receiver finds when it checks them.
extension AirFrame {
    /// Marks an answer as damaged: by its CRC, or by parity and framing where it has none.
    ///
    /// - Parameter command: What it answers; a type A answer has a CRC if its command has one.
    mutating func damage(answering command: AirFrame) {
        integrity = hasCRC(answering: command) ? .badCRC : .badParity
    }

    /// Inverts a bit on its way to the reader; of one beyond the end, the last.
    mutating func flip(_ bit: Int) {
        guard bitCount > 0 else { return }
        let bit = max(0, min(bit, bitCount - 1))
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }

    /// Leaves what a receiver gets of an answer whose sender falls silent; nothing changes if it had fewer bits.
    mutating func cut(toBits bits: Int, answering command: AirFrame) {
        guard bits < bitCount else { return }
        self = AirFrame(technology, bytes, bitCount: bits, integrity: integrity)
        damage(answering: command)
    }

    /// Whether an answer ends with a CRC: FeliCa frames do, type A frames of whole bytes if their command does.
    func hasCRC(answering command: AirFrame) -> Bool {
        let slice = command.bytes[...]
        return technology.isFeliCa
            || bitCount % 8 == 0 && TypeAFraming.hasCRC(slice.span, bitCount: command.bitCount)
    }
}
