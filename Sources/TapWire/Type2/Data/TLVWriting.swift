extension Type2DataArea {
    /// Lays blocks one behind the other into the data area, around reserved bytes.
    ///
    /// Each Lock Control and Memory Control block reserves bytes for those that follow it. A terminator at the end is
    /// left out where there is no room: data that fill the area need none.
    ///
    /// - Parameters:
    ///   - blocks: The blocks in order.
    ///   - memory: The memory of the tag from its byte 0 on; unchanged after an error.
    /// - Returns: Where each block lies.
    /// - Throws: ``WireError`` with the address where the area or the memory ends inside a block.
    @discardableResult
    public func write(_ blocks: [TLVBlock], into memory: inout [UInt8]) throws(WireError) -> [PlacedTLV] {
        var layout = TLVLayout(area: self)
        try layout.place(blocks)
        for address in layout.byteAddresses where !memory.indices.contains(address) {
            throw WireError(.truncated, at: memory.count, in: "tag memory", "a TLV needs the byte at \(address)")
        }
        for (address, byte) in zip(layout.byteAddresses, layout.placed.flatMap(\.block.bytes)) {
            memory[address] = byte
        }
        return layout.placed
    }

    /// Bytes of the longest NDEF message that fits behind other blocks, without a terminator, or nothing if not even
    /// an empty one does.
    ///
    /// - Parameter blocks: The blocks before it.
    public func largestMessage(behind blocks: [TLVBlock] = []) -> Int? {
        var layout = TLVLayout(area: self)
        guard (try? layout.place(blocks)) != nil, layout.placed.count == blocks.count else { return nil }
        let left = layout.area.byteCount(from: layout.position)
        let short = min(left - 2, TLVBlock.maximumShortValueLength)
        let largest = max(short, min(left - 4, TLVBlock.maximumValueLength))
        return largest < 0 ? nil : largest
    }
}

/// Where the bytes of blocks go, as they are placed one behind the other.
private struct TLVLayout {
    /// The data area, with all that control blocks have reserved so far.
    var area: Type2DataArea
    /// The first address behind the last byte placed.
    var position: Int
    /// The blocks placed.
    var placed: [PlacedTLV] = []
    /// The address of each byte of the blocks placed, in their order.
    var byteAddresses: [Int] = []

    init(area: Type2DataArea) {
        self.area = area
        position = area.addresses.lowerBound
    }

    /// Places blocks; a last terminator without room is left out.
    mutating func place(_ blocks: [TLVBlock]) throws(WireError) {
        for (index, block) in blocks.enumerated() {
            let isLast = index == blocks.count - 1
            if isLast, block == .terminator, area.dataAddress(atOrAfter: position) == nil { return }
            try place(block)
        }
    }

    private mutating func place(_ block: TLVBlock) throws(WireError) {
        let first = byteAddresses.count
        let byteCount = block.bytes.count
        for index in 0..<byteCount {
            guard let address = area.dataAddress(atOrAfter: position) else {
                throw WireError(
                    .truncated, at: area.addresses.upperBound, in: "data area",
                    "\(byteCount - index) of \(byteCount) bytes of a \(block.type) TLV have no room")
            }
            byteAddresses.append(address)
            position = address + 1
        }
        placed.append(
            PlacedTLV(
                block: block, address: byteAddresses[first],
                lengthAddress: block.type.hasValue ? byteAddresses[first + 1] : nil, end: position))
        if let reserved = block.reservedAddresses { area.reserve(reserved) }
    }
}
