import TapDocument
/// The files that a scenario refers to: included files, the extended file, and card dumps.
///
/// Loading does not read files itself. The caller resolves paths and keeps them inside the scenario's root, because a
/// scenario may be untrusted, and errors and clients reveal the content of the files it names.
public protocol ReferencedFiles: Sendable {
    /// Identifies a file, whichever path leads to it.
    ///
    /// - Parameter name: The name of a loaded file.
    func identity(of name: String) -> String

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path as written, relative to the folder of the file that names it.
    ///   - file: The name of the file that names it.
    ///   - maximumBytes: The maximum size. For a larger file, returns at least one more byte so that the caller can tell.
    func open(
        _ path: String, namedIn file: String, maximumBytes: Int
    ) throws(ReferencedFileProblem) -> ReferencedFile

    /// The reader for a document with this name.
    func reader(for name: String) -> any DocumentReader
}

public struct ReferencedFile: Hashable, Sendable {
    /// An identifier of the file, whichever path leads to it.
    public let identity: String
    public let name: String
    public let bytes: [UInt8]

    public init(identity: String, name: String, bytes: [UInt8]) {
        self.identity = identity
        self.name = name
        self.bytes = bytes
    }
}

/// The reason why a file named by a scenario is not read.
public struct ReferencedFileProblem: Error, Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The file does not exist or cannot be read.
        case unreadable
        /// The file is outside the scenario's root.
        case outside
    }

    public let kind: Kind
    /// The reason, as a clause without a full stop that follows the path: `there is no such file`.
    public let reason: String
    public let hint: String

    public init(_ kind: Kind, _ reason: String, hint: String) {
        self.kind = kind
        self.reason = reason
        self.hint = hint
    }

    func diagnostic(_ path: Scalar) -> Diagnostic {
        Diagnostic(
            kind == .outside ? .fileOutside : .fileUnreadable, "cannot read `\(path.text)`: \(reason)", at: path,
            hint: hint)
    }
}

/// Composes a scenario from the files it includes and the file it extends; nodes keep their locations for errors.
struct Composer {
    /// The maximum nesting depth of files, not counting the scenario itself.
    static let maximumDepth = 8
    /// The maximum number of files a scenario reads; a file counts each time it is named.
    static let maximumFiles = 64

    private(set) var diagnostics: Diagnostics
    private let files: (any ReferencedFiles)?
    /// The files that are currently being composed, starting with the scenario.
    private var chain: [(identity: String, name: String)] = []
    /// Files already included; including them again has no effect.
    private var included: Set<String> = []
    private var fileCount = 0

    init(_ files: (any ReferencedFiles)?, _ diagnostics: Diagnostics) {
        self.files = files
        self.diagnostics = diagnostics
    }

    /// Composes the scenario and all files it names; returns `nil` if it reported an error.
    mutating func compose(_ root: NodeMap, file: String) -> NodeMap? {
        chain = [(files?.identity(of: file) ?? file, file)]
        let errors = diagnostics.errorCount
        let whole = whole(root)
        if fileCount > 0, let tooMany = Node.map(whole).node(after: DocumentLimits.scenario.maximumNodes) {
            diagnostics.report(
                Diagnostic(
                    .limitExceeded, "the scenario and the files it names have too many values", at: tooMany,
                    hint: "the limit is \(DocumentLimits.scenario.maximumNodes) values in total"))
        }
        return diagnostics.errorCount == errors ? whole : nil
    }

    private mutating func whole(_ root: NodeMap) -> NodeMap {
        guard root[.include] != nil || root[.extends] != nil else { return root }
        var whole = root.removing([.include, .extends])
        if let value = root[.include],
            let paths = ScenarioLanguage.includes.read(value, as: "`include`", into: &diagnostics)
        {
            for path in paths.kind == .list ? paths.items : [paths] { include(path.node, in: &whole) }
        }
        if let value = root[.extends],
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
        // The parent is composed independently: it may include the same files again.
        let known = included
        included = []
        let parent = enter(file) { $0.whole(root) }
        included = known
        whole = Inheritance.scenario(whole, over: parent)
    }

    private mutating func enter(_ file: ReferencedFile, _ body: (inout Composer) -> NodeMap) -> NodeMap {
        chain.append((file.identity, file.name))
        defer { chain.removeLast() }
        return body(&self)
    }
}

extension Composer {
    /// The file at a path and its document, or `nil` if an error was reported.
    private mutating func document(_ path: Scalar) -> (file: ReferencedFile, root: NodeMap)? {
        guard let file = open(path) else { return nil }
        if chain.contains(where: { $0.identity == file.identity }) {
            let names = chain.map(\.name) + [file.name]
            report(
                .fileCycle, "`\(path.text)` refers to itself through other files", at: path,
                hint: "remove one of these references: \(names.joined(separator: " → "))")
            return nil
        }
        let source = SourceFile(name: file.name, bytes: file.bytes)
        guard source.beginsAsScenario else {
            report(
                .wrongFormat, "`\(path.text)` is not a scenario", at: path,
                hint: "begin the file with `format: \(FormatCheck.version)`")
            return nil
        }
        let errors = diagnostics.errorCount
        guard let node = files?.reader(for: file.name).read(source, into: &diagnostics),
            FormatCheck.accepts(node, into: &diagnostics), case .map(let root) = node
        else { return nil }
        Self.checkKeys(of: root, into: &diagnostics)
        return diagnostics.errorCount == errors ? (file, root) : nil
    }

    private mutating func open(_ path: Scalar) -> ReferencedFile? {
        guard let files, let base = path.written?.file.name else {
            report(
                .noFiles, "cannot read `\(path.text)`: this scenario has no access to other files", at: path,
                hint: "use `tapsim check --resolved --json` to write a self-contained scenario")
            return nil
        }
        guard chain.count <= Self.maximumDepth else {
            report(
                .limitExceeded, "files are nested too deeply", at: path,
                hint: "at most \(Self.maximumDepth) levels are allowed")
            return nil
        }
        guard fileCount < Self.maximumFiles else {
            report(
                .limitExceeded, "the scenario refers to too many files", at: path,
                hint: "at most \(Self.maximumFiles) files are allowed")
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

    /// Reports unknown keys, without checking the values of keys that are not used.
    private static func checkKeys(of root: NodeMap, into diagnostics: inout Diagnostics) {
        let table = ScenarioLanguage.table
        let entries = root.entries.filter { $0.key.text == "format" || table.key($0.key.text) == nil }
        _ = table.read(.map(NodeMap(entries, range: root.range)), into: &diagnostics)
    }
}

extension Node {
    /// The node after a number of others in file order, or `nil` if there are fewer.
    fileprivate func node(after count: Int) -> Node? {
        var left = count
        return node(after: &left)
    }

    /// The node after the remaining number of others; decrements the number for each node before it.
    func node(after left: inout Int) -> Node? {
        guard left > 0 else { return self }
        left -= 1
        for child in items + entries.map(\.value) {
            if let found = child.node(after: &left) { return found }
        }
        return nil
    }
}

/// `include`: adds the named items of one file to another.
enum Inclusion {
    /// Keys whose entries are added, each with a noun for an entry.
    private static let named = [(key: ScenarioKey.cards, noun: "card"), (key: .readers, noun: "reader")]

    /// A file with the cards, readers and faults of another appended to its own; the other file's parameters are defaults.
    static func adding(_ file: NodeMap, to whole: NodeMap, into diagnostics: inout Diagnostics) -> NodeMap {
        var whole = whole
        for (key, noun) in named {
            guard let added = file.entry(key) else { continue }
            let value = adding(added.value, to: whole[key], noun, &diagnostics)
            whole = whole.setting(NodeMap.Entry(whole.entry(key)?.key ?? added.key, value))
        }
        if let added = file.entry(.faults) {
            let value = adding(faults: added.value, to: whole[.faults], &diagnostics)
            whole = whole.setting(NodeMap.Entry(whole.entry(.faults)?.key ?? added.key, value))
        }
        if let added = file.entry(.params) {
            let value = defining(added.value, under: whole[.params], of: whole.range?.file, &diagnostics)
            whole = whole.setting(NodeMap.Entry(whole.entry(.params)?.key ?? added.key, value))
        }
        return whole
    }

    private static func adding(
        _ added: Node, to own: Node?, _ noun: String, _ diagnostics: inout Diagnostics
    ) -> Node {
        guard let own else { return added }
        // Checking the whole file reports values that are not maps.
        guard case .map(let map) = own, case .map(let other) = added else { return own.kind == .map ? added : own }
        var entries = map.entries
        for entry in other.entries where !entry.key.text.hasPrefix(KeyTable.freePrefix) {
            if let first = map.entry(entry.key.text) {
                report("two \(noun)s have the name `\(entry.key.text)`", first.key.range, entry.key.range, &diagnostics)
            } else {
                entries.append(entry)
            }
        }
        return .map(NodeMap(entries, range: map.range, under: map.under))
    }

    private static func adding(faults added: Node, to own: Node?, _ diagnostics: inout Diagnostics) -> Node {
        guard let own else { return added }
        guard case .list(let list) = own, case .list(let other) = added else { return own.kind == .list ? added : own }
        let id = FaultLanguage.id.name
        for item in other.items {
            guard let own = item[id], let text = own.text,
                let first = list.items.first(where: { $0[id]?.text == text })
            else { continue }
            report("two faults have the identifier `\(text)`", first[id]?.range, own.range, &diagnostics)
        }
        return .list(NodeList(list.items + other.items, range: list.range))
    }

    /// Adds the parameters of an included file as defaults; reports a parameter that two included files define differently.
    private static func defining(
        _ added: Node, under own: Node?, of file: SourceFile?, _ diagnostics: inout Diagnostics
    ) -> Node {
        guard let own else { return added }
        guard case .map(let map) = own, case .map(let other) = added else { return own.kind == .map ? added : own }
        var entries = map.entries
        for entry in other.entries where !entry.key.text.hasPrefix(KeyTable.freePrefix) {
            guard let first = map.entry(entry.key.text) else {
                entries.append(entry)
                continue
            }
            let isOwn = first.key.range?.file == file
            guard !isOwn, first.value != entry.value else { continue }
            report("two files define `\(entry.key.text)` differently", first.key.range, entry.key.range, &diagnostics)
        }
        return .map(NodeMap(entries, range: map.range, under: map.under))
    }

    private static func report(
        _ message: String, _ first: SourceRange?, _ second: SourceRange?, _ diagnostics: inout Diagnostics
    ) {
        let related = first.map { [Diagnostic.Related("the other definition", at: $0)] } ?? []
        diagnostics.report(
            Diagnostic(
                .nameTaken, message, at: Diagnostic.Place(second), hint: "rename one of the two",
                related: related))
    }
}

/// `extends`: merges maps and replaces everything else.
enum Inheritance {
    /// Keys that a file inherits; expectations, faults and cases are not inherited.
    static let keys: [ScenarioKey] = [
        .params, .settings, .cards, .reader, .readers, .client, .taps, .timeline, .phone,
    ]

    /// Merges a file over the one it extends.
    static func scenario(_ file: NodeMap, over parent: NodeMap) -> NodeMap {
        let table = ScenarioLanguage.table
        // The keys replace each other.
        let alternatives = ScenarioLanguage.alternatives
        let replaced = alternatives.contains { file[$0] != nil } ? alternatives : []
        var whole = file
        for key in keys {
            guard let inherited = parent.entry(key) else { continue }
            if let own = file.entry(key) {
                let value = merge(own.value, over: inherited.value, table.key(key.rawValue)?.shape ?? .free)
                whole = whole.setting(NodeMap.Entry(own.key, value))
            } else if !replaced.contains(key) {
                whole = whole.setting(inherited)
            }
        }
        return whole
    }

    /// Merges a value over another, guided by their shape.
    private static func merge(_ own: Node, over inherited: Node, _ shape: Shape) -> Node {
        guard case .map(let map) = own, case .map(let parent) = inherited else { return own }
        switch shape.variant(for: .map) {
        case .table(let table):
            let table = table()
            return isAnotherChoice(map, parent, table)
                ? own : .map(merge(map, over: parent) { table.key($0)?.shape ?? .free })
        case .named(_, let values): return .map(merge(map, over: parent) { _ in values })
        default: return own
        }
    }

    /// The entries of a parent, changed by those of a map, followed by the map's other entries.
    private static func merge(_ map: NodeMap, over parent: NodeMap, _ shape: (String) -> Shape) -> NodeMap {
        var entries = parent.entries.map { inherited -> NodeMap.Entry in
            guard let own = map.entry(inherited.key.text) else { return inherited }
            return NodeMap.Entry(own.key, merge(own.value, over: inherited.value, shape(own.key.text)))
        }
        entries += map.entries.filter { parent[$0.key.text] == nil }
        return NodeMap(entries, range: map.range, under: Node.map(parent).head)
    }

    /// Returns whether a map chooses another variant than its parent, such as a program instead of a built-in client.
    ///
    /// It then inherits none of the parent's keys.
    private static func isAnotherChoice(_ map: NodeMap, _ parent: NodeMap, _ table: KeyTable) -> Bool {
        let choice = { (map: NodeMap) in map.entries.first { table.exactlyOne.contains($0.key.text) }?.key.text }
        guard let own = choice(map), let inherited = choice(parent) else { return false }
        return own != inherited
    }
}
