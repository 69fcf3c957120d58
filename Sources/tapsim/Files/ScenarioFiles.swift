import TapScenario
import TapWire
import TapYAML

/// Scenario files as the command line names them.
enum ScenarioFiles {
    /// Loads a file; what is wrong with it goes into `diagnostics`.
    ///
    /// - Throws: ``VerbError`` if the file cannot be read at all.
    static func load(
        _ path: String, _ values: ScenarioArguments = ScenarioArguments(), into diagnostics: inout Diagnostics
    ) throws(VerbError) -> Scenario? {
        let file = try InputFile.load(path)
        let surroundings = ScenarioLoader.Surroundings(
            files: FolderFiles(around: path), seed: values.seed, parameters: values.parameters)
        return ScenarioLoader(reader: DocumentReaders.reader(for: path), surroundings)
            .load(file, into: &diagnostics)
    }

    /// Loads files and the files below folders, all or none: every error of every file is told before anything runs.
    ///
    /// - Throws: ``VerbError`` once the errors were told.
    static func load(
        _ paths: [String], _ values: ScenarioArguments, console: Console
    ) throws(VerbError) -> [Scenario] {
        var diagnostics = Diagnostics()
        var scenarios: [Scenario] = []
        for path in try ScenarioFolder.expanding(paths) {
            if let scenario = try load(path, values, into: &diagnostics) { scenarios.append(scenario) }
        }
        try tell(diagnostics, console)
        try values.checkNames(in: scenarios)
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
