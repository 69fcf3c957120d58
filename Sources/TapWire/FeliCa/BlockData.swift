/// The sixteen bytes of a FeliCa block.
public struct BlockData: Hashable, Sendable, CustomStringConvertible {
    public var simd: SIMD16<UInt8>

    public static let zero = BlockData(SIMD16(repeating: 0))
    public static let byteCount = 16

    @inlinable
    public init(_ simd: SIMD16<UInt8>) {
        self.simd = simd
    }

    /// Creates a block from up to sixteen bytes; the remaining bytes are zero.
    @inlinable
    public init(_ bytes: some Sequence<UInt8>) {
        var block = SIMD16<UInt8>(repeating: 0)
        var (index, iterator) = (0, bytes.makeIterator())
        while index < Self.byteCount, let byte = iterator.next() {
            block[index] = byte
            index += 1
        }
        self.init(block)
    }

    /// Reads sixteen bytes from a span whose length the caller has checked.
    @inline(always)
    public init(_ bytes: Span<UInt8>, at offset: Int) {
        let source = bytes.extracting(offset..<offset + Self.byteCount)
        var block = SIMD16<UInt8>(repeating: 0)
        for index in 0..<Self.byteCount { block[index] = source[index] }
        simd = block
    }

    /// Reads the value `name`, which consists of exactly sixteen bytes.
    init(parsing bytes: Span<UInt8>, of name: String) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.byteCount, of: name)
        self.init(bytes, at: 0)
    }

    /// The byte at an index from 0 to 15.
    public subscript(index: Int) -> UInt8 {
        get { simd[index] }
        set { simd[index] = newValue }
    }

    public var bytes: [UInt8] { (0..<Self.byteCount).map { simd[$0] } }

    public var description: String { Hex.text(bytes) }
}

/// A fixed number of bytes that fill whole FeliCa blocks.
public protocol BlockStorage: Hashable, Sendable {
    static var byteCount: Int { get }
    static var zero: Self { get }
    subscript(index: Int) -> UInt8 { get set }
}

extension BlockData: BlockStorage {}

/// Two adjacent blocks that hold one record.
package struct BlockPair: BlockStorage {
    package static let byteCount = 2 * BlockData.byteCount
    package static let zero = BlockPair(.zero, .zero)

    package var first: BlockData
    package var second: BlockData

    package init(_ first: BlockData, _ second: BlockData) {
        self.first = first
        self.second = second
    }

    package subscript(index: Int) -> UInt8 {
        get { index < BlockData.byteCount ? first[index] : second[index - BlockData.byteCount] }
        set {
            if index < BlockData.byteCount {
                first[index] = newValue
            } else {
                second[index - BlockData.byteCount] = newValue
            }
        }
    }
}

/// A value that fills whole blocks and keeps its stored form: each field is a view of some of its bits.
///
/// Any bytes of the right length are therefore a valid value, and bits outside all fields are preserved.
@dynamicMemberLookup
public protocol BlockRecord: WireValue {
    /// The type that stores the bytes.
    associatedtype Storage: BlockStorage
    /// The name of the record, a noun for messages.
    static var name: String { get }
    var stored: Storage { get set }
    /// The field declarations; each field is available as a property of the record.
    associatedtype Fields: Sendable
    static var fields: Fields { get }
    init(_ stored: Storage)
}

extension BlockRecord {
    public subscript<Value>(dynamicMember field: KeyPath<Fields, Field<Value>>) -> Value {
        get { stored[Self.fields[keyPath: field]] }
        set { stored[Self.fields[keyPath: field]] = newValue }
    }

    /// Throws ``WireError`` if the number of bytes is wrong.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Storage.byteCount, of: Self.name)
        var stored = Storage.zero
        for index in 0..<Storage.byteCount { stored[index] = bytes[index] }
        self.init(stored)
    }

    public var bytes: [UInt8] { (0..<Storage.byteCount).map { stored[$0] } }

    /// A Boolean value that indicates whether the record was never written: all its bytes are zero.
    public var isUnused: Bool { stored == .zero }
}
