/// Visits of cards to one client that stays: how many, how far apart, and when one is over.
public struct VisitPlan: Hashable, Sendable {
    /// Most visits of a run.
    public static let maximumCount = 1_000
    /// The time between two visits, unless a file says otherwise.
    public static let usualGap = Duration.milliseconds(500)
    /// How long a client does nothing until it counts as done with a card, unless a file says otherwise.
    public static let usualQuiet = Duration.seconds(1)

    /// How many there are.
    public var count: Int
    /// The time without cards between two of them.
    public var gap = usualGap
    /// How long a client that has sent a frame neither sends nor prints anything until the visit is over.
    public var quiet = usualQuiet
    /// What the client prints when it is done with a card; then the visit is over at once.
    public var done: LinePattern?

    public init(_ count: Int) {
        self.count = count
    }

    /// The plan as a file writes it.
    var node: Node {
        .map([
            "count": .number(count), "gap": .text(DurationRule.text(gap)), "quiet": .text(DurationRule.text(quiet)),
            "done": done.map { .text($0.description) },
        ])
    }
}
