/// A `${params.NAME}` that is a whole value.
struct ParameterReference: Hashable, Sendable {
    let name: String

    private static let opening = "${params."

    /// Parses a reference; returns `nil` if the text is anything else.
    init?(_ text: String) {
        guard text.hasPrefix(Self.opening), text.hasSuffix("}") else { return nil }
        let name = String(text.dropFirst(Self.opening.count).dropLast())
        guard (try? NameRule().parse(name)) != nil else { return nil }
        self.name = name
    }

    /// The offsets of the first `${` in a text, up to its closing brace.
    static func firstMark(in text: String) -> Range<Int>? {
        let scalars = Array(text.unicodeScalars)
        guard let start = scalars.indices.dropLast().first(where: { scalars[$0] == "$" && scalars[$0 + 1] == "{" })
        else { return nil }
        let end = scalars[start...].firstIndex(of: "}") ?? start + 1
        return start..<end + 1
    }
}

extension Node {
    /// The names of the parameters that the tree refers to, in the order of the file, with duplicates.
    package var parameterNames: [String] {
        switch self {
        case .scalar(let scalar): ParameterReference(scalar.text).map { [$0.name] } ?? []
        case .list(let list): list.items.flatMap(\.parameterNames)
        case .map(let map): map.entries.flatMap(\.value.parameterNames)
        }
    }
}

/// The values of `${params.NAME}` references.
///
/// They are substituted before a document is checked, so that a parameter gets its type from where it is used: a single
/// value, a list or a map. Only a scalar that consists of a reference is replaced. The value has the location of the use and
/// records the location of the definition; errors show both. Parameters cannot refer to other parameters.
public struct Parameters: Sendable {
    /// The shape of a map of parameters, for the key `params` of a table.
    public static let shape = Shape.map(
        of: NameRule("the name of a parameter"),
        to: .variants([.value, .list(of: .free), .map(of: TextRule(), to: .free)]))

    private var values: [String: Node] = [:]
    /// Names in the order of definition, so that suggestions do not depend on hashing.
    private(set) var names: [String] = []

    public init() {}

    /// Adds the parameters of a map, which replace existing parameters with the same names.
    ///
    /// A case adds its own parameters to those of the file.
    public mutating func define(_ map: NodeMap) {
        for entry in map.entries where !entry.key.text.hasPrefix(KeyTable.freePrefix) {
            if values.updateValue(entry.value, forKey: entry.key.text) == nil { names.append(entry.key.text) }
        }
    }

    /// The number of values in a parameter, or zero if it is not defined.
    package func size(of name: String) -> Int { values[name]?.size ?? 0 }

    /// The tree with every reference replaced; reports undefined parameters, each once.
    public func fill(_ node: Node, into diagnostics: inout Diagnostics) -> Node {
        switch node {
        case .scalar(let scalar):
            guard let reference = ParameterReference(scalar.text) else { return node }
            return fill(scalar, reference, &diagnostics)
        case .list(let list):
            return .list(NodeList(list.items.map { fill($0, into: &diagnostics) }, range: list.range))
        case .map(let map):
            let entries = map.entries.map { fill($0, into: &diagnostics) }
            return .map(NodeMap(entries, range: map.range, under: map.under))
        }
    }

    /// The entry of a map with every reference in its value replaced.
    ///
    /// The value of a custom key that only looks like a reference is left as it is.
    package func fill(_ entry: NodeMap.Entry, into diagnostics: inout Diagnostics) -> NodeMap.Entry {
        guard entry.key.text.hasPrefix(KeyTable.freePrefix) else {
            return NodeMap.Entry(entry.key, fill(entry.value, into: &diagnostics))
        }
        var ignored = Diagnostics()
        let filled = fill(entry.value, into: &ignored)
        return NodeMap.Entry(entry.key, ignored.hasErrors ? entry.value : filled)
    }

    private func fill(_ use: Scalar, _ reference: ParameterReference, _ diagnostics: inout Diagnostics) -> Node {
        do {
            return try value(of: reference.name, for: use).used(at: use.range, as: reference.name)
        } catch {
            diagnostics.report(error)
            let definition = Scalar.Definition(name: reference.name, range: nil, isFound: false)
            return .scalar(Scalar(use.text, form: use.form, range: use.range, definition: definition))
        }
    }

    private func value(of name: String, for use: Scalar) throws(Diagnostic) -> Node {
        guard let value = values[name] else {
            let known =
                names.isEmpty ? "there are no parameters" : "defined parameters: \(names.joined(separator: ", "))"
            throw Diagnostic(
                .unknownParameter, "parameter `\(name)` is not defined", at: use,
                hint: Spelling.suggestion(for: name, among: names, before: known))
        }
        guard !value.hasMark else {
            throw Diagnostic(
                .misplacedReference, "parameter `\(name)` refers to another parameter", at: use,
                hint: "write the value where `\(name)` is defined")
        }
        return value
    }
}

extension Node {
    /// The number of values, including this one and all under it.
    fileprivate var size: Int {
        items.reduce(1) { $0 + $1.size } + entries.reduce(0) { $0 + $1.value.size }
    }

    fileprivate var hasMark: Bool {
        switch self {
        case .scalar(let scalar): ParameterReference.firstMark(in: scalar.text) != nil
        case .list(let list): list.items.contains(where: \.hasMark)
        case .map(let map): map.entries.contains(where: \.value.hasMark)
        }
    }

    /// The value of a parameter, relocated to where it is used.
    fileprivate func used(at range: SourceRange?, as name: String) -> Node {
        switch self {
        case .scalar(let scalar): return .scalar(scalar.used(at: range, as: name))
        case .list(let list):
            return .list(NodeList(list.items.map { $0.used(at: range, as: name) }, range: range))
        case .map(let map):
            let entries = map.entries.map { entry in
                NodeMap.Entry(entry.key.used(at: range, as: name), entry.value.used(at: range, as: name))
            }
            return .map(NodeMap(entries, range: range))
        }
    }
}

extension Scalar {
    fileprivate func used(at use: SourceRange?, as name: String) -> Scalar {
        Scalar(text, form: form, range: use, definition: Definition(name: name, range: range, isFound: true))
    }
}

package enum ParameterUse {
    /// The names of the parameters that a map uses outside its own `params`, with duplicates.
    package static func names(in map: NodeMap) -> [String] {
        map.entries.filter { $0.key.text != "params" }.flatMap(\.value.parameterNames)
    }

    /// The names that a file or one of its cases defines or uses, each listed once.
    package static func allNames(in root: NodeMap) -> [String] {
        var names: [String] = []
        for name in definitions(of: root).map(\.text) + used(in: root) where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// Returns whether the document stays within the limits with its parameters substituted, and reports it otherwise.
    package static func fits(
        _ names: [String], _ parameters: Parameters, in root: NodeMap, into diagnostics: inout Diagnostics
    ) -> Bool {
        var sizes: [String: Int] = [:]
        var total = 0
        for name in names {
            let size = sizes[name] ?? parameters.size(of: name)
            sizes[name] = size
            total += size
        }
        let most = DocumentLimits.scenario.maximumNodes
        guard total > most else { return true }
        diagnostics.report(
            Diagnostic(
                .limitExceeded, "the parameters expand to too many values", at: root["params"] ?? .map(root),
                hint: "at most \(most) are allowed"))
        return false
    }

    /// Warns about parameters that a file defines but that neither it nor the files it is composed from use.
    ///
    /// - Parameter file: The file. Parameters that other files define may be for other scenarios.
    package static func checkDefinitions(of root: NodeMap, in file: String, into diagnostics: inout Diagnostics) {
        let used = Set(used(in: root))
        for name in definitions(of: root) where !used.contains(name.text) && name.range?.file.name == file {
            diagnostics.report(
                Diagnostic(
                    .unusedParameter, "unused parameter `\(name.text)`", at: name,
                    hint: "use it as \"${params.\(name.text)}\", or remove it"))
        }
    }

    private static func used(in root: NodeMap) -> [String] {
        names(in: root.removing(["cases"])) + maps(of: root["cases"]).flatMap(names)
    }

    private static func definitions(of root: NodeMap) -> [Scalar] {
        let maps = [root] + maps(of: root["cases"])
        return maps.flatMap { $0["params"]?.entries ?? [] }.map(\.key).filter {
            !$0.text.hasPrefix(KeyTable.freePrefix)
        }
    }

    private static func maps(of cases: Node?) -> [NodeMap] {
        (cases?.items ?? []).compactMap { item in
            guard case .map(let map) = item else { return nil }
            return map
        }
    }
}
