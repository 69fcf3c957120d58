import TapScenario

/// The one case that `tapsim serve` serves.
struct ServedScenario {
    /// The case.
    let scenarioCase: ScenarioCase
    /// The command line that serves it again.
    let again: [String]

    /// Loads the file or makes the cards, and chooses the case.
    ///
    /// - Throws: ``UsageError`` if it is not clear which; ``VerbError`` for a file or card that cannot be understood.
    init(_ arguments: Arguments, _ console: Console) throws {
        let values = try ScenarioArguments(arguments)
        let cards = arguments.values("--card")
        guard cards.isEmpty ? arguments.operands.count == 1 : arguments.operands.isEmpty else {
            throw UsageError("name one scenario file, or cards with --card")
        }
        guard cards.isEmpty || values.parameters == nil else {
            throw UsageError("`--param` is for files; a --card has its values")
        }
        let scenarios =
            cards.isEmpty
            ? try ScenarioFiles.load(arguments.operands, values, console: console)
            : try CardArguments.scenario(cards, seed: values.seed, console: console).map { [$0] } ?? []
        let cases = try CaseSelection(arguments, scenarios: scenarios).cases
        let reader = try ReaderArguments(arguments)
        guard let scenarioCase = cases.first, cases.count == 1 else {
            let names = cases.map { "\($0.number) \($0.displayName)" }.joined(separator: "; ")
            throw UsageError("one case can be served; choose with --case: \(names)")
        }
        self.scenarioCase = try CardStates.restored(reader.applied(to: scenarioCase), console)
        let subject =
            cards.isEmpty
            ? arguments.operands + ["--case", "\(scenarioCase.number)"]
                + arguments.values("--param").flatMap { ["--param", $0] } : cards.flatMap { ["--card", $0] }
        again = ["tapsim", "serve"] + subject + ["--seed", "\(scenarioCase.seed)"] + reader.words
    }
}
