import TapDoors
import TapField
import TapScenario

/// The files in which cards of scenarios keep what is written on them.
///
/// A state is read before each run and written behind it, in one step, so that no reader sees half of it. Of runs at the
/// same time each begins with what it found, and the state of the one that ends last stays.
enum CardStates {
    /// Most bytes of a state: that of the largest card, written out.
    private static let maximumBytes = DocumentLimits.scenario.maximumBytes

    /// A case with its cards as the run before left them.
    ///
    /// - Throws: ``VerbError`` if a state cannot be read or is that of another card.
    static func restored(_ scenarioCase: ScenarioCase, _ console: Console) throws(VerbError) -> ScenarioCase {
        var restored = scenarioCase
        var diagnostics = Diagnostics()
        for card in scenarioCase.keptCards {
            let path = try path(of: card, scenarioCase)
            guard RealPath.of(path) != nil else { continue }
            guard FileContent.isRegular(path) else {
                throw VerbError(.usage, "\(path), where the card `\(card.name)` is kept, is no file; name another one")
            }
            let state = try InputFile.load(path)
            restored = restored.restoring(card, from: state, into: &diagnostics) ?? restored
        }
        try ScenarioFiles.tell(diagnostics, console)
        return restored
    }

    /// Writes down the cards of a case as a run has left them.
    ///
    /// - Throws: ``VerbError`` if a state cannot be written.
    static func keep(_ scenarioCase: ScenarioCase, _ world: World) throws(VerbError) {
        for card in scenarioCase.keptCards {
            guard let state = scenarioCase.state(of: card.name, in: world) else { continue }
            try OutputFile.replace(try path(of: card, scenarioCase), with: JSONWriter.text(state, .pretty) + "\n")
        }
    }

    private static func path(of card: KeptCard, _ scenarioCase: ScenarioCase) throws(VerbError) -> String {
        do {
            return try FolderFiles(around: scenarioCase.file).place(of: card.path, namedIn: card.file)
        } catch {
            throw VerbError(
                .usage, "the state of \(card.name) cannot be kept in \(card.path): \(error.reason); \(error.hint)")
        }
    }
}
