/// A line of a catalogue entry: what is told, and the fact as text.
public struct CatalogueLine: Hashable, Sendable {
    /// What the fact is about.
    public let title: String
    /// The value as text, with source and confidence.
    public let fact: Fact<String>

    public init(title: String, fact: Fact<String>) {
        self.title = title
        self.fact = fact
    }
}
