/// What is known about one property of a product: a value with its source, or that nobody has said.
public enum Fact<Value: Hashable & Sendable>: Hashable, Sendable {
    /// A value, how far to trust it, and who says so.
    case known(Value, Confidence, source: String)
    /// No public source tells; the text says where one looked.
    case unknown(String)

    /// The value, or nothing if it is unknown.
    public var value: Value? {
        switch self {
        case .known(let value, _, _): value
        case .unknown: nil
        }
    }

    /// How far to trust the value.
    public var confidence: Confidence {
        switch self {
        case .known(_, let confidence, _): confidence
        case .unknown: .unknown
        }
    }

    /// Who says so.
    public var source: String {
        switch self {
        case .known(_, _, let source), .unknown(let source): source
        }
    }

    /// The same fact with its value made into another.
    public func map<Other>(_ make: (Value) -> Other) -> Fact<Other> {
        switch self {
        case .known(let value, let confidence, let source): .known(make(value), confidence, source: source)
        case .unknown(let source): .unknown(source)
        }
    }
}

/// How far to trust a fact.
public enum Confidence: String, Hashable, Sendable, CaseIterable {
    /// The manufacturer's document says it.
    case certain
    /// It was measured on a chip.
    case measured
    /// It differs between versions of the chip, or sources disagree.
    case chipDependent = "chip-dependent"
    /// It is concluded from what is known of similar chips.
    case inferred
    /// Nobody has said.
    case unknown
}
