/// How long a reader waits for a card, and how often it tries.
public struct Patience: Hashable, Sendable {
    /// How long to wait for a card to answer a search.
    public var search: Duration = .milliseconds(20)
    /// How often to search before there is no card.
    public var searches = 3
    /// The shortest wait for an answer of a FeliCa card.
    ///
    /// The maximum response times in a PMm are too short on some cards: nfcpy waits at least 2 ms for an RC-S915.
    public var felica: Duration = .milliseconds(5)
    /// How long to wait for an answer of a Type 2 tag.
    ///
    /// The data sheet of NTAG21x allows 5 ms for reading and 10 ms for writing; a link to hardware needs more.
    public var type2: Duration = .milliseconds(100)
    /// How often to send a command that changes nothing before silence or damaged answers are an error.
    ///
    /// A command that changes something is sent once: silence does not tell whether the card has carried it out.
    public var attempts = 2
    /// How often to search for a card that has fallen silent, before it is lost.
    ///
    /// People take a card away too early and hold it there again; half a second is what they need at least.
    public var searchesForLost = 25

    public init() {}
}
