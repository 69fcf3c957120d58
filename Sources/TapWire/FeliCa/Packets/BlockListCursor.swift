/// A place in the block list of a packet.
public struct BlockListCursor: Hashable, Sendable {
    /// Number of elements the packet announces.
    public let count: Int
    @usableFromInline var elementIndex = 0
    @usableFromInline var elementOffset: Int

    /// Creates a cursor before the first element.
    ///
    /// - Parameter offset: Where it begins in the packet, not negative.
    @usableFromInline
    init(count: Int, offset: Int) {
        self.count = count
        elementOffset = offset
    }

    /// Index of the element that ``next(in:)`` reads.
    @inline(always)
    public var index: Int { elementIndex }

    /// Its offset in the packet.
    @inline(always)
    public var offset: Int { elementOffset }

    /// Whether all elements are read.
    @inline(always)
    public var isAtEnd: Bool { index == count }

    /// Reads an element, or nothing at the end of the list or of the packet.
    @inline(always)
    public mutating func next(in packet: Span<UInt8>) -> BlockListElement? {
        guard index < count, let element = BlockListElement(packet, at: offset) else { return nil }
        // Both stay within the count and the length of the packet.
        elementIndex &+= 1
        elementOffset &+= element.byteCount
        return element
    }

    /// Reads all elements that are left, as far as the packet holds them.
    public mutating func skipAll(in packet: Span<UInt8>) {
        while next(in: packet) != nil {}
    }

    /// Reads the elements that follow as long as they have two bytes, use the same service in the same way as `element`
    /// and have a block number below `limit`.
    ///
    /// - Parameter body: Takes the index of an element and its block number.
    @inline(always)
    package mutating func readNumbers(
        like element: BlockListElement, below limit: Int, in packet: Span<UInt8>, _ body: (Int, Int) -> Void
    ) {
        let first = UInt16(element.first | BlockListElement.shortForm)
        let limit = min(limit, 0x100)
        // No element is read beyond the announced ones or the packet; an offset only grows, and begins in the packet.
        let most = min(count &- index, (packet.count &- offset) >> 1)
        var passed = 0
        while passed < most {
            let start = offset &+ 2 &* passed
            let bytes = unsafe packet.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt16.self)
            // The block number, or more than one byte can hold where the first byte is another.
            let number = Int((UInt16(littleEndian: bytes) &- first).byteSwapped)
            guard number < limit else { break }
            body(index &+ passed, number)
            passed &+= 1
        }
        elementIndex &+= passed
        elementOffset &+= 2 &* passed
    }
}
