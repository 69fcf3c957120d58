public struct BooleanRule: ScalarRule {
    public init() {}

    public var noun: String { "`true` or `false`" }

    /// Reads `true` or `false`, no other word.
    public func parse(_ text: String) throws(ScalarProblem) -> Bool {
        switch text {
        case "true": return true
        case "false": return false
        default:
            let meant: Bool? =
                switch text.lowercased() {
                case "yes", "y", "on", "1", "true": true
                case "no", "n", "off", "0", "false": false
                default: nil
                }
            throw ScalarProblem(
                .notBoolean, "is neither true nor false",
                hint: meant.map { "write `\($0)`" } ?? "`true` or `false` needed")
        }
    }

    /// A boolean, or its word as a string.
    public var schema: ScalarSchema { ScalarSchema(.words(["true", "false"]), admitsBooleans: true) }
}
