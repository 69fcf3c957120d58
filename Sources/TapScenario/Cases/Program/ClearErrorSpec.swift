import TapField

/// How a program says that it failed, so that an error it tells of is told from one it does not.
public struct ClearErrorSpec: Hashable, Sendable {
    /// Exit codes with which it does.
    public var exits: [IntegerRange]
    /// Pieces of lines, one of which its standard error then has.
    public var standardError: [LinePattern]
    /// Pieces of lines, one of which its standard output then has.
    public var standardOutput: [LinePattern]

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - exits: Exit codes. By default any but 0, or any where the program tells on its standard output: one with a
    ///     screen does not exit to say that it failed.
    ///   - standardError: Pieces of lines of its standard error; with neither these nor those of its standard output it
    ///     may print what it likes.
    ///   - standardOutput: Pieces of lines of its standard output.
    public init(
        exits: [IntegerRange]? = nil, standardError: [LinePattern] = [], standardOutput: [LinePattern] = []
    ) {
        self.exits = exits ?? [IntegerRange(standardOutput.isEmpty ? 1 : 0, through: nil)]
        self.standardError = standardError
        self.standardOutput = standardOutput
    }

    /// Any exit code but 0.
    public static let usual = ClearErrorSpec()

    /// Whether a program that ended so said that it failed.
    ///
    /// Exit code 0 says that nothing failed, unless the program printed what says otherwise.
    public func isMet(exit code: Int32, standardError: String, standardOutput: String = "") -> Bool {
        guard exits.contains(where: { $0.contains(Int(code)) }) else { return false }
        guard !self.standardError.isEmpty || !self.standardOutput.isEmpty else { return code != 0 }
        return line(of: standardOutput) != nil || self.standardError.contains { $0.firstLine(in: standardError) != nil }
    }

    /// The first line of a standard output by which a program says that it failed.
    func line(of standardOutput: String) -> String? {
        self.standardOutput.lazy.compactMap { $0.firstLine(in: standardOutput) }.first
    }
}
