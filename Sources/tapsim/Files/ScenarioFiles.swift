import TapScenario
import TapWire
import TapYAML

/// Scenario files as the command line names them.
enum ScenarioFiles {
    /// Loads a file; what is wrong with it goes into `diagnostics`.
    ///
    /// - Throws: ``VerbError`` if the file cannot be read at all.
    static func load(
        _ path: String, seed: UInt64?, into diagnostics: inout Diagnostics
    ) throws(VerbError) -> Scenario? {
        let file = try InputFile.load(path)
        return ScenarioLoader(reader: DocumentReaders.reader(for: path)).load(file, seed: seed, into: &diagnostics)
    }

    /// Loads files and the files below folders, all or none: every error of every file is told before anything runs.
    ///
    /// - Throws: ``VerbError`` once the errors were told.
    static func load(_ paths: [String], seed: UInt64?, console: Console) throws(VerbError) -> [Scenario] {
        var diagnostics = Diagnostics()
        var scenarios: [Scenario] = []
        for path in try ScenarioFolder.expanding(paths) {
            if let scenario = try load(path, seed: seed, into: &diagnostics) { scenarios.append(scenario) }
        }
        try tell(diagnostics, console)
        return scenarios
    }

    /// Prints diagnostics to standard error.
    ///
    /// - Throws: ``VerbError`` if there are errors among them.
    static func tell(_ diagnostics: Diagnostics, _ console: Console) throws(VerbError) {
        guard !diagnostics.isEmpty else { return }
        console.printError(diagnostics.text(colour: console.errorStyle.isOn))
        guard !diagnostics.hasErrors else {
            console.printError("\n\(CountText.of(diagnostics.errorCount, "error")); nothing was run")
            throw VerbError(.usage)
        }
    }
}
