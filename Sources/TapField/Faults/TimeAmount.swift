/// A duration, or a share of a deadline that is known when it is used.
public enum TimeAmount: Hashable, Sendable {
    case duration(Duration)
    /// A percentage of a deadline.
    case percent(Int)
}
