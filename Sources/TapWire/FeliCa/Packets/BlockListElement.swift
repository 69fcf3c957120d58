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

    /// The bit of the first byte that says two bytes.
    @inlinable static var shortForm: UInt8 { 0x80 }

    /// Form, access mode and service order, as they are sent.
    @usableFromInline let first: UInt8
    /// Block number.
    public let blockNumber: UInt16

    /// Index into the service code list, 0 to 15.
    @inline(always)
    public var serviceOrder: UInt8 { first & 0x0F }
    /// Access mode, 0 to 7.
    @inline(always)
    public var accessMode: UInt8 { first >> 4 & 0x07 }
    /// Whether the three-byte form is used; a block number above 255 needs it.
    @inline(always)
    public var isLong: Bool { Self.isLong(first: first) }

    /// Creates an element; the three-byte form is taken where the block number needs it.
    public init(serviceOrder: UInt8 = 0, accessMode: UInt8 = 0, blockNumber: UInt16, isLong: Bool = false) {
        let form = isLong || blockNumber > 0xFF ? 0 : Self.shortForm
        first = form | (accessMode & 0x07) << 4 | serviceOrder & 0x0F
        self.blockNumber = blockNumber
    }

    /// Reads the element that begins at `offset`, or nothing if the bytes end inside it.
    @inline(always)
    public init?(_ bytes: Span<UInt8>, at offset: Int) {
        guard offset < bytes.count else { return nil }
        let first = bytes[offset]
        guard bytes.count &- offset >= Self.byteCount(first: first) else { return nil }
        self.first = first
        let low = UInt16(bytes[offset &+ 1])
        blockNumber = Self.isLong(first: first) ? low | UInt16(bytes[offset &+ 2]) << 8 : low
    }

    /// Number of bytes, 2 or 3.
    @inline(always)
    public var byteCount: Int { Self.byteCount(first: first) }

    /// Number of bytes of an element that begins with `first`.
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

    /// The element as it is sent.
    var bytes: [UInt8] {
        let low = UInt8(truncatingIfNeeded: blockNumber)
        return isLong ? [first, low, UInt8(blockNumber >> 8)] : [first, low]
    }
}
