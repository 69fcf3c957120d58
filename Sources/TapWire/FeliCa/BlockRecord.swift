/// Bytes of fixed number that fill whole FeliCa blocks.
public protocol BlockStorage: Hashable, Sendable {
    static var byteCount: Int { get }
    /// All bytes zero.
    static var zero: Self { get }
    /// The byte at an index below ``byteCount``.
    subscript(index: Int) -> UInt8 { get set }
}

extension BlockData: BlockStorage {}

/// Two neighbouring blocks that hold one record.
public struct BlockPair: BlockStorage {
    /// Bytes of two blocks.
    public static let byteCount = 2 * BlockData.byteCount
    /// Thirty-two zero bytes.
    public static let zero = BlockPair(.zero, .zero)

    /// The block with the lower number.
    public var first: BlockData
    /// The block that follows it.
    public var second: BlockData

    public init(_ first: BlockData, _ second: BlockData) {
        self.first = first
        self.second = second
    }

    /// The byte at an index from 0 to 31.
    public subscript(index: Int) -> UInt8 {
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

/// A value that fills whole blocks and is kept as it is stored: each of its fields is a view of some bits.
///
/// So any bytes of the right number are a value, and whatever no field names is kept.
public protocol BlockRecord: WireValue {
    /// What holds the bytes.
    associatedtype Storage: BlockStorage
    /// What the record is, a noun for messages.
    static var name: String { get }
    var stored: Storage { get set }
    init(_ stored: Storage)
}

extension BlockRecord {
    /// Reads the record from all of `bytes`.
    ///
    /// - Throws: ``WireError`` if the number of bytes is wrong.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Storage.byteCount, of: Self.name)
        var stored = Storage.zero
        for index in 0..<Storage.byteCount { stored[index] = bytes[index] }
        self.init(stored)
    }

    /// The record as it is stored.
    public var bytes: [UInt8] { (0..<Storage.byteCount).map { stored[$0] } }

    /// Whether nothing was ever stored here: all bytes are zero.
    public var isUnused: Bool { stored == .zero }
}
