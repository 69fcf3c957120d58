/// Turns scenario files into cases that can run.
public struct ScenarioLoader: Sendable {
    /// The seed of a scenario that states none.
    public static let defaultSeed: UInt64 = 1
    /// The keys of a scenario file.
    public static let table = ScenarioLanguage.table

    private let reader: any DocumentReader
    private let surroundings: Surroundings

    /// What a scenario meets besides its own document.
    public struct Surroundings: Sendable {
        /// Where the files are found that a scenario names, or nothing where it is one document.
        public var files: (any CompanionFiles)?
        /// The seed in place of that of the file.
        public var seed: UInt64?
        /// Values of parameters in place of those of the file and its cases.
        public var parameters: NodeMap?

        /// Creates surroundings.
        public init(files: (any CompanionFiles)? = nil, seed: UInt64? = nil, parameters: NodeMap? = nil) {
            self.files = files
            self.seed = seed
            self.parameters = parameters
        }
    }

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - reader: What reads the file, ``JSONReader`` or a reader of YAML.
    ///   - surroundings: What the scenario meets besides its own document.
    public init(reader: any DocumentReader, _ surroundings: Surroundings = Surroundings()) {
        self.reader = reader
        self.surroundings = surroundings
    }

    /// Loads a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - diagnostics: Told of all errors and doubts, each once.
    /// - Returns: The scenario, or nothing if there is an error; nothing of it runs then.
    public func load(_ file: SourceFile, into diagnostics: inout Diagnostics) -> Scenario? {
        var found = Diagnostics()
        defer { for diagnostic in found.found { diagnostics.report(diagnostic) } }
        guard let node = reader.read(file, into: &found) else { return nil }
        let isWhole = !found.hasErrors
        // What is written for a program is a list, however many cases it holds; people write one scenario in a file.
        let isList = reader is JSONReader && node[0]?["format"] != nil
        let scenario =
            isList
            ? scenario(fromEach: node.items, of: file, into: &found)
            : Self.scenario(from: node, file: file.name, surroundings, into: &found)
        return isWhole ? scenario : nil
    }

    /// Makes one scenario of a list of them, as `tapsim check --resolved --json` writes it: their cases one after the
    /// other, under the name of the first.
    private func scenario(
        fromEach nodes: [Node], of file: SourceFile, into diagnostics: inout Diagnostics
    ) -> Scenario? {
        let shape = Shape.list(of: .free, count: 1...ScenarioLanguage.maximumCases)
        guard shape.read(.list(NodeList(nodes)), as: "the list", into: &diagnostics) != nil else { return nil }
        let budget = CardBudget()
        let all = nodes.compactMap {
            Self.scenario(from: $0, file: file.name, surroundings, budget, into: &diagnostics)
        }
        guard all.count == nodes.count, let first = all.first else { return nil }
        return first.with(all.flatMap(\.cases), parameterNames: all.flatMap(\.parameterNames))
    }

    /// Makes a scenario of a tree.
    ///
    /// - Parameters:
    ///   - node: The document.
    ///   - file: The name of the file it came from.
    ///   - surroundings: What the scenario meets besides its own document.
    ///   - diagnostics: Told of all errors and doubts, each once; where the scenario is strict, the doubts that it held
    ///     before are errors as well.
    public static func scenario(
        from node: Node, file: String, _ surroundings: Surroundings = Surroundings(),
        into diagnostics: inout Diagnostics
    ) -> Scenario? {
        scenario(from: node, file: file, surroundings, CardBudget(), into: &diagnostics)
    }

    private static func scenario(
        from node: Node, file: String, _ surroundings: Surroundings, _ budget: CardBudget,
        into diagnostics: inout Diagnostics
    ) -> Scenario? {
        guard FormatCheck.accepts(node, into: &diagnostics), case .map(let own) = node else { return nil }
        var composer = Composer(surroundings.files, diagnostics)
        let whole = composer.compose(own, file: file)
        diagnostics = composer.diagnostics
        guard let root = whole else {
            check(own, into: &diagnostics)
            return nil
        }
        var found = Diagnostics()
        let documents = CaseDocument.all(of: root, overriding: surroundings.parameters, into: &found)
        ParameterUse.checkDefinitions(of: root, in: file, into: &found)
        var decoder = CaseDecoder(file: file, surroundings, budget, found)
        let cases = documents.compactMap { decoder.decode($0) }
        for diagnostic in decoder.diagnostics.found { diagnostics.report(diagnostic) }
        guard cases.count == documents.count, !decoder.diagnostics.hasErrors, let first = cases.first else {
            return nil
        }
        if first.settings.isStrict {
            diagnostics.makeErrors(because: root["settings"]?["strict"]?.range)
            guard !diagnostics.hasErrors else { return nil }
        }
        return Scenario(
            file: file, name: first.scenarioName, title: first.title, tags: decoder.fileTags, seed: first.seed,
            parameterNames: ParameterUse.allNames(in: root), cases: cases)
    }

    /// Checks the keys of a document whose other files are not there, so that its own errors are told with theirs.
    private static func check(_ own: NodeMap, into diagnostics: inout Diagnostics) {
        // Parameters may be defined in the files that are missing.
        var ignored = Diagnostics()
        for document in CaseDocument.all(of: own.removing(["include", "extends"]), into: &ignored) {
            _ = table.read(document.root, into: &diagnostics)
        }
    }

    /// The JSON Schema of scenario files, for editors; ends with a line break.
    public static var schemaText: String {
        JSONWriter.text(JSONSchema.of(table, title: "TapSim scenario, format 1"), .pretty) + "\n"
    }
}
