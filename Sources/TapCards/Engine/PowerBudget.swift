/// Power that is gone while a card programs its memory, so that a write is torn.
public struct PowerBudget: Hashable, Sendable {
    /// How much of a programming it lasts for, in percent.
    public let percent: Int

    /// Creates a budget.
    ///
    /// - Parameter percent: How much of a programming it lasts for; 100 is all of it, without the answer.
    public init(percent: Int) {
        self.percent = max(0, min(percent, 100))
    }

    /// How many of a number of equal steps happen before power is gone.
    func steps(of count: Int) -> Int { count * percent / 100 }
}
