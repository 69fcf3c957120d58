import TapField

extension ScenarioCase {
    /// The case with other faults, for runs that a program lays out.
    ///
    /// What a client must never do is still expected; what else is expected was written for the run without faults,
    /// and is judged by the outcome instead.
    public func disturbed(by plan: FaultPlan) -> ScenarioCase {
        var copy = self
        copy.plan = plan
        copy.phone = phone?.withoutFaults
        copy.faultsNode = plan.isEmpty ? nil : plan.node
        copy.expectations.items.removeAll { !$0.isOnSafety }
        let kept = expectations.node.entries.filter { ["never", "safety"].contains($0.key.text) }
        copy.expectations.node = .map(kept.map { (key: $0.key.text, value: $0.value) })
        return copy
    }

    /// The case with another time limit for its client.
    public func limited(to wall: Duration) -> ScenarioCase {
        var copy = self
        copy.settings.limits.wall = wall
        return copy
    }

    /// The case with closer bounds; a bound that is closer already stays.
    public func bounded(wall: Duration, exchanges: Int) -> ScenarioCase {
        var copy = self
        copy.settings.limits.wall = min(limits.wall, wall)
        copy.settings.limits.exchanges = min(limits.exchanges, exchanges)
        return copy
    }
}

extension Expectation {
    /// Whether the demand is on what a client must never do, whatever goes wrong.
    fileprivate var isOnSafety: Bool {
        switch demand {
        case .never, .safety: true
        default: false
        }
    }
}
