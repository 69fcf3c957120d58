/// Whole numbers from a lower end on, both ends included.
public struct IntegerRange: Hashable, Sendable, CustomStringConvertible {
    /// The lower end.
    public let lower: Int
    /// The upper end, or nothing if there is none.
    public let upper: Int?

    /// One, no more and no less.
    public static let once = IntegerRange(1, through: 1)
    /// One and more.
    public static let always = IntegerRange(1, through: nil)

    public init(_ lower: Int, through upper: Int?) {
        self.lower = lower
        self.upper = upper
    }

    /// Whether a number lies in the range.
    public func contains(_ number: Int) -> Bool {
        number >= lower && number <= upper ?? .max
    }

    /// The range as scenarios write it: `0..11`, `1..` or `5`.
    public var description: String {
        switch upper {
        case lower: "\(lower)"
        case let upper?: "\(lower)..\(upper)"
        case nil: "\(lower).."
        }
    }
}
