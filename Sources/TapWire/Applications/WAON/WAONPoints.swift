/// The points of a WAON card, service 684B: three bytes, the high one first.
///
/// Source: observation of cards (TRETJapanNFCReader).
public struct WAONPoints: BlockRecord {
    private enum Layout {
        static let points = BitField.bigEndian(0...2)
    }

    public static let name = "WAON points"
    public var stored: BlockData

    public init(_ stored: BlockData) {
        self.stored = stored
    }

    /// Creates a record.
    ///
    /// - Throws: ``WireError`` if the number has more than 24 bits.
    public init(points: UInt32) throws(WireError) {
        self.init(.zero)
        try stored.store(points, in: Layout.points, "points")
    }

    /// The points; cut to 24 bits.
    public var points: UInt32 {
        get { stored[Layout.points] }
        set { stored[Layout.points] = newValue }
    }
}
