/// One element of a block list: which block of which service, and how it is used.
///
/// ```
/// 2 bytes   1 aaa ssss | block number
/// 3 bytes   0 aaa ssss | block number (2, LE)
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "block list".
public struct BlockListElement: Hashable, Sendable {
    /// Access modes, three bits.
    public enum AccessMode {
        /// Reading, or a write other than cashback.
        public static let normal: UInt8 = 0
        /// Cashback to a purse.
        public static let cashback: UInt8 = 1
    }

    /// Index into the service code list, 0 to 15.
    public var serviceOrder: UInt8
    /// Access mode, 0 to 7.
    public var accessMode: UInt8
    /// Block number.
    public var blockNumber: UInt16
    /// Whether the three-byte form is used; a block number above 255 needs it.
    public var isLong: Bool

    /// Creates an element; the three-byte form is taken where the block number needs it.
    public init(serviceOrder: UInt8 = 0, accessMode: UInt8 = 0, blockNumber: UInt16, isLong: Bool = false) {
        self.serviceOrder = serviceOrder & 0x0F
        self.accessMode = accessMode & 0x07
        self.blockNumber = blockNumber
        self.isLong = isLong || blockNumber > 0xFF
    }

    /// Reads the element that begins at `offset`, or nothing if the bytes end inside it.
    @inline(always)
    public init?(_ bytes: Span<UInt8>, at offset: Int) {
        guard offset < bytes.count else { return nil }
        let first = bytes[offset]
        let isLong = first & 0x80 == 0
        let left = bytes.count &- offset
        guard left >= (isLong ? 3 : 2) else { return nil }
        let low = UInt16(bytes[offset &+ 1])
        self.isLong = isLong
        serviceOrder = first & 0x0F
        accessMode = first >> 4 & 0x07
        blockNumber = isLong ? low | UInt16(bytes[offset &+ 2]) << 8 : low
    }

    /// Number of bytes, 2 or 3.
    @inline(always)
    public var byteCount: Int { isLong ? 3 : 2 }

    /// Appends the element.
    public func write(into buffer: inout FrameBuffer) {
        buffer.append((isLong ? 0 : 0x80) | accessMode << 4 | serviceOrder)
        if isLong {
            buffer.append(littleEndian: blockNumber)
        } else {
            buffer.append(UInt8(truncatingIfNeeded: blockNumber))
        }
    }

    /// The element as it is sent.
    var bytes: [UInt8] {
        let first = (isLong ? 0 : 0x80) | accessMode << 4 | serviceOrder
        let low = UInt8(truncatingIfNeeded: blockNumber)
        return isLong ? [first, low, UInt8(blockNumber >> 8)] : [first, low]
    }
}
