/// A value whose type the place decides where it is used, such as a parameter.
public struct ValueRule: ScalarRule {
    public init() {}

    public var noun: String { "a single value" }

    /// The text itself.
    public func parse(_ text: String) -> String { text }

    /// Anything that YAML readers make of a text.
    public var schema: ScalarSchema { TextRule().schema }
}
