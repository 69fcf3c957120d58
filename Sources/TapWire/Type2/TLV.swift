/// The type byte of a TLV block.
///
/// Source: NFC Forum Type 2 Tag Operation 1.1, "TLV blocks".
package struct TLVType: Hashable, Sendable, CustomStringConvertible {
    /// A byte to be skipped, without length and value.
    package static let null = TLVType(0x00)
    /// Where dynamic lock bits are.
    package static let lockControl = TLVType(0x01)
    /// Where bytes are that are no data.
    package static let memoryControl = TLVType(0x02)
    package static let ndefMessage = TLVType(0x03)
    package static let proprietary = TLVType(0xFD)
    /// The end of the data, without length and value.
    package static let terminator = TLVType(0xFE)

    package let rawValue: UInt8

    /// Takes any byte; readers skip blocks of unknown types.
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
    /// Longest value: FFFF as a length is reserved.
    static let maximumValueLength = 0xFFFE
    /// Longest value whose length is one byte.
    package static let maximumShortValueLength = 0xFE
    /// The first byte of a length of three bytes.
    static let longLengthMark: UInt8 = 0xFF

    package static let null = TLVBlock(short: .null)
    package static let terminator = TLVBlock(short: .terminator)

    package let type: TLVType
    /// The value, empty where the type has none.
    package let value: [UInt8]
    /// Whether the length has three bytes; values of more than 254 bytes need them.
    package let isLong: Bool

    /// A block whose value is short.
    private init(short type: TLVType, _ value: [UInt8] = []) {
        self.type = type
        self.value = value
        isLong = false
    }

    /// Creates a block; the short length is taken where the value allows it and `isLong` is not set.
    ///
    /// - Throws: ``WireError`` if the value is longer than a length can say, or the type has no value.
    package init(_ type: TLVType, _ value: [UInt8], isLong: Bool = false) throws(WireError) {
        guard type.hasValue || (value.isEmpty && !isLong) else {
            throw WireError(.wrongLength, at: 1, in: "\(type) TLV", "it has no value")
        }
        guard value.count <= Self.maximumValueLength else {
            throw WireError(
                .wrongLength, at: 1, in: "\(type) TLV",
                "\(value.count) bytes, at most \(Self.maximumValueLength) fit")
        }
        self.type = type
        self.value = value
        self.isLong = isLong || value.count > Self.maximumShortValueLength
    }

    package init(_ control: LockControl) {
        self.init(short: .lockControl, control.bytes)
    }

    package init(_ control: MemoryControl) {
        self.init(short: .memoryControl, control.bytes)
    }

    /// Throws ``WireError`` if the message is longer than a length can say.
    package init(_ message: NDEFMessage) throws(WireError) {
        try self.init(.ndefMessage, message.bytes)
    }

    /// Reads a block that lies in one piece.
    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        var walker = TLVWalker(memory: bytes.array(0..<bytes.count), area: Type2DataArea(0..<bytes.count))
        guard let placed = try walker.next() else { throw WireError(.truncated, at: 0, in: "TLV type") }
        guard placed.end == bytes.count else {
            throw WireError(.trailingBytes, at: placed.end, in: "\(placed.block.type) TLV")
        }
        self = placed.block
    }

    package var bytes: [UInt8] { [type.rawValue] + lengthBytes + value }

    /// The length, empty where the type has none.
    var lengthBytes: [UInt8] {
        guard type.hasValue else { return [] }
        let length = UInt16(value.count).bigEndianBytes
        return isLong ? [Self.longLengthMark] + length : length.suffix(1)
    }
}

extension TLVBlock {
    /// The addresses this block takes out of the data area, or `nil` if it is no control block of three bytes.
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
    /// Address of the type byte.
    package let address: Int
    /// Address of the first byte of the length, or `nil` where the type has none.
    package let lengthAddress: Int?
    /// The first address behind the block, reserved bytes not skipped.
    package let end: Int
}

/// Walks the TLV blocks in the memory of a Type 2 Tag.
///
/// Blocks jump over reserved bytes; each Lock Control and Memory Control block reserves bytes for those that follow
/// it. NULL and the terminator are blocks like any other; behind a terminator there is none.
package struct TLVWalker: Sendable {
    private let memory: [UInt8]
    /// The data area, with all that control blocks have reserved so far.
    package private(set) var area: Type2DataArea
    private var position: Int
    private var hasEnded = false

    /// Creates a walker from the first address of an area on, in memory known from its byte 0 on.
    package init(memory: [UInt8], area: Type2DataArea) {
        self.memory = memory
        self.area = area
        position = area.addresses.lowerBound
    }

    /// The next block, or `nil` behind a terminator, at the end of the area and after an error.
    ///
    /// - Throws: ``WireError`` with the address where the block is wrong; what comes behind cannot be found. Its code is
    ///   `truncated` where the area or the memory known ends inside the block, `wrongLength` where the value is longer
    ///   than the rest of the area, `wrongValue` for the reserved length FFFF.
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
    /// All blocks in memory, from its byte 0 on, up to the terminator or the end of the area.
    ///
    /// - Throws: ``WireError`` with the address where a block is wrong.
    package func blocks(in memory: [UInt8]) throws(WireError) -> [PlacedTLV] {
        var walker = TLVWalker(memory: memory, area: self)
        var blocks: [PlacedTLV] = []
        while let placed = try walker.next() { blocks.append(placed) }
        return blocks
    }

    /// The first NDEF Message block, the one that counts, in memory from its byte 0 on; `nil` if there is none.
    ///
    /// - Throws: ``WireError`` with the address where a block before it is wrong.
    package func ndefMessageBlock(in memory: [UInt8]) throws(WireError) -> PlacedTLV? {
        var walker = TLVWalker(memory: memory, area: self)
        while let placed = try walker.next() {
            if placed.block.type == .ndefMessage { return placed }
        }
        return nil
    }

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

    /// Bytes of the longest NDEF message that fits behind other blocks; `nil` if not even an empty one does.
    package func largestMessage(behind blocks: [TLVBlock] = []) -> Int? {
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
