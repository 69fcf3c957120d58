/// A scenario file, ready to run: one test for each of its cases.
public struct Scenario: Sendable {
    /// Path of the file as the user named it; `--card` for a scenario made of arguments.
    public let file: String
    /// The name in reports: that of the file if it states none.
    public let name: String
    public let title: String?
    /// Words to choose it by.
    public let tags: [String]
    /// The seed of its runs.
    public let seed: UInt64
    /// Names of parameters that the file or a case defines or uses.
    public let parameterNames: [String]
    /// The tests, in the order of the file; at least one.
    public let cases: [ScenarioCase]

    /// The scenario with other cases, numbered anew from 1.
    func with(_ cases: [ScenarioCase], parameterNames: [String]) -> Scenario {
        let numbered = cases.enumerated().map { index, scenarioCase in
            var copy = scenarioCase
            copy.number = index + 1
            return copy
        }
        return Scenario(
            file: file, name: name, title: title, tags: tags, seed: seed, parameterNames: parameterNames,
            cases: numbered)
    }
}
