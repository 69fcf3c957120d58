extension ScenarioCase {
    /// The case for a field to which clients come that somebody else starts.
    ///
    /// How such a client ends and what it prints is not seen, so expectations on it are dropped.
    ///
    /// - Parameters:
    ///   - expectations: What is expected in place of what the file expects, if anything.
    ///   - hasPhone: Whether the clients are apps on a phone of ours, which tells what they show and hear.
    public func judgingFieldAlone(_ expectations: Expectations? = nil, hasPhone: Bool = false) -> ScenarioCase {
        var copy = self
        copy.client = nil
        copy.expectations = expectations ?? copy.expectations
        if !hasPhone { copy.drop(.noPhone, ["phone"], where: \.isOnPhone) }
        copy.drop(.clientElsewhere, ["client", "result"]) { !$0.isOnField && !$0.isOnPhone }
        return copy
    }

    /// The case for a run in which no phone reads the cards.
    ///
    /// What was expected of an app and its phone is dropped.
    public func withoutPhone() -> ScenarioCase {
        var copy = self
        copy.drop(.noPhone, ["phone"], where: \.isOnPhone)
        return copy
    }
}

extension Expectation {
    /// Whether the demand is on what happens in the field, whoever the client is.
    fileprivate var isOnField: Bool {
        switch demand {
        case .exchanges, .count, .never, .card, .safety: true
        case .exit, .within, .output, .result, .verdict, .phone: false
        }
    }
}
