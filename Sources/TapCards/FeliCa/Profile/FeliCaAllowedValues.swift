import TapWire

/// What a switch can be set to.
struct FeliCaAllowedValues<Value: FeliCaSwitchValue>: Sendable {
    /// For people.
    let description: String
    /// Whether a value is one of them.
    let contains: @Sendable (Value) -> Bool

    /// All values, told in words.
    static func any(_ description: String) -> Self {
        Self(description: description) { _ in true }
    }

    /// Some values.
    static func oneOf(_ values: [Value]) -> Self {
        Self(description: values.map(\.switchText).joined(separator: " or ")) { values.contains($0) }
    }
}

extension FeliCaAllowedValues where Value: CaseIterable {
    /// All cases.
    static var cases: Self { .oneOf(Array(Value.allCases)) }
}

extension FeliCaAllowedValues where Value: Comparable {
    /// A range of numbers.
    static func range(_ range: ClosedRange<Value>) -> Self {
        let text = "\(range.lowerBound.switchText) to \(range.upperBound.switchText)"
        return Self(description: text) { range.contains($0) }
    }
}
