import TapScenario

/// The scenarios that a command line names: files and folders, or cards.
enum SelectedFiles {
    /// Loads them.
    ///
    /// - Throws: ``UsageError`` if neither or both are named; what loading throws.
    static func scenarios(_ arguments: Arguments, _ console: Console) throws -> [Scenario] {
        let values = try ScenarioArguments(arguments)
        let cards = arguments.values("--card")
        guard cards.isEmpty != arguments.operands.isEmpty else {
            throw UsageError(
                cards.isEmpty ? "name a scenario file, or a card with --card" : "name files or cards, not both")
        }
        guard !cards.isEmpty else {
            return try ScenarioFiles.load(arguments.operands, values, console: console)
        }
        guard values.parameters == nil else { throw UsageError("`--param` is for files; a --card has its values") }
        return try CardArguments.scenario(cards, seed: values.seed, console: console).map { [$0] } ?? []
    }
}
