/// The points of a nanaco card, second block of service 560B: two numbers of three bytes, the high one first, in bytes
/// 0 to 2 and 5 to 7.
///
/// Source: observation of cards (TRETJapanNFCReader), which shows the sum of both.
public struct NanacoPoints: BlockRecord {
    private enum Layout {
        static let first = BitField.bigEndian(0...2)
        static let second = BitField.bigEndian(5...7)
    }

    public static let name = "nanaco points"
    /// Index of the block in its service.
    public static let blockNumber: UInt16 = 1
    public var stored: BlockData

    public init(_ stored: BlockData) {
        self.stored = stored
    }

    /// Creates a record.
    ///
    /// - Throws: ``WireError`` if a number has more than 24 bits.
    public init(first: UInt32, second: UInt32 = 0) throws(WireError) {
        self.init(.zero)
        try stored.store(first, in: Layout.first, "points")
        try stored.store(second, in: Layout.second, "points")
    }

    /// The first number; cut to 24 bits.
    public var first: UInt32 {
        get { stored[Layout.first] }
        set { stored[Layout.first] = newValue }
    }

    /// The second number; cut to 24 bits.
    public var second: UInt32 {
        get { stored[Layout.second] }
        set { stored[Layout.second] = newValue }
    }

    /// All points.
    public var total: UInt32 { first + second }
}
