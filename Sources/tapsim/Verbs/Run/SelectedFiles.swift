import TapDoors
import TapReport
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
                cards.isEmpty ? "name a scenario file, or a card with --card" : bothNamed(arguments, cards))
        }
        guard !cards.isEmpty else {
            try refuseClient(arguments)
            return try ScenarioFiles.load(arguments.operands, values, console: console)
        }
        guard values.parameters == nil else { throw UsageError("`--param` is for files; a --card has its values") }
        return try CardArguments.scenario(cards, seed: values.seed, console: console).map { [$0] } ?? []
    }

    /// Cards and words beside them: files, or a client whose `--` was forgotten.
    private static func bothNamed(_ arguments: Arguments, _ cards: [String]) -> String {
        guard arguments.client == nil, !arguments.operands.contains(where: isFile) else {
            return "name files or cards, not both"
        }
        return behindDashes(cards.flatMap { ["--card", $0] }, arguments.operands[...])
    }

    /// Refuses files that are not there and so are a client whose `--` was forgotten.
    private static func refuseClient(_ arguments: Arguments) throws(UsageError) {
        let words = arguments.operands
        guard arguments.client == nil, let start = words.indices.dropFirst().first(where: { !isFile(words[$0]) })
        else { return }
        throw UsageError(behindDashes(Array(words[..<start]), words[start...]))
    }

    private static func behindDashes(_ before: [String], _ client: ArraySlice<String>) -> String {
        let command = before + ["--"] + client
        return "`\(client.first ?? "")` is not a scenario file; a client comes after `--`: \(ShellWords.text(command))"
    }

    /// Whether a word names a scenario file or a folder, or looks as if it was meant to.
    private static func isFile(_ word: String) -> Bool {
        [".yaml", ".yml", ".json"].contains(where: word.lowercased().hasSuffix) || Folder.names(in: word) != nil
    }
}
