extension ScenarioCase {
    /// The case for a field to which clients come that somebody else starts.
    ///
    /// How such a client ends and what it prints is not seen, so expectations on it are dropped.
    ///
    /// - Parameter expectations: What is expected in place of what the file expects, if anything.
    public func judgingFieldAlone(_ expectations: Expectations? = nil) -> ScenarioCase {
        var copy = self
        copy.client = nil
        copy.expectations = expectations ?? copy.expectations
        copy.drop(.clientElsewhere, ["client", "result"]) { !$0.isOnField }
        return copy
    }
}

extension Expectation {
    /// Whether the demand is on what happens in the field, whoever the client is.
    fileprivate var isOnField: Bool {
        switch demand {
        case .exchanges, .count, .never, .card, .safety: true
        case .exit, .within, .output, .result, .verdict: false
        }
    }
}
