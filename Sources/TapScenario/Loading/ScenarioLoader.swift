import TapDocument
import TapWire
public struct ScenarioLoader: Sendable {
    public static let defaultSeed: UInt64 = 1
    public static let table = ScenarioLanguage.table

    private let reader: any DocumentReader
    private let options: Options

    /// The inputs of a scenario other than its own document.
    public struct Options: Sendable {
        /// Resolves the files that a scenario names, or `nil` for a self-contained scenario.
        public var files: (any ReferencedFiles)?
        public var seed: UInt64?
        /// Parameter values that replace those of the file and its cases.
        public var parameters: NodeMap?
        /// Station names that replace those of the list that the scenario names.
        public var stations: StationNames?

        public init(
            files: (any ReferencedFiles)? = nil, seed: UInt64? = nil, parameters: NodeMap? = nil,
            stations: StationNames? = nil
        ) {
            self.files = files
            self.seed = seed
            self.parameters = parameters
            self.stations = stations
        }
    }

    public init(reader: any DocumentReader, _ options: Options = Options()) {
        self.reader = reader
        self.options = options
    }

    /// Loads a file.
    ///
    /// - Returns: The scenario, or `nil` if there is an error.
    public func load(_ file: SourceFile, into diagnostics: inout Diagnostics) -> Scenario? {
        var found = Diagnostics()
        defer { for diagnostic in found.found { diagnostics.report(diagnostic) } }
        guard let node = reader.read(file, into: &found) else { return nil }
        let isWhole = !found.hasErrors
        // Documents written for programs are lists, even with one case. Files contain one scenario.
        let isList = reader is JSONReader && node[0]?[.format] != nil
        let scenario =
            isList
            ? scenario(fromEach: node.items, of: file, into: &found)
            : Self.scenario(from: node, file: file.name, options, into: &found)
        return isWhole ? scenario : nil
    }

    /// Builds one scenario from a list, as written by `tapsim check --resolved --json`.
    ///
    /// It has the cases of all, in order, and the name of the first.
    private func scenario(
        fromEach nodes: [Node], of file: SourceFile, into diagnostics: inout Diagnostics
    ) -> Scenario? {
        let shape = Shape.list(of: .free, count: 1...ScenarioLanguage.maximumCases)
        guard shape.read(.list(NodeList(nodes)), as: "the list", into: &diagnostics) != nil else { return nil }
        let budget = CardBudget()
        let all = nodes.compactMap {
            Self.scenario(from: $0, file: file.name, options, budget, into: &diagnostics)
        }
        guard all.count == nodes.count, let first = all.first else { return nil }
        return first.with(all.flatMap(\.cases), parameterNames: all.flatMap(\.parameterNames))
    }

    /// Builds a scenario from a tree.
    ///
    /// - Parameters:
    ///   - node: The document.
    ///   - file: The name of its file.
    ///   - options: The inputs other than the document.
    ///   - diagnostics: Receives all errors and warnings, each once. If the scenario is strict, warnings that it already
    ///   contained become errors as well.
    public static func scenario(
        from node: Node, file: String, _ options: Options = Options(),
        into diagnostics: inout Diagnostics
    ) -> Scenario? {
        scenario(from: node, file: file, options, CardBudget(), into: &diagnostics)
    }

    private static func scenario(
        from node: Node, file: String, _ options: Options, _ budget: CardBudget,
        into diagnostics: inout Diagnostics
    ) -> Scenario? {
        guard FormatCheck.accepts(node, into: &diagnostics), case .map(let own) = node else { return nil }
        var composer = Composer(options.files, diagnostics)
        let whole = composer.compose(own, file: file)
        diagnostics = composer.diagnostics
        guard let root = whole else {
            check(own, into: &diagnostics)
            return nil
        }
        var found = Diagnostics()
        let documents = CaseDocument.all(of: root, overriding: options.parameters, into: &found)
        ParameterUse.checkDefinitions(of: root, in: file, into: &found)
        let path = root[.settings]?[ScenarioSettings.stations.name]
        let stations = options.stations ?? NamedStations.names(path, options.files, into: &found)
        var decoder = CaseDecoder(file: file, options, stations, budget, found)
        let cases = documents.compactMap { decoder.decode($0) }
        for diagnostic in decoder.diagnostics.found { diagnostics.report(diagnostic) }
        guard cases.count == documents.count, !decoder.diagnostics.hasErrors, let first = cases.first else {
            return nil
        }
        if first.settings.isStrict {
            diagnostics.makeErrors(because: root[.settings]?[ScenarioSettings.strict.name]?.range)
            guard !diagnostics.hasErrors else { return nil }
        }
        return Scenario(
            file: file, name: first.scenarioName, title: first.title, tags: decoder.fileTags, seed: first.seed,
            parameterNames: ParameterUse.allNames(in: root), cases: cases)
    }

    /// Checks the keys of a document whose other files are missing, so that its own errors are reported as well.
    private static func check(_ own: NodeMap, into diagnostics: inout Diagnostics) {
        // The missing files may define the parameters.
        var ignored = Diagnostics()
        for document in CaseDocument.all(of: own.removing([.include, .extends]), into: &ignored) {
            _ = table.read(document.root, into: &diagnostics)
        }
    }

    /// The JSON Schema of scenario files, for editors; ends with a line break.
    public static var schemaText: String {
        JSONWriter.text(JSONSchema.of(table, title: "TapSim scenario, format 1"), .pretty) + "\n"
    }
}

/// Checks that a document has the format that this version reads.
enum FormatCheck {
    static let version = "1"

    /// Checks the first key of a document, which determines the meaning of all others.
    static func accepts(_ node: Node, into diagnostics: inout Diagnostics) -> Bool {
        guard let problem = problem(of: node) else { return true }
        diagnostics.report(problem)
        return false
    }

    private static func problem(of node: Node) -> Diagnostic? {
        guard case .map(let map) = node else {
            // The output of `check --resolved --json` for a whole file.
            let isList = node[0]?[.format] != nil
            return Diagnostic(
                .wrongKind, "the document is \(node.kind.noun)", at: node,
                hint: isList
                    ? "write several scenarios as a JSON list, or one scenario per file"
                    : "expected a scenario: a map of `key: value` entries")
        }
        guard let entry = map.entry(.format) else {
            return Diagnostic(
                .wrongFormat, "the file does not specify its format", at: .map(map),
                hint: "begin the file with `format: \(version)`, the only supported format")
        }
        guard entry.value.text == version else {
            let format = entry.value.text.map { "format \($0)" } ?? "an unknown format"
            return Diagnostic(
                .wrongFormat, "the file has \(format)", at: entry.value,
                hint: "use `format: \(version)`, the only supported format")
        }
        guard map.entries.first?.key.text == ScenarioKey.format.rawValue else {
            return Diagnostic(
                .wrongFormat, "`format` is not the first key", at: Diagnostic.Place(entry.key.range),
                hint: "begin the file with `format: \(version)`")
        }
        return nil
    }
}

extension SourceFile {
    /// A Boolean value that indicates whether the file begins like a scenario, even if the rest is invalid.
    ///
    /// Errors quote lines of the file, which they must not do if a scenario names another file, such as a file with keys.
    public var beginsAsScenario: Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).lazy.filter { !$0.drop { $0 == " " }.hasPrefix("#") }
        let words = lines.joined().filter { !"-{\"' \t:\u{FEFF}".contains($0) }
        var rest = words.makeIterator()
        return "format".allSatisfy { rest.next() == $0 } && rest.next()?.isWholeNumber == true
    }
}
