/// One element of a block list: a block of a service and how it is accessed.
///
/// ```
/// 2 bytes   1 aaa ssss | block number
/// 3 bytes   0 aaa ssss | block number (2, LE)
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "block list".
public struct BlockListElement: Hashable, Sendable {
    /// Three-bit access modes.
    public enum AccessMode {
        /// A read, or a write other than cashback.
        public static let normal: UInt8 = 0
        /// Cashback to a purse.
        public static let cashback: UInt8 = 1
        /// A key change for a node within a DES session.
        public static let keyChange: UInt8 = 4
    }

    /// The bit of the first byte that marks the two-byte form.
    @inlinable static var shortForm: UInt8 { 0x80 }

    /// The form, access mode and service order as sent.
    @usableFromInline let first: UInt8
    public let blockNumber: UInt16

    /// The index into the service code list, 0 to 15.
    @inline(always) public var serviceOrder: UInt8 { first & 0x0F }
    /// The access mode, 0 to 7.
    @inline(always) public var accessMode: UInt8 { first >> 4 & 0x07 }
    /// A Boolean value that indicates the three-byte form, which a block number above 255 requires.
    @inline(always) public var isLong: Bool { Self.isLong(first: first) }

    /// Creates an element, in the three-byte form if the block number requires it.
    public init(serviceOrder: UInt8 = 0, accessMode: UInt8 = 0, blockNumber: UInt16, isLong: Bool = false) {
        let form = isLong || blockNumber > 0xFF ? 0 : Self.shortForm
        first = form | (accessMode & 0x07) << 4 | serviceOrder & 0x0F
        self.blockNumber = blockNumber
    }

    /// Reads the element at `offset`, or returns `nil` if the bytes end inside it.
    @inline(always)
    public init?(_ bytes: Span<UInt8>, at offset: Int) {
        guard offset < bytes.count else { return nil }
        let first = bytes[offset]
        guard bytes.count &- offset >= Self.byteCount(first: first) else { return nil }
        self.first = first
        let low = UInt16(bytes[offset &+ 1])
        blockNumber = Self.isLong(first: first) ? low | UInt16(bytes[offset &+ 2]) << 8 : low
    }

    @inline(always) public var byteCount: Int { Self.byteCount(first: first) }

    /// The number of bytes of an element that begins with `first`.
    @inline(__always)
    @inlinable
    static func byteCount(first: UInt8) -> Int { isLong(first: first) ? 3 : 2 }

    @inline(__always)
    @inlinable
    static func isLong(first: UInt8) -> Bool { first & shortForm == 0 }

    public func write(into buffer: inout FrameBuffer) {
        buffer.append(first)
        if isLong {
            buffer.append(littleEndian: blockNumber)
        } else {
            buffer.append(UInt8(truncatingIfNeeded: blockNumber))
        }
    }

    var bytes: [UInt8] {
        let low = UInt8(truncatingIfNeeded: blockNumber)
        return isLong ? [first, low, UInt8(blockNumber >> 8)] : [first, low]
    }
}

public struct BlockListCursor: Hashable, Sendable {
    /// The number of elements that the packet announces.
    public let count: Int
    @usableFromInline var elementIndex = 0
    @usableFromInline var elementOffset: Int

    /// Creates a cursor before the first element; `offset` must not be negative.
    @usableFromInline
    init(count: Int, offset: Int) {
        self.count = count
        elementOffset = offset
    }

    /// The index of the element that ``next(in:)`` reads next.
    @inline(always) public var index: Int { elementIndex }

    @inline(always) public var offset: Int { elementOffset }

    @inline(always) public var isAtEnd: Bool { index == count }

    /// Reads the next element, or returns `nil` at the end of the list or packet.
    @inline(always)
    public mutating func next(in packet: Span<UInt8>) -> BlockListElement? {
        guard index < count, let element = BlockListElement(packet, at: offset) else { return nil }
        // Neither addition can overflow: the values stay within the count and the packet length.
        elementIndex &+= 1
        elementOffset &+= element.byteCount
        return element
    }

    /// Reads all remaining elements that are in the packet.
    package mutating func skipAll(in packet: Span<UInt8>) {
        while next(in: packet) != nil {}
    }

    /// Reads the following elements as long as they have two bytes, the same service and access mode as `element`, and a
    /// block number below `limit`.
    ///
    /// - Parameter body: Receives the index of an element and its block number.
    @inline(always)
    package mutating func readNumbers(
        like element: BlockListElement, below limit: Int, in packet: Span<UInt8>, _ body: (Int, Int) -> Void
    ) {
        let first = UInt16(element.first | BlockListElement.shortForm)
        let limit = min(limit, 0x100)
        // No element past the announced count or the packet is read: the offset starts inside the packet and only grows.
        let most = min(count &- index, (packet.count &- offset) >> 1)
        var passed = 0
        while passed < most {
            let start = offset &+ 2 &* passed
            let bytes = unsafe packet.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt16.self)
            // The block number, or a value above one byte if the first byte differs.
            let number = Int((UInt16(littleEndian: bytes) &- first).byteSwapped)
            guard number < limit else { break }
            body(index &+ passed, number)
            passed &+= 1
        }
        elementIndex &+= passed
        elementOffset &+= 2 &* passed
    }
}

/// The positions of the lists in a Read or Write Without Encryption packet.
///
/// A layout stores offsets instead of bytes, so a card walks the lists of a packet without copying them. The request types
/// for clients use the same code. The layout is small enough to be passed in a register.
///
/// ```
/// LEN | code | IDm (8) | m | service code (LE) × m | n | block list element × n | …
/// ```
public struct BlockAccessLayout: Hashable, Sendable {
    /// The offset of m.
    @usableFromInline static let serviceCountOffset = 10
    /// The length of a command with empty lists, LEN included.
    public static let minimumLength = 12
    /// The possible lengths of a command with these lists, LEN included.
    static let lengths = minimumLength...FeliCaPacket.maximumLength

    @usableFromInline let services: UInt8
    @usableFromInline let blocks: UInt8

    @inline(always) public var serviceCount: Int { Int(services) }
    @inline(always) public var blockCount: Int { Int(blocks) }
    @inline(always) public var blockListOffset: Int { Self.blockCountOffset(after: services) + 1 }

    /// Reads the two counts, or returns `nil` if the packet ends before them.
    @inline(always)
    public init?(_ packet: Span<UInt8>) {
        guard packet.count > Self.serviceCountOffset else { return nil }
        services = packet[Self.serviceCountOffset]
        let blockCountOffset = Self.blockCountOffset(after: services)
        guard packet.count > blockCountOffset else { return nil }
        blocks = packet[blockCountOffset]
    }

    @inline(__always)
    @inlinable
    static func blockCountOffset(after services: UInt8) -> Int { serviceCountOffset + 1 + 2 * Int(services) }

    /// The number of services in a packet of at least ``minimumLength`` bytes.
    @inline(always)
    public static func serviceCount(of packet: Span<UInt8>) -> Int {
        Int(packet[serviceCountOffset])
    }

    /// The service code at an index below ``serviceCount``.
    @inline(always)
    public func service(_ index: Int, in packet: Span<UInt8>) -> NodeCode {
        NodeCode(packet.littleEndian16(at: Self.serviceCountOffset + 1 + 2 * index))
    }

    @inline(always)
    public var blockList: BlockListCursor { BlockListCursor(count: blockCount, offset: blockListOffset) }

    /// The offset after the last block list element, or `nil` if the packet ends inside the list.
    public func blockListEnd(in packet: Span<UInt8>) -> Int? {
        var list = blockList
        list.skipAll(in: packet)
        return list.isAtEnd ? list.offset : nil
    }
}

extension BlockAccessLayout {
    /// Reads the counts and the whole block list for a request type; throws ``WireError`` if a list is truncated.
    static func checked(_ packet: Span<UInt8>) throws(WireError) -> (layout: BlockAccessLayout, end: Int) {
        guard let layout = BlockAccessLayout(packet) else {
            throw WireError(.truncated, at: packet.count, in: "service code list")
        }
        guard let end = layout.blockListEnd(in: packet) else {
            throw WireError(.truncated, at: packet.count, in: "block list", "\(layout.blockCount) elements announced")
        }
        return (layout, end)
    }

    func services(in packet: Span<UInt8>) -> [NodeCode] {
        (0..<serviceCount).map { service($0, in: packet) }
    }

    func blocks(in packet: Span<UInt8>) -> [BlockListElement] {
        var list = blockList
        var elements: [BlockListElement] = []
        while let element = list.next(in: packet) { elements.append(element) }
        return elements
    }

    /// The length of a command with these lists, without data.
    static func length(services: [NodeCode], blocks: [BlockListElement]) -> Int {
        minimumLength + 2 * services.count + blocks.reduce(0) { $0 + $1.byteCount }
    }

    static func write(services: [NodeCode], blocks: [BlockListElement], into buffer: inout FrameBuffer) {
        NodeListLayout.write(services, into: &buffer)
        buffer.append(UInt8(truncatingIfNeeded: blocks.count))
        for block in blocks { block.write(into: &buffer) }
    }
}
