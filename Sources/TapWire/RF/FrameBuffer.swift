/// A value with a single byte layout, shared by encoder and decoder.
///
/// A value can hold anything that fits its layout, legal or not; the card decides what is legal. Parsing and encoding are
/// inverse: `Self(parsing: value.bytes) == value`.
public protocol WireValue: Hashable, Sendable {
    /// Throws ``WireError`` with the offset of the first byte that does not fit.
    init(parsing bytes: Span<UInt8>) throws(WireError)

    /// The value as sent or stored.
    var bytes: [UInt8] { get }
}

extension WireValue {
    /// Throws ``WireError`` with the offset of the first byte that does not fit.
    @inlinable
    public init(parsing bytes: [UInt8]) throws(WireError) {
        let slice = bytes[...]
        try self.init(parsing: slice.span)
    }
}

/// A wire value that is a frame; it writes itself into the buffer of a card or reader without allocating.
public protocol FrameValue: WireValue {
    func write(into buffer: inout FrameBuffer)
}

extension FrameValue {
    /// The frame as bytes, without CRC.
    public var bytes: [UInt8] {
        FrameBuffer.withTemporary { buffer in
            write(into: &buffer)
            return buffer.bytes
        }
    }
}

/// The caller's buffer into which a card writes its answer.
///
/// It is a fixed block of memory that is reused for every exchange, so writing does not allocate. It encapsulates the
/// package's unsafe code; every append checks the bound.
@safe
public struct FrameBuffer: ~Copyable, @unchecked Sendable {
    /// The size of the buffer.
    ///
    /// The longest answer is a FAST_READ of a whole NTAG216, 924 bytes.
    public static let capacity = 1_024

    @usableFromInline let storage: UnsafeMutableRawPointer
    private let isLent: Bool
    @usableFromInline var writtenCount = 0
    @usableFromInline var unusedBits = 0

    @inline(always) public var count: Int { writtenCount }

    public init() {
        unsafe storage = .allocate(byteCount: Self.capacity, alignment: 16)
        isLent = false
    }

    @usableFromInline
    init(lent memory: UnsafeMutableRawPointer) {
        unsafe storage = memory
        isLent = true
    }

    deinit {
        if !isLent { unsafe storage.deallocate() }
    }

    /// Calls `body` with an empty buffer on the stack, which `body` must neither keep nor swap for another buffer.
    @inline(always)
    package static func withTemporary<Result>(_ body: (inout FrameBuffer) -> Result) -> Result {
        unsafe withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 16) { memory in
            guard let start = memory.baseAddress else { preconditionFailure("memory has an address") }
            var buffer = unsafe FrameBuffer(lent: start)
            return body(&buffer)
        }
    }

    /// Number of bits written, least significant bit of each byte first.
    @inline(always) public var bitCount: Int { count &* 8 &- unusedBits }

    public var bytes: [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: storage, count: count))
    }

    /// A written byte; traps for an offset past the last written byte.
    @inline(always)
    package subscript(offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < count, "the byte was written")
        return unsafe storage.load(fromByteOffset: offset, as: UInt8.self)
    }

    @inline(always)
    public mutating func removeAll() {
        writtenCount = 0
        unusedBits = 0
    }

    /// Marks the last byte as holding only some bits, for four-bit acknowledgements and split bytes.
    ///
    /// - Parameter bits: Total number of bits: at most eight per written byte, and more than all bytes but the last hold.
    @inline(always)
    public mutating func trim(toBits bits: Int) {
        let unused = count &* 8 &- bits
        precondition(0..<8 ~= unused, "a buffer is trimmed inside its last byte")
        unusedBits = unused
    }

    @inline(always)
    public mutating func append(_ byte: UInt8) {
        store(byte)
    }

    /// Appends two bytes, the low one first.
    @inline(always)
    public mutating func append(littleEndian value: UInt16) {
        store(value.littleEndian)
    }

    /// Appends two bytes, the high one first.
    @inline(always)
    public mutating func append(bigEndian value: UInt16) {
        store(value.bigEndian)
    }

    /// Appends four bytes, the low one first.
    @inline(always)
    public mutating func append(littleEndian value: UInt32) {
        store(value.littleEndian)
    }

    /// Appends eight bytes, the high one first.
    @inline(always)
    public mutating func append(bigEndian value: UInt64) {
        store(value.bigEndian)
    }

    @inline(always)
    public mutating func append(_ page: SIMD4<UInt8>) {
        store(page)
    }

    @inline(always)
    public mutating func append(_ block: SIMD16<UInt8>) {
        store(block)
    }

    @inline(always)
    public mutating func append(_ bytes: Span<UInt8>) {
        copy(bytes)
    }

    public mutating func append(_ bytes: [UInt8]) {
        let slice = bytes[...]
        copy(slice.span)
    }

    @inline(always)
    public mutating func append(_ pages: Span<PageData>) {
        copy(pages)
    }

    /// Appends values in their memory representation.
    @inline(__always)
    @inlinable
    mutating func copy<Value: BitwiseCopyable>(_ values: Span<Value>) {
        let byteCount = values.count &* MemoryLayout<Value>.stride
        reserve(byteCount)
        let end = unsafe storage + count
        // Updated before the copy, so that nothing has to be kept across it.
        writtenCount &+= byteCount
        unsafe values.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            unsafe end.copyMemory(from: start, byteCount: byteCount)
        }
    }

    /// Appends `byteCount` bytes, all of which `fill` must store, with a single bounds check.
    @inline(__always)
    @inlinable
    package mutating func append<Result>(
        byteCount: Int, _ fill: (inout MutableRawSpan) -> Result
    ) -> Result {
        reserve(byteCount)
        var bytes = unsafe MutableRawSpan(_unsafeStart: storage + count, byteCount: byteCount)
        writtenCount &+= byteCount
        return fill(&bytes)
    }

    /// Appends a value in its memory representation.
    @inline(__always)
    @inlinable
    mutating func store<Value: BitwiseCopyable>(_ value: Value) {
        reserve(MemoryLayout<Value>.size)
        unsafe storage.storeBytes(of: value, toByteOffset: count, as: Value.self)
        writtenCount &+= MemoryLayout<Value>.size
    }

    @inline(__always)
    @inlinable
    func reserve(_ byteCount: Int) {
        precondition(unusedBits == 0 && byteCount <= Self.capacity &- count, "an answer fits the frame buffer")
    }
}
