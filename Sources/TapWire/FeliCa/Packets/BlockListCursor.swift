/// A place in the block list of a packet.
public struct BlockListCursor: Hashable, Sendable {
    /// Number of elements the packet announces.
    public let count: Int
    /// Index of the element that ``next(in:)`` reads.
    public var index = 0
    /// Its offset in the packet.
    public var offset: Int

    @usableFromInline
    init(count: Int, offset: Int) {
        self.count = count
        self.offset = offset
    }

    /// Whether all elements are read.
    @inlinable
    public var isAtEnd: Bool { index == count }

    /// Reads an element, or nothing at the end of the list or of the packet.
    @inline(always)
    public mutating func next(in packet: Span<UInt8>) -> BlockListElement? {
        guard index < count, let element = BlockListElement(packet, at: offset) else { return nil }
        // Both stay within the count and the length of the packet.
        index &+= 1
        offset &+= element.byteCount
        return element
    }
}
