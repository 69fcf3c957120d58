/// What a JSON Schema lets through for a scalar.
///
/// It is wider than the rule itself: editors and converters read YAML by other rules and turn `0003` into 3 and
/// `no` into false before a schema sees them. What our reader accepts in YAML, the schema has to accept in whatever
/// form it arrives.
public struct ScalarSchema: Hashable, Sendable {
    /// Texts.
    public enum Strings: Hashable, Sendable {
        /// Every text.
        case any
        /// Texts that match a regular expression (ECMA 262) as a whole.
        case pattern(String)
        /// A few words.
        case words([String])
    }

    /// Numbers.
    public enum Numbers: Hashable, Sendable {
        /// None.
        case none
        /// Every number.
        case any
        /// Whole numbers within bounds.
        case integers(ClosedRange<Int>)
    }

    /// Texts.
    public let strings: Strings
    /// Numbers.
    public let numbers: Numbers
    /// Whether true and false are let through.
    public let admitsBooleans: Bool
    /// Whether null is let through.
    public let admitsNull: Bool

    /// A date as a regular expression, with the time of day that some YAML readers add.
    static let datePattern = "[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].*)?"

    public init(
        _ strings: Strings, numbers: Numbers = .none, admitsBooleans: Bool = false, admitsNull: Bool = false
    ) {
        self.strings = strings
        self.numbers = numbers
        self.admitsBooleans = admitsBooleans
        self.admitsNull = admitsNull
    }
}
