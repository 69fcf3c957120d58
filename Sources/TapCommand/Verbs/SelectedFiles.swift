import TapSystem
import TapReport
import TapRun
import TapScenario

/// The scenarios on a command line: files and folders, or cards.
enum SelectedFiles {
    /// - Parameter needsFile: A Boolean value that indicates whether the first operand must be a file or a folder.
    static func scenarios(
        _ arguments: Arguments, _ context: CommandContext, needsFile: Bool = true
    ) throws -> [Scenario] {
        let values = try ScenarioArguments(arguments, in: context.folder)
        let cards = arguments.values("--card")
        guard cards.isEmpty != arguments.operands.isEmpty else {
            throw UsageError(
                cards.isEmpty
                    ? "name a scenario file, or a card with --card" : bothNamed(arguments, cards, context.folder))
        }
        guard !cards.isEmpty else {
            try refuseCard(arguments.operands[0], arguments.verb, context.folder)
            try refuseClient(in: arguments.operands.dropFirst(needsFile ? 1 : 0), arguments, context.folder)
            return try ScenarioFiles.load(arguments.operands, values, context)
        }
        guard values.parameters == nil else {
            throw UsageError("`--param` is for files; set the values of a card in `--card`")
        }
        return try CardArguments.scenario(
            cards, seed: values.seed, stations: values.stations, context
        ).map { [$0] } ?? []
    }

    /// Rejects an operand that is the name of a card instead of a file.
    private static func refuseCard(_ word: String, _ verb: String, _ folder: WorkingFolder) throws(UsageError) {
        guard CardArgument.path(in: word) == nil, !folder.isThere(word) else { return }
        let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
        guard let meant = CardArgument.meant(by: parts.first ?? "").first else { return }
        let card = ([meant] + parts.dropFirst()).joined(separator: ":")
        throw UsageError("there is no file `\(word)`", help: "did you mean `tapsim \(verb) --card \(card)`?")
    }

    /// Returns the error for operands next to `--card`: files, or a client whose `--` was forgotten.
    private static func bothNamed(_ arguments: Arguments, _ cards: [String], _ folder: WorkingFolder) -> String {
        guard arguments.client == nil, !arguments.operands.contains(where: { isFile($0, folder) }) else {
            return "name files or cards, not both"
        }
        return afterDashes(cards.flatMap { ["--card", $0] }, arguments.operands[...])
    }

    /// Rejects operands that are not files, which are probably a client whose `--` was forgotten.
    private static func refuseClient(
        in words: ArraySlice<String>, _ arguments: Arguments, _ folder: WorkingFolder
    ) throws(UsageError) {
        guard arguments.client == nil, let start = words.indices.first(where: { !isFile(words[$0], folder) }) else {
            return
        }
        throw UsageError(afterDashes(Array(arguments.operands[..<start]), words[start...]))
    }

    private static func afterDashes(_ before: [String], _ client: ArraySlice<String>) -> String {
        let command = before + ["--"] + client
        return "`\(client.first ?? "")` is not a scenario file; a client comes after `--`: \(ShellText.text(command))"
    }

    /// Returns whether an operand is, or was meant to be, a scenario file or a folder.
    private static func isFile(_ word: String, _ folder: WorkingFolder) -> Bool {
        let endings = [".yaml", ".yml"] + CardArgument.dumpEndings
        return endings.contains(where: word.lowercased().hasSuffix) || folder.names(in: word) != nil
    }
}

/// `--allow-no-read`: permission for a client to pass without reading anything.
enum NoReadPermission {
    static let option = Option.flag("--allow-no-read", "Let the client pass without reading the card of --card")
        .in(.client, isRare: true)

    static func isGiven(in arguments: Arguments) throws(UsageError) -> Bool {
        guard arguments.isGiven("--allow-no-read") else { return false }
        guard arguments.operands.isEmpty else {
            throw UsageError(
                "`--allow-no-read` is for `--card`; in a scenario, state `counts` or `never` under `expect`")
        }
        return true
    }
}

/// The cases selected by `--case` and `--tag`, with the client after `--`.
struct CaseSelection {
    private(set) var scenarios: [SelectedScenario]

    var cases: [ScenarioCase] { scenarios.flatMap(\.cases) }

    init(_ arguments: Arguments, scenarios: [Scenario]) throws(UsageError) {
        let reader = try ReaderArguments(arguments)
        let timeLimit = try TimeLimit(arguments)
        let taps = try TapCount(arguments)
        let allowsNoRead = try NoReadPermission.isGiven(in: arguments)
        let isOnHardware = arguments.isGiven("--reader")
        guard !isOnHardware || !reader.isGiven else {
            throw UsageError("a real reader (--reader) has its own model and transport")
        }
        let wanted = arguments.values("--case")
        let tags = arguments.values("--tag")
        if let client = arguments.client, client.isEmpty { throw UsageError("name a client after `--`") }
        if let name = arguments.value("--reader"), name.isEmpty {
            throw UsageError("`--reader` needs a part of the reader's name; `tapsim list readers` lists the names")
        }
        try Self.check(wanted, in: scenarios)
        for scenarioCase in scenarios.flatMap(\.cases) { try taps.check(scenarioCase.withClient(arguments.client)) }
        self.scenarios = scenarios.compactMap { scenario in
            let names = CaseNames(scenario.cases)
            let indices = wanted.isEmpty ? Set(scenario.cases.indices) : Set(wanted.flatMap(names.indices(of:)))
            let cases = indices.sorted().map { scenario.cases[$0] }.filter { scenarioCase in
                tags.isEmpty || tags.contains(where: scenarioCase.tags.contains)
            }
            guard !cases.isEmpty else { return nil }
            return SelectedScenario(
                file: scenario.file, name: scenario.name, seed: scenario.seed, parameterNames: scenario.parameterNames,
                cases: cases.map { scenarioCase in
                    let staying = taps.applied(to: scenarioCase.withClient(arguments.client))
                    var changed = timeLimit.applied(to: reader.applied(to: staying))
                    changed.allowsNoRead = allowsNoRead
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

    /// The selection for runs without a phone.
    var withoutPhones: CaseSelection {
        var copy = self
        copy.scenarios = scenarios.map(\.withoutPhones)
        return copy
    }

    private static func check(_ wanted: [String], in scenarios: [Scenario]) throws(UsageError) {
        let names = CaseNames(scenarios.flatMap(\.cases))
        for name in wanted where names.indices(of: name).isEmpty {
            throw UsageError("there is no case `\(name)`; there are: \(names)")
        }
    }

    private static func tags(of scenarios: [Scenario]) -> [String] {
        var tags: [String] = []
        for tag in scenarios.flatMap(\.cases).flatMap(\.tags) where !tags.contains(tag) { tags.append(tag) }
        return tags
    }
}

extension ScenarioCase {
    var isBuiltin: Bool {
        guard case .program? = client else { return true }
        return false
    }

    fileprivate func withClient(_ words: [String]?) -> ScenarioCase {
        words.map { replacingClient(.program(ProgramClient($0))) } ?? self
    }
}

/// A scenario with its selected cases and their client.
struct SelectedScenario {
    let file: String
    let name: String
    let seed: UInt64
    let parameterNames: [String]
    private(set) var cases: [ScenarioCase]

    var clientText: String { cases.first.map(CaseRun.clientText) ?? "" }

    /// The scenario for runs without a phone.
    var withoutPhones: SelectedScenario {
        var copy = self
        copy.cases = cases.map { $0.withoutPhone() }
        return copy
    }

    /// The expectations dropped because of the command line, one line for each reason.
    var droppedExpectations: [String] {
        cases.flatMap(\.droppedExpectations).lines
    }
}
