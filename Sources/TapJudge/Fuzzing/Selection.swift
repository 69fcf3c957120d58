/// A pattern for names: `*` matches any text.
public struct Glob: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ pattern: String) {
        description = pattern
    }

    public func matches(_ name: String) -> Bool {
        let parts = description.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return name == description }
        guard name.hasPrefix(first) else { return false }
        var rest = name.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.count >= last.count && rest.hasSuffix(last)
    }
}

/// One of several equal parts of the work, for one machine: `2/5`.
public struct Shard: Hashable, Sendable, CustomStringConvertible {
    public static let maximumCount = 10_000

    /// The number of the part, from 1.
    public let number: Int
    public let count: Int

    public static let whole = Shard(number: 1, count: 1)

    private init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }

    /// Parses `i/n` with `i` from 1 to `n`.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
            (1...Self.maximumCount).contains(count), (1...count).contains(number)
        else { return nil }
        self.init(number: number, count: count)
    }

    /// Returns whether the item at an index belongs to this part; neighbouring items are spread so that all parts take about
    /// equally long.
    public func holds(_ index: Int) -> Bool { index % count == number - 1 }

    public var description: String { "\(number)/\(count)" }
}
