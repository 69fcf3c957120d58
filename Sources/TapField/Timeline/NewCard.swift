import TapCards

/// A card that takes the place of another of its name.
public struct NewCard: Hashable, Sendable {
    /// The card as it comes.
    public let engine: any CardEngine
    /// What it is in words; two that are the same in words are the same.
    public let description: String

    public init(_ engine: any CardEngine, description: String) {
        self.engine = engine
        self.description = description
    }

    /// Whether two are the same in words.
    public static func == (one: NewCard, other: NewCard) -> Bool { one.description == other.description }

    /// Hashes the words.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
