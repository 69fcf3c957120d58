import TapField

/// How a program says that it failed, so that an error it tells of is told from one it does not.
public struct ClearErrorSpec: Hashable, Sendable {
    /// Exit codes with which it does.
    public var exits: [IntegerRange]
    /// Pieces of lines, one of which its standard error then has; none for whatever it prints.
    public var standardError: [LinePattern]

    /// Creates a description.
    public init(exits: [IntegerRange] = [IntegerRange(1, through: nil)], standardError: [LinePattern] = []) {
        self.exits = exits
        self.standardError = standardError
    }

    /// Any exit code but 0.
    public static let usual = ClearErrorSpec()

    /// Whether a program that ended so said that it failed.
    public func isMet(exit code: Int32, standardError text: String) -> Bool {
        guard exits.contains(where: { $0.contains(Int(code)) }) else { return false }
        return standardError.isEmpty || standardError.contains { $0.isFoundInLine(of: text) }
    }
}
