/// What a sound client reads of the cards that a run has left, when nothing goes wrong any more.
public enum ReadBack: String, Hashable, Sendable, CaseIterable {
    /// What it reads of the cards as they came into the world.
    case old
    /// What it reads of the cards that the clean run left.
    case new
    /// Something else, such as an empty message.
    case other
    /// Nothing: it reports an error, which it does neither before nor after the clean run.
    case unreadable
}
