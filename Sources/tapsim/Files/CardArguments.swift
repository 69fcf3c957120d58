import TapScenario

/// The scenario that `--card` stands for: the cards named, nothing else.
enum CardArguments {
    /// Makes the scenario; a second card of a name gets a number behind it.
    ///
    /// - Throws: ``VerbError`` for a card that cannot be understood, or once its errors were told.
    static func scenario(_ texts: [String], seed: UInt64?, console: Console) throws -> Scenario? {
        let document: Node
        do { document = try CardArgument.scenario(texts) } catch { throw VerbError(.usage, "--card \(error)") }
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.scenario(
            from: document, file: "--card", .init(files: FolderFiles(around: "--card"), seed: seed), into: &diagnostics)
        try ScenarioFiles.tell(diagnostics, console)
        return scenario
    }

    /// The cards by name, as a file writes them.
    ///
    /// - Throws: ``VerbError`` for a card that cannot be understood.
    static func nodes(_ texts: [String]) throws(VerbError) -> Node {
        do { return try CardArgument.cards(texts) } catch { throw VerbError(.usage, "--card \(error)") }
    }
}
