import TapScenario

/// What `--case`, `--tag` and a client behind `--` leave of the scenarios.
struct CaseSelection {
    private(set) var scenarios: [SelectedScenario]

    /// All cases that are to run.
    var cases: [ScenarioCase] { scenarios.flatMap(\.cases) }

    /// Selects cases.
    ///
    /// - Throws: ``UsageError`` if nothing is left, or a case asked for does not exist.
    init(_ arguments: Arguments, scenarios: [Scenario]) throws(UsageError) {
        let reader = try ReaderArguments(arguments)
        let timeLimit = try TimeLimit(arguments)
        let isOnHardware = arguments.isGiven("--reader")
        guard !isOnHardware || !reader.isGiven else {
            throw UsageError("a real reader (--reader) has its own model and door")
        }
        let wanted = arguments.values("--case")
        let tags = arguments.values("--tag")
        if let client = arguments.client, client.isEmpty { throw UsageError("name a client behind `--`") }
        if let name = arguments.value("--reader"), name.isEmpty {
            throw UsageError("`--reader` needs a part of the reader's name; tapsim list readers tells the names")
        }
        try Self.check(wanted, in: scenarios)
        self.scenarios = scenarios.compactMap { scenario in
            let cases = scenario.cases.filter { scenarioCase in
                let isWanted = wanted.isEmpty || wanted.contains { scenarioCase.isNamed($0) }
                return isWanted && (tags.isEmpty || tags.contains(where: scenarioCase.tags.contains))
            }
            guard !cases.isEmpty else { return nil }
            return SelectedScenario(
                file: scenario.file, name: scenario.name, seed: scenario.seed,
                cases: cases.map { scenarioCase in
                    let changed = timeLimit.applied(to: reader.applied(to: scenarioCase.withClient(arguments.client)))
                    return isOnHardware ? changed.onHardware() : changed
                })
        }
        guard !self.scenarios.isEmpty else {
            let known = Self.tags(of: scenarios)
            throw UsageError(
                "no case\(wanted.isEmpty ? "" : " asked for") has the tag `\(tags.joined(separator: "` or `"))`; "
                    + (known.isEmpty ? "there are no tags" : "tags are \(known.joined(separator: ", "))"))
        }
    }

    /// The selection for runs in which no phone reads the cards.
    var withoutPhones: CaseSelection {
        var copy = self
        copy.scenarios = scenarios.map(\.withoutPhones)
        return copy
    }

    private static func check(_ wanted: [String], in scenarios: [Scenario]) throws(UsageError) {
        for name in wanted where !scenarios.contains(where: { $0.cases.contains { $0.isNamed(name) } }) {
            let cases = scenarios.flatMap(\.cases).map { "\($0.number) \($0.displayName)" }
            throw UsageError("there is no case `\(name)`; there are: \(cases.joined(separator: "; "))")
        }
    }

    private static func tags(of scenarios: [Scenario]) -> [String] {
        var tags: [String] = []
        for tag in scenarios.flatMap(\.cases).flatMap(\.tags) where !tags.contains(tag) { tags.append(tag) }
        return tags
    }
}

extension ScenarioCase {
    /// Whether a built-in client reads the cards.
    var isBuiltin: Bool {
        guard case .program? = client else { return true }
        return false
    }

    /// Whether `--case` means this case: its number or its name.
    fileprivate func isNamed(_ text: String) -> Bool {
        text == displayName || Int(text) == number
    }

    fileprivate func withClient(_ words: [String]?) -> ScenarioCase {
        words.map { replacingClient(.program(ProgramClient($0))) } ?? self
    }
}
