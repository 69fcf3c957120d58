/// A TLV block and where it lies.
public struct PlacedTLV: Hashable, Sendable {
    public let block: TLVBlock
    /// Address of the type byte.
    public let address: Int
    /// Address of the first byte of the length, or nothing where the type has none.
    public let lengthAddress: Int?
    /// The first address behind the block, reserved bytes not skipped.
    public let end: Int
}

/// Walks the TLV blocks in the memory of a Type 2 Tag.
///
/// Blocks jump over reserved bytes; each Lock Control and Memory Control block reserves bytes for those that follow
/// it. NULL and the terminator are blocks like any other; behind a terminator there is none.
public struct TLVWalker: Sendable {
    private let memory: [UInt8]
    /// The data area, with all that control blocks have reserved so far.
    public private(set) var area: Type2DataArea
    private var position: Int
    private var hasEnded = false

    /// Creates a walker that begins at the first address of an area.
    ///
    /// - Parameters:
    ///   - memory: The memory of the tag from its byte 0 on, as far as it is known.
    ///   - area: Where the blocks are.
    public init(memory: [UInt8], area: Type2DataArea) {
        self.memory = memory
        self.area = area
        position = area.addresses.lowerBound
    }

    /// The next block, or nothing behind a terminator, at the end of the area and after an error.
    ///
    /// - Throws: ``WireError`` with the address where the block is wrong; what comes behind cannot be found. Its code is
    ///   `truncated` where the area or the memory known ends inside the block, `wrongLength` where the value is longer
    ///   than the rest of the area, `wrongValue` for the reserved length FFFF.
    public mutating func next() throws(WireError) -> PlacedTLV? {
        guard !hasEnded, let address = area.dataAddress(atOrAfter: position) else { return nil }
        hasEnded = true
        let type = TLVType(try byte("TLV type"))
        var lengthAddress: Int?
        var block = type == .terminator ? TLVBlock.terminator : .null
        if type.hasValue {
            lengthAddress = area.dataAddress(atOrAfter: position)
            block = try readBlock(type, lengthAddress: lengthAddress ?? position)
        }
        hasEnded = type == .terminator
        if let reserved = block.reservedAddresses { area.reserve(reserved) }
        return PlacedTLV(block: block, address: address, lengthAddress: lengthAddress, end: position)
    }

    /// Reads length and value of a block.
    private mutating func readBlock(_ type: TLVType, lengthAddress: Int) throws(WireError) -> TLVBlock {
        let name = "length of the \(type) TLV"
        let first = try byte(name)
        let isLong = first == TLVBlock.longLengthMark
        var length = Int(first)
        if isLong {
            length = Int(try byte(name)) << 8
            length |= Int(try byte(name))
        }
        guard length <= TLVBlock.maximumValueLength else {
            throw WireError(.wrongValue, at: lengthAddress, in: name, "FFFF is reserved")
        }
        let left = area.byteCount(from: position)
        guard length <= left else {
            throw WireError(
                .wrongLength, at: lengthAddress, in: name, "\(length) bytes announced, the data area has \(left) left")
        }
        let valueName = "value of the \(type) TLV"
        var value: [UInt8] = []
        value.reserveCapacity(length)
        for _ in 0..<length { value.append(try byte(valueName)) }
        return try TLVBlock(type, value, isLong: isLong)
    }

    /// Reads the next byte of data.
    private mutating func byte(_ name: String) throws(WireError) -> UInt8 {
        guard let address = area.dataAddress(atOrAfter: position) else {
            throw WireError(.truncated, at: area.addresses.upperBound, in: name, "the data area ends")
        }
        guard memory.indices.contains(address) else {
            throw WireError(.truncated, at: memory.count, in: name, "only \(memory.count) bytes of memory are known")
        }
        position = address + 1
        return memory[address]
    }
}

extension Type2DataArea {
    /// All blocks up to the terminator or the end of the area.
    ///
    /// - Parameter memory: The memory of the tag from its byte 0 on.
    /// - Throws: ``WireError`` with the address where a block is wrong.
    public func blocks(in memory: [UInt8]) throws(WireError) -> [PlacedTLV] {
        var walker = TLVWalker(memory: memory, area: self)
        var blocks: [PlacedTLV] = []
        while let placed = try walker.next() { blocks.append(placed) }
        return blocks
    }

    /// The first NDEF Message block, the one that counts, or nothing if there is none.
    ///
    /// - Parameter memory: The memory of the tag from its byte 0 on.
    /// - Throws: ``WireError`` with the address where a block before it is wrong.
    public func ndefMessageBlock(in memory: [UInt8]) throws(WireError) -> PlacedTLV? {
        var walker = TLVWalker(memory: memory, area: self)
        while let placed = try walker.next() {
            if placed.block.type == .ndefMessage { return placed }
        }
        return nil
    }
}
