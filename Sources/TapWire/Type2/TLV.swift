/// The type byte of a TLV block.
///
/// Source: NFC Forum Type 2 Tag Operation 1.1, "TLV blocks".
package struct TLVType: Hashable, Sendable, CustomStringConvertible {
    /// A byte to skip, without length and value.
    package static let null = TLVType(0x00)
    /// The position of dynamic lock bits.
    package static let lockControl = TLVType(0x01)
    /// The position of bytes that are not data.
    package static let memoryControl = TLVType(0x02)
    package static let ndefMessage = TLVType(0x03)
    package static let proprietary = TLVType(0xFD)
    /// The end of the data, without length and value.
    package static let terminator = TLVType(0xFE)

    package let rawValue: UInt8

    /// Creates a type from any byte; readers skip blocks of unknown types.
    package init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    var hasValue: Bool { self != .null && self != .terminator }

    package var description: String {
        switch self {
        case .null: "NULL"
        case .lockControl: "Lock Control"
        case .memoryControl: "Memory Control"
        case .ndefMessage: "NDEF Message"
        case .proprietary: "Proprietary"
        case .terminator: "Terminator"
        default: "type \(Hex.digits(rawValue, width: 2))"
        }
    }
}

/// A TLV block: type, length, value.
///
/// ```
/// T | L (00 to FE), or FF and two bytes (BE) | V        NULL and Terminator are T alone
/// ```
/// Source: NFC Forum Type 2 Tag Operation 1.1, "TLV blocks".
package struct TLVBlock: WireValue {
    /// The length of the longest value; the length FFFF is reserved.
    static let maximumValueLength = 0xFFFE
    /// The length of the longest value with a one-byte length.
    package static let maximumShortValueLength = 0xFE
    /// The first byte of a three-byte length.
    static let longLengthMark: UInt8 = 0xFF

    package static let null = TLVBlock(.null)
    package static let terminator = TLVBlock(.terminator)

    package let type: TLVType
    /// The value; empty if the type has none.
    package let value: [UInt8]
    /// A Boolean value that indicates a three-byte length, which values over 254 bytes require.
    package let isLong: Bool

    /// Creates a block without a value.
    private init(_ type: TLVType) {
        self.type = type
        value = []
        isLong = false
    }

    /// Creates a block, with a short length if the value allows it and `isLong` is not set.
    ///
    /// - Throws: ``WireError`` if the value is too long for a length field, or the type has no value.
    package init(_ type: TLVType, _ value: [UInt8], isLong: Bool = false) throws(WireError) {
        guard type.hasValue || (value.isEmpty && !isLong) else {
            throw WireError(.wrongLength, at: 1, in: "\(type) TLV", "it has no value")
        }
        guard value.count <= Self.maximumValueLength else {
            throw WireError(
                .wrongLength, at: 1, in: "\(type) TLV",
                "\(value.count) bytes; at most \(Self.maximumValueLength) are allowed")
        }
        self.type = type
        self.value = value
        self.isLong = isLong || value.count > Self.maximumShortValueLength
    }

    /// Throws ``WireError`` if the message is too long for a length field.
    package init(_ message: NDEFMessage) throws(WireError) {
        try self.init(.ndefMessage, message.bytes)
    }

    /// Reads a block from contiguous bytes.
    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        var walker = TLVWalker(memory: bytes.array(0..<bytes.count), area: Type2DataArea(0..<bytes.count))
        guard let placed = try walker.next() else { throw WireError(.truncated, at: 0, in: "TLV type") }
        guard placed.end == bytes.count else {
            throw WireError(.trailingBytes, at: placed.end, in: "\(placed.block.type) TLV")
        }
        self = placed.block
    }

    package var bytes: [UInt8] { [type.rawValue] + lengthBytes + value }

    /// The length field; empty if the type has none.
    var lengthBytes: [UInt8] {
        guard type.hasValue else { return [] }
        let length = UInt16(value.count).bigEndianBytes
        return isLong ? [Self.longLengthMark] + length : length.suffix(1)
    }
}

extension TLVBlock {
    /// The addresses that this block removes from the data area, or `nil` if it is not a three-byte control block.
    var reservedAddresses: Range<Int>? {
        switch type {
        case .lockControl: (try? LockControl(parsing: value))?.addresses
        case .memoryControl: (try? MemoryControl(parsing: value))?.addresses
        default: nil
        }
    }
}

package struct PlacedTLV: Hashable, Sendable {
    package let block: TLVBlock
    package let address: Int
    /// The address of the first length byte, or `nil` if the type has no length.
    package let lengthAddress: Int?
    /// The first address after the block, without skipping reserved bytes.
    package let end: Int
}

/// An iterator over the TLV blocks in the memory of a Type 2 Tag.
///
/// Blocks skip reserved bytes; each Lock Control and Memory Control block reserves bytes for the following blocks. NULL and
/// the terminator are blocks too; no block follows a terminator.
package struct TLVWalker: Sendable {
    private let memory: [UInt8]
    /// The data area, with all bytes that control blocks have reserved so far.
    package private(set) var area: Type2DataArea
    private var position: Int
    private var hasEnded = false

    /// Creates a walker that starts at the first address of an area; `memory` must start at byte 0 of the tag.
    package init(memory: [UInt8], area: Type2DataArea) {
        self.memory = memory
        self.area = area
        position = area.addresses.lowerBound
    }

    /// Returns the next block, or `nil` after a terminator, at the end of the area or after an error.
    ///
    /// - Throws: ``WireError`` with the address of an invalid block; later blocks cannot be located. The code is `truncated`
    ///   if the area or the known memory ends inside the block, `wrongLength` if the value is longer than the rest of the
    ///   area, and `wrongValue` for the reserved length FFFF.
    package mutating func next() throws(WireError) -> PlacedTLV? {
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
    /// Returns all blocks in memory, which starts at byte 0, up to the terminator or the end of the area.
    ///
    /// - Throws: ``WireError`` with the address of an invalid block.
    package func blocks(in memory: [UInt8]) throws(WireError) -> [PlacedTLV] {
        var walker = TLVWalker(memory: memory, area: self)
        var blocks: [PlacedTLV] = []
        while let placed = try walker.next() { blocks.append(placed) }
        return blocks
    }

    /// Returns the first NDEF Message block, the one that counts, or `nil` if there is none; memory starts at byte 0.
    ///
    /// - Throws: ``WireError`` with the address of an invalid block before it.
    package func ndefMessageBlock(in memory: [UInt8]) throws(WireError) -> PlacedTLV? {
        var walker = TLVWalker(memory: memory, area: self)
        while let placed = try walker.next() {
            if placed.block.type == .ndefMessage { return placed }
        }
        return nil
    }

    /// Writes blocks one after another into the data area, skipping reserved bytes.
    ///
    /// Each Lock Control and Memory Control block reserves bytes for the following blocks. A final terminator is omitted if
    /// there is no room: data that fills the area needs none.
    ///
    /// - Parameters:
    ///   - blocks: The blocks in order.
    ///   - memory: The memory of the tag, starting at byte 0; unchanged after an error.
    /// - Returns: The position of each block.
    /// - Throws: ``WireError`` with the address at which the area or the memory ends inside a block.
    @discardableResult
    package func write(_ blocks: [TLVBlock], into memory: inout [UInt8]) throws(WireError) -> [PlacedTLV] {
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

    /// The length of the longest NDEF message that fits after other blocks; `nil` if not even an empty message fits.
    package func largestMessage(after blocks: [TLVBlock] = []) -> Int? {
        var layout = TLVLayout(area: self)
        guard (try? layout.place(blocks)) != nil, layout.placed.count == blocks.count else { return nil }
        let left = layout.area.byteCount(from: layout.position)
        let short = min(left - 2, TLVBlock.maximumShortValueLength)
        let largest = max(short, min(left - 4, TLVBlock.maximumValueLength))
        return largest < 0 ? nil : largest
    }
}

/// The addresses of blocks as they are placed one after another.
private struct TLVLayout {
    /// The data area, with all bytes that control blocks have reserved so far.
    var area: Type2DataArea
    /// The first address after the last placed byte.
    var position: Int
    var placed: [PlacedTLV] = []
    /// The address of each byte of the placed blocks, in order.
    var byteAddresses: [Int] = []

    init(area: Type2DataArea) {
        self.area = area
        position = area.addresses.lowerBound
    }

    /// Places blocks; a final terminator without room is omitted.
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
                    "\(byteCount - index) of \(byteCount) bytes of a \(block.type) TLV do not fit")
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
