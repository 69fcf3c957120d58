/// What Type 2 commands share: an opcode, then fields of fixed length, and CRC_A that frames here leave out.
enum Type2Frame {
    /// Checks opcode and length of a command.
    ///
    /// - Throws: ``WireError`` naming the command by its opcode.
    static func check(_ frame: Span<UInt8>, _ opcode: Type2Opcode, length: Int) throws(WireError) {
        guard frame.count > 0 else { throw WireError(.truncated, at: 0, in: opcode.description) }
        guard frame[0] == opcode.rawValue else {
            throw WireError(
                .wrongCode, at: 0, in: opcode.description, "\(Hex.digits(frame[0], width: 2)) is another command")
        }
        try WireError.requireCount(frame.count, is: length, of: opcode.description)
    }
}
