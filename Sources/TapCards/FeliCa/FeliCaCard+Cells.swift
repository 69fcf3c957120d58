import TapWire

/// The memory as cells, for faults that strike it.
extension FeliCaCard {
    /// The blocks that a Write Without Encryption would program; of a cyclic service the newest ones.
    public func cells(writtenBy command: Span<UInt8>) -> [Range<Int>] {
        var card = self
        guard FeliCaPacket.isWhole(command),
            let rule = template.rules[Int(command[1])], rule.command == .writeWithoutEncryption,
            card.isAddressed(by: command),
            case .blocks(let layout, let end)? = template.structure(of: command, rule)
        else { return [] }
        return card.blocks(writtenBy: FeliCaWrite(layout: layout, dataOffset: Int(end)), command).map { block in
            block * BlockData.byteCount..<(block + 1) * BlockData.byteCount
        }
    }

    /// A byte of all blocks, one after the other; outside the memory, zero and ignored.
    public subscript(cell cell: Int) -> UInt8 {
        get { isCell(cell) ? blocks[cell / BlockData.byteCount][cell % BlockData.byteCount] : 0 }
        set { if isCell(cell) { blocks[cell / BlockData.byteCount][cell % BlockData.byteCount] = newValue } }
    }

    private func isCell(_ cell: Int) -> Bool {
        cell >= 0 && cell < blocks.count * BlockData.byteCount
    }
}
