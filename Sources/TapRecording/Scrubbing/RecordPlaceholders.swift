import TapWire

extension Placeholders {
    /// A block with placeholders in the fields of its record.
    ///
    /// Bits outside of all fields become zero, and an empty block stays.
    ///
    /// - Parameter number: The number of the block in its service. If a record has two blocks, the even block is the first.
    mutating func block(_ block: BlockData, number: UInt16, of layout: RecordLayout) -> BlockData {
        guard !block.bytes.isBlank else { return block }
        guard layout.blockCount > 1 else { return record(block, layout) }
        // No field spans both blocks.
        return number % 2 == 0
            ? record(BlockPair(block, .zero), layout).first : record(BlockPair(.zero, block), layout).second
    }

    private mutating func record<Storage: BlockStorage>(_ stored: Storage, _ layout: RecordLayout) -> Storage {
        var (scrubbed, named) = (Storage.zero, Storage.zero)
        for piece in layout.fields.flatMap({ $0.pieces(in: stored) }) {
            if case .masked = piece.privacy { continue }
            named[piece] = stored[piece]
            scrubbed[piece] = placeholder(for: stored[piece], piece.privacy)
        }
        let indices = 0..<Storage.byteCount
        let lost = indices.map { stored[$0] ^ named[$0] }
        guard lost.contains(where: { $0 != 0 }) else { return scrubbed }
        let old = indices.map { stored[$0] }
        if bytes(.unnamed, old, by: indices.map { named[$0] }) == old {
            for (index, bits) in lost.enumerated() { scrubbed[index] ^= bits }
        }
        return scrubbed
    }

    private mutating func placeholder(for bytes: [UInt8], _ privacy: FieldPrivacy) -> [UInt8] {
        switch privacy {
        case .masked: Array(repeating: 0, count: bytes.count)
        case .open: bytes
        case .cardNumber: cardNumber(bytes)
        case .station: station(bytes)
        case .area: area(bytes)
        case .number: number(bytes)
        case .sequence(let counter): sequence(bytes, of: counter)
        case .moment(let code): moment(bytes, code)
        case .data: data(bytes)
        }
    }

    private mutating func moment<Code: MomentCode>(_ bytes: [UInt8], _: Code.Type) -> [UInt8] {
        let bits = Code.Bits(truncatingIfNeeded: UInt64(octets: bytes))
        guard bits != 0 else { return bytes }
        guard let old = Code(bits).moment else { return blank(bytes) }
        let date = old.date.map { self.date($0, notBefore: Code.firstYear) }
        let time = old.time.map { self.time($0) }
        return Code(moment: Moment(date: date, time: time))?.rawValue.bigEndianBytes.suffix(bytes.count) ?? blank(bytes)
    }
}
