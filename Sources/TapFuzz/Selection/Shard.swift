/// One of several equal parts of the work, so that machines can share it: `2/5`.
public struct Shard: Hashable, Sendable, CustomStringConvertible {
    /// Most parts.
    public static let maximumCount = 10_000

    /// Which part, from 1.
    public let number: Int
    /// How many parts there are.
    public let count: Int

    /// All of the work.
    public static let whole = Shard(number: 1, count: 1)

    private init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }

    /// Reads `i/n`, or gives nothing if the text is not that, with `i` from 1 to `n`.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
            (1...Self.maximumCount).contains(count), (1...count).contains(number)
        else { return nil }
        self.init(number: number, count: count)
    }

    /// Whether the item with an index from 0 belongs to this part; neighbours go to different parts, so that all take
    /// about as long.
    public func holds(_ index: Int) -> Bool { index % count == number - 1 }

    /// The part as it is written.
    public var description: String { "\(number)/\(count)" }
}
