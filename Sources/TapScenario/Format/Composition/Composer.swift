/// Puts a scenario together from the files it includes and the one it extends.
///
/// Nodes keep their places, so that whatever is wrong with a value is told where it is written.
struct Composer {
    /// Most files inside one another, the scenario itself not counted.
    static let maximumDepth = 8
    /// Most files that one scenario reads, a file counted as often as it is named.
    static let maximumFiles = 64

    private(set) var diagnostics: Diagnostics
    private let files: (any CompanionFiles)?
    /// The files that are being put together, the scenario first.
    private var chain: [(identity: String, name: String)] = []
    /// Files that were included already; a second time they add nothing.
    private var included: Set<String> = []
    private var fileCount = 0

    init(_ files: (any CompanionFiles)?, _ diagnostics: Diagnostics) {
        self.files = files
        self.diagnostics = diagnostics
    }

    /// The scenario with all that it names, or nothing if an error was reported.
    mutating func compose(_ root: NodeMap, file: String) -> NodeMap? {
        chain = [(files?.identity(of: file) ?? file, file)]
        let errors = diagnostics.errorCount
        let whole = whole(root)
        if fileCount > 0, let tooMany = Node.map(whole).node(after: DocumentLimits.scenario.maximumNodes) {
            diagnostics.report(
                Diagnostic(
                    .limitExceeded, "the scenario and the files it names have too many values", at: tooMany,
                    hint: "together they hold at most \(DocumentLimits.scenario.maximumNodes)"))
        }
        return diagnostics.errorCount == errors ? whole : nil
    }

    private mutating func whole(_ root: NodeMap) -> NodeMap {
        guard root["include"] != nil || root["extends"] != nil else { return root }
        var whole = root.removing(["include", "extends"])
        if let value = root["include"],
            let paths = ScenarioLanguage.includes.read(value, as: "`include`", into: &diagnostics)
        {
            for path in paths.kind == .list ? paths.items : [paths] { include(path.node, in: &whole) }
        }
        if let value = root["extends"],
            let path = ScenarioLanguage.path.read(value, as: "`extends`", into: &diagnostics)
        {
            extend(path.node, &whole)
        }
        return whole
    }

    private mutating func include(_ path: Node, in whole: inout NodeMap) {
        guard case .scalar(let path) = path, let (file, root) = document(path) else { return }
        guard included.insert(file.identity).inserted else { return }
        let added = enter(file) { $0.whole(root) }
        whole = Inclusion.adding(added, to: whole, into: &diagnostics)
    }

    private mutating func extend(_ path: Node, _ whole: inout NodeMap) {
        guard case .scalar(let path) = path, let (file, root) = document(path) else { return }
        // The parent is whole in itself: what was included here may be included there.
        let known = included
        included = []
        let parent = enter(file) { $0.whole(root) }
        included = known
        whole = Inheritance.scenario(whole, over: parent)
    }

    private mutating func enter(_ file: CompanionFile, _ body: (inout Composer) -> NodeMap) -> NodeMap {
        chain.append((file.identity, file.name))
        defer { chain.removeLast() }
        return body(&self)
    }
}

extension Composer {
    /// The file that a path names and its document, or nothing if an error was reported.
    private mutating func document(_ path: Scalar) -> (file: CompanionFile, root: NodeMap)? {
        guard let file = open(path) else { return nil }
        if chain.contains(where: { $0.identity == file.identity }) {
            let names = chain.map(\.name) + [file.name]
            report(
                .fileCycle, "`\(path.text)` leads back to itself", at: path,
                hint: "the files name one another: \(names.joined(separator: " → "))")
            return nil
        }
        let source = SourceFile(name: file.name, bytes: file.bytes)
        guard source.beginsAsScenario else {
            report(
                .wrongFormat, "`\(path.text)` is not a scenario", at: path,
                hint: "the file begins with `format: \(FormatCheck.version)`; nothing else of it is read or shown")
            return nil
        }
        let errors = diagnostics.errorCount
        guard let node = files?.reader(for: file.name).read(source, into: &diagnostics),
            FormatCheck.accepts(node, into: &diagnostics), case .map(let root) = node
        else { return nil }
        Self.checkKeys(of: root, into: &diagnostics)
        return diagnostics.errorCount == errors ? (file, root) : nil
    }

    private mutating func open(_ path: Scalar) -> CompanionFile? {
        guard let files, let base = path.written?.file.name else {
            report(
                .noFiles, "`\(path.text)` cannot be read here, where a scenario is one document", at: path,
                hint: "`tapsim check --resolved --json` writes a scenario out with all that it names")
            return nil
        }
        guard chain.count <= Self.maximumDepth else {
            report(
                .limitExceeded, "files name one another too deeply", at: path,
                hint: "at most \(Self.maximumDepth) lie inside one another")
            return nil
        }
        guard fileCount < Self.maximumFiles else {
            report(
                .limitExceeded, "the scenario names too many files", at: path,
                hint: "it reads at most \(Self.maximumFiles)")
            return nil
        }
        fileCount += 1
        do {
            return try files.open(path.text, namedIn: base, maximumBytes: DocumentLimits.scenario.maximumBytes)
        } catch {
            diagnostics.report(error.diagnostic(path))
            return nil
        }
    }

    private mutating func report(_ code: DiagnosticCode, _ message: String, at path: Scalar, hint: String) {
        diagnostics.report(Diagnostic(code, message, at: path, hint: hint))
    }

    /// Refuses keys that no scenario has; those whose values are not taken are not looked into.
    private static func checkKeys(of root: NodeMap, into diagnostics: inout Diagnostics) {
        let table = ScenarioLanguage.table
        let entries = root.entries.filter { $0.key.text == "format" || table.key($0.key.text) == nil }
        _ = table.read(.map(NodeMap(entries, range: root.range)), into: &diagnostics)
    }
}

extension Node {
    /// The first node, counted in the order of the file, behind so many others; nothing if there are fewer.
    fileprivate func node(after count: Int) -> Node? {
        var left = count
        return node(after: &left)
    }

    private func node(after left: inout Int) -> Node? {
        guard left > 0 else { return self }
        left -= 1
        for child in items + entries.map(\.value) {
            if let found = child.node(after: &left) { return found }
        }
        return nil
    }
}
