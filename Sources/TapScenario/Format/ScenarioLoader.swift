/// Turns scenario files into cases that can run.
public struct ScenarioLoader: Sendable {
    /// The seed of a scenario that states none.
    public static let defaultSeed: UInt64 = 1
    /// The keys of a scenario file.
    public static let table = ScenarioLanguage.table

    private let reader: any DocumentReader

    /// Creates a loader.
    ///
    /// - Parameter reader: What reads the files, ``JSONReader`` or a reader of YAML.
    public init(reader: any DocumentReader) {
        self.reader = reader
    }

    /// Loads a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - seed: The seed in place of that of the file.
    ///   - diagnostics: Told of all errors and doubts, each once.
    /// - Returns: The scenario, or nothing if there is an error; nothing of it runs then.
    public func load(
        _ file: SourceFile, seed: UInt64? = nil, into diagnostics: inout Diagnostics
    ) -> Scenario? {
        let errors = diagnostics.errorCount
        guard let node = reader.read(file, into: &diagnostics) else { return nil }
        let isWhole = diagnostics.errorCount == errors
        let scenario = Self.scenario(from: node, file: file.name, seed: seed, into: &diagnostics)
        return isWhole ? scenario : nil
    }

    /// Makes a scenario of a tree.
    ///
    /// - Parameters:
    ///   - node: The document.
    ///   - file: The name of the file it came from.
    ///   - seed: The seed in place of that of the document.
    ///   - diagnostics: Told of all errors and doubts, each once.
    public static func scenario(
        from node: Node, file: String, seed: UInt64? = nil, into diagnostics: inout Diagnostics
    ) -> Scenario? {
        guard FormatCheck.accepts(node, into: &diagnostics), case .map(let root) = node else { return nil }
        var found = Diagnostics()
        let documents = CaseDocument.all(of: root, into: &found)
        var decoder = CaseDecoder(file: file, seed: seed, found)
        let cases = documents.compactMap { decoder.decode($0) }
        for diagnostic in decoder.diagnostics.found { diagnostics.report(diagnostic) }
        guard cases.count == documents.count, !decoder.diagnostics.hasErrors, let first = cases.first else {
            return nil
        }
        return Scenario(
            file: file, name: first.scenarioName, title: first.title, tags: decoder.fileTags, seed: first.seed,
            cases: cases)
    }

    /// The JSON Schema of scenario files, for editors; ends with a line break.
    public static var schemaText: String {
        JSONWriter.text(JSONSchema.of(table, title: "TapSim scenario, format 1"), .pretty) + "\n"
    }
}
