/// The caller's buffer into which a card writes its answer.
///
/// A fixed piece of memory, reused from exchange to exchange: writing allocates nothing. It hides the unsafe lines of
/// the package; every append checks the bound.
@safe
public struct FrameBuffer: ~Copyable, @unchecked Sendable {
    /// Bytes the buffer holds: the longest answer is a FAST_READ of a whole NTAG216, 924 bytes.
    public static let capacity = 1_024

    @usableFromInline let storage: UnsafeMutableRawBufferPointer
    @usableFromInline var writtenCount = 0
    /// Number of bytes written.
    @inline(always)
    public var count: Int { writtenCount }
    @usableFromInline var unusedBits = 0

    /// Creates an empty buffer.
    public init() {
        unsafe storage = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit {
        unsafe storage.deallocate()
    }

    /// Number of bits written, least significant bit of each byte first.
    @inline(always)
    public var bitCount: Int { count * 8 - unusedBits }

    /// A copy of the bytes written.
    public var bytes: [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(storage)[..<count])
    }

    /// Forgets what was written.
    public mutating func removeAll() {
        writtenCount = 0
        unusedBits = 0
    }

    /// Declares that the last byte holds only some bits, for four-bit acknowledgements and split bytes.
    ///
    /// - Parameter bits: Number of bits in all, at most eight per byte written and more than in all bytes but the last.
    public mutating func trim(toBits bits: Int) {
        precondition(bits <= count * 8 && bits > (count - 1) * 8, "a buffer is trimmed inside its last byte")
        unusedBits = count * 8 - bits
    }

    /// Appends a byte.
    @inlinable
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe storage.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        writtenCount += 1
    }

    /// Appends two bytes, the low one first.
    @inlinable
    public mutating func append(littleEndian value: UInt16) {
        reserve(2)
        unsafe storage.storeBytes(of: value.littleEndian, toByteOffset: count, as: UInt16.self)
        writtenCount += 2
    }

    /// Appends two bytes, the high one first.
    @inlinable
    public mutating func append(bigEndian value: UInt16) {
        append(littleEndian: value.byteSwapped)
    }

    /// Appends eight bytes, the high one first.
    @inlinable
    public mutating func append(bigEndian value: UInt64) {
        reserve(8)
        unsafe storage.storeBytes(of: value.bigEndian, toByteOffset: count, as: UInt64.self)
        writtenCount += 8
    }

    /// Appends sixteen bytes.
    @inlinable
    public mutating func append(_ block: SIMD16<UInt8>) {
        reserve(16)
        unsafe storage.storeBytes(of: block, toByteOffset: count, as: SIMD16<UInt8>.self)
        writtenCount += 16
    }

    /// Appends the bytes of a span.
    @inlinable
    public mutating func append(_ bytes: Span<UInt8>) {
        reserve(bytes.count)
        unsafe bytes.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: source)
        }
        writtenCount += bytes.count
    }

    /// Appends the bytes of an array.
    @inlinable
    public mutating func append(_ bytes: [UInt8]) {
        let slice = bytes[...]
        append(slice.span)
    }

    /// Appends a range of an array's bytes.
    @inline(always)
    public mutating func append(_ bytes: [UInt8], in range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "the range lies in the array")
        reserve(range.count)
        unsafe bytes.withUnsafeBytes { source in
            guard let from = source.baseAddress, let target = unsafe storage.baseAddress else { return }
            unsafe (target + writtenCount).copyMemory(from: from + range.lowerBound, byteCount: range.count)
        }
        writtenCount &+= range.count
    }

    @inlinable
    func reserve(_ byteCount: Int) {
        precondition(unusedBits == 0 && count + byteCount <= Self.capacity, "an answer fits the frame buffer")
    }
}
