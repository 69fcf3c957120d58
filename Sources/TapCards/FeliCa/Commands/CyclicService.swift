import TapWire

extension FeliCaCard {
    /// Pushes neighbouring elements of a write into a cyclic service as its newest blocks, the first element newest.
    ///
    /// Elements equal to the newest blocks change nothing: a reader that heard no answer may send a log entry again.
    /// Source: FeliCa Card User's Manual, excerpted edition, "cyclic service".
    mutating func push(
        _ write: FeliCaWrite, elements: Range<Int>, into service: FeliCaNode, _ frame: Span<UInt8>
    ) {
        let first = service.blocks.lowerBound
        let isRepeated = elements.allSatisfy { write.data($0, in: frame) == blocks[first + $0 - elements.lowerBound] }
        guard !isRepeated else { return }
        for block in (elements.count..<service.blocks.count).reversed() {
            blocks[first + block] = blocks[first + block - elements.count]
        }
        for element in elements {
            blocks[first + element - elements.lowerBound] = write.data(element, in: frame)
        }
    }
}
