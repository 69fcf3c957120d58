/// Text of any kind.
public struct TextRule: ScalarRule {
    /// Whether `${` is kept as it is, as in arguments for a client.
    public let isVerbatim: Bool

    public init(isVerbatim: Bool = false) {
        self.isVerbatim = isVerbatim
    }

    public var noun: String { "text" }

    /// The text itself.
    public func parse(_ text: String) -> String { text }

    /// Anything that YAML readers make of a text.
    public var schema: ScalarSchema { ScalarSchema(.any, numbers: .any, admitsBooleans: true, admitsNull: true) }

    /// Yes: `no` is text here and false elsewhere.
    public var needsQuotes: Bool { true }
}
