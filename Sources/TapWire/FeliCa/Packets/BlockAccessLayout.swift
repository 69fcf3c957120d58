/// Where the lists of a Read or Write Without Encryption lie in its packet.
///
/// A layout holds offsets, no bytes, so a card walks the lists of a packet without copying them, and the request
/// types that clients use read theirs through the same lines. It is small enough to be handed on in a register.
///
/// ```
/// LEN | code | IDm (8) | m | service code (LE) × m | n | block list element × n | …
/// ```
public struct BlockAccessLayout: Hashable, Sendable {
    /// Offset of m.
    @usableFromInline static let serviceCountOffset = 10
    /// Length of a command whose lists are empty, LEN included.
    public static let minimumLength = 12
    /// Lengths a command with these lists can have, LEN included.
    static let lengths = minimumLength...FeliCaPacket.maximumLength

    @usableFromInline let services: UInt8
    @usableFromInline let blocks: UInt8

    /// Number of services, m.
    @inline(always)
    public var serviceCount: Int { Int(services) }
    /// Number of blocks, n.
    @inline(always)
    public var blockCount: Int { Int(blocks) }
    /// Offset of the first block list element.
    @inline(always)
    public var blockListOffset: Int { Self.blockCountOffset(behind: services) + 1 }

    /// Reads the two counts, or nothing if the packet ends before them.
    @inline(always)
    public init?(_ packet: Span<UInt8>) {
        guard packet.count > Self.serviceCountOffset else { return nil }
        services = packet[Self.serviceCountOffset]
        let blockCountOffset = Self.blockCountOffset(behind: services)
        guard packet.count > blockCountOffset else { return nil }
        blocks = packet[blockCountOffset]
    }

    @inline(__always)
    @inlinable
    static func blockCountOffset(behind services: UInt8) -> Int { serviceCountOffset + 1 + 2 * Int(services) }

    /// Number of services of a packet of at least ``minimumLength`` bytes.
    @inline(always)
    public static func serviceCount(of packet: Span<UInt8>) -> Int {
        Int(packet[serviceCountOffset])
    }

    /// The service code at an index below ``serviceCount``.
    @inline(always)
    public func service(_ index: Int, in packet: Span<UInt8>) -> NodeCode {
        NodeCode(packet.littleEndian16(at: Self.serviceCountOffset + 1 + 2 * index))
    }

    /// The block list from its first element on.
    @inline(always)
    public var blockList: BlockListCursor { BlockListCursor(count: blockCount, offset: blockListOffset) }

    /// Offset behind the last block list element, or nothing if the packet ends inside the list.
    public func blockListEnd(in packet: Span<UInt8>) -> Int? {
        var list = blockList
        list.skipAll(in: packet)
        return list.isAtEnd ? list.offset : nil
    }
}

extension BlockAccessLayout {
    /// Reads counts and the whole block list for a request type.
    ///
    /// - Returns: The layout and the offset behind its last element.
    /// - Throws: ``WireError`` where a list breaks off.
    static func checked(_ packet: Span<UInt8>) throws(WireError) -> (layout: BlockAccessLayout, end: Int) {
        guard let layout = BlockAccessLayout(packet) else {
            throw WireError(.truncated, at: packet.count, in: "service code list")
        }
        guard let end = layout.blockListEnd(in: packet) else {
            throw WireError(.truncated, at: packet.count, in: "block list", "\(layout.blockCount) elements announced")
        }
        return (layout, end)
    }

    /// The service codes of a packet.
    func services(in packet: Span<UInt8>) -> [NodeCode] {
        (0..<serviceCount).map { service($0, in: packet) }
    }

    /// The block list elements of a packet.
    func blocks(in packet: Span<UInt8>) -> [BlockListElement] {
        var list = blockList
        var elements: [BlockListElement] = []
        while let element = list.next(in: packet) { elements.append(element) }
        return elements
    }

    /// Length of a command with these lists, data not counted.
    static func length(services: [NodeCode], blocks: [BlockListElement]) -> Int {
        minimumLength + 2 * services.count + blocks.reduce(0) { $0 + $1.byteCount }
    }

    /// Appends counts and lists.
    static func write(services: [NodeCode], blocks: [BlockListElement], into buffer: inout FrameBuffer) {
        NodeListLayout.write(services, into: &buffer)
        buffer.append(UInt8(truncatingIfNeeded: blocks.count))
        for block in blocks { block.write(into: &buffer) }
    }
}
