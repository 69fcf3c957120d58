import TapWire

/// What a switch can be set to.
struct AllowedValues<Value: QuirkValue>: Sendable {
    /// For people.
    let description: String
    /// The values; empty where they are a range or too many to list.
    let list: [Value]
    /// Whether a value is one of them.
    let contains: @Sendable (Value) -> Bool

    /// Values told in words.
    init(description: String, contains: @escaping @Sendable (Value) -> Bool) {
        self.description = description
        list = []
        self.contains = contains
    }

    private init(_ list: [Value]) {
        description = ListText.choice(list.map(\.quirkText))
        self.list = list
        contains = { list.contains($0) }
    }

    /// All values, told in words.
    static func any(_ description: String) -> Self {
        Self(description: description) { _ in true }
    }

    /// Some values.
    static func oneOf(_ values: Value...) -> Self { Self(values) }
}

extension AllowedValues where Value: CaseIterable {
    /// All cases.
    static var cases: Self { Self(Array(Value.allCases)) }
}

extension AllowedValues where Value: Comparable {
    /// A range of numbers.
    static func range(_ range: ClosedRange<Value>) -> Self {
        let text = "\(range.lowerBound.quirkText) to \(range.upperBound.quirkText)"
        return Self(description: text) { range.contains($0) }
    }
}
