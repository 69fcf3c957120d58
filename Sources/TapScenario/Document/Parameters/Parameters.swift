/// A `${params.NAME}` that is a whole value.
struct ParameterReference: Hashable, Sendable {
    /// The name of the parameter.
    let name: String

    private static let opening = "${params."

    /// Reads a reference, or nothing if the text is anything else.
    init?(_ text: String) {
        guard text.hasPrefix(Self.opening), text.hasSuffix("}") else { return nil }
        let name = String(text.dropFirst(Self.opening.count).dropLast())
        guard (try? NameRule().parse(name)) != nil else { return nil }
        self.name = name
    }

    /// Offsets of the first `${` in a text and of all up to its brace.
    static func firstMark(in text: String) -> Range<Int>? {
        let scalars = Array(text.unicodeScalars)
        guard let start = scalars.indices.dropLast().first(where: { scalars[$0] == "$" && scalars[$0 + 1] == "{" })
        else { return nil }
        let end = scalars[start...].firstIndex(of: "}") ?? start + 1
        return start..<end + 1
    }
}

/// The values that `${params.NAME}` stands for.
///
/// They are filled in before a document is checked, so that a parameter has the type of the place where it is used.
/// Only a scalar that is a reference and nothing else is replaced. What takes its place keeps the place of the use
/// and remembers where the parameter was defined; errors show both. Parameters do not refer to one another.
public struct Parameters: Sendable {
    /// What a map of parameters holds; a key table uses it for `params`.
    public static let shape = Shape.map(of: NameRule("the name of a parameter"), to: .value)

    private var values: [String: Scalar] = [:]
    /// Names in the order of definition, so that suggestions do not depend on hashing.
    private var names: [String] = []

    /// Creates an empty set.
    public init() {}

    /// Takes parameters from a map; a name that is there already gets the new value.
    ///
    /// A case adds its own parameters to those of the file. Values that are no scalars are left to the check of
    /// ``shape``.
    public mutating func define(_ map: NodeMap) {
        for entry in map.entries {
            guard case .scalar(let scalar) = entry.value else { continue }
            if values.updateValue(scalar, forKey: entry.key.text) == nil { names.append(entry.key.text) }
        }
    }

    /// The tree with every reference replaced; what is not defined is reported, once.
    public func fill(_ node: Node, into diagnostics: inout Diagnostics) -> Node {
        switch node {
        case .scalar(let scalar):
            guard let reference = ParameterReference(scalar.text) else { return node }
            return .scalar(fill(scalar, reference, &diagnostics))
        case .list(let list):
            return .list(NodeList(list.items.map { fill($0, into: &diagnostics) }, range: list.range))
        case .map(let map):
            return .map(NodeMap(map.entries.map { fill($0, into: &diagnostics) }, range: map.range))
        }
    }

    /// The entry of a map with every reference in its value replaced.
    ///
    /// What stands under a key of everybody's own may look like a reference and be none, so it is left as it is then.
    func fill(_ entry: NodeMap.Entry, into diagnostics: inout Diagnostics) -> NodeMap.Entry {
        guard entry.key.text.hasPrefix(KeyTable.freePrefix) else {
            return NodeMap.Entry(entry.key, fill(entry.value, into: &diagnostics))
        }
        var ignored = Diagnostics()
        let filled = fill(entry.value, into: &ignored)
        return NodeMap.Entry(entry.key, ignored.hasErrors ? entry.value : filled)
    }

    private func fill(_ use: Scalar, _ reference: ParameterReference, _ diagnostics: inout Diagnostics) -> Scalar {
        do {
            let value = try value(of: reference.name, for: use)
            let definition = Scalar.Definition(name: reference.name, range: value.range, isFound: true)
            return Scalar(value.text, form: value.form, range: use.range, definition: definition)
        } catch {
            diagnostics.report(error)
            let definition = Scalar.Definition(name: reference.name, range: nil, isFound: false)
            return Scalar(use.text, form: use.form, range: use.range, definition: definition)
        }
    }

    private func value(of name: String, for use: Scalar) throws(Diagnostic) -> Scalar {
        guard let value = values[name] else {
            let guess = Spelling.question(for: name, among: names)
            let known = names.isEmpty ? "there are no parameters" : "defined are \(names.joined(separator: ", "))"
            throw Diagnostic(.unknownParameter, "`\(name)` is not defined", at: use, hint: known + guess)
        }
        guard ParameterReference.firstMark(in: value.text) == nil else {
            throw Diagnostic(
                .misplacedReference, "`\(name)` refers to another parameter", at: use,
                hint: "write the value where `\(name)` is defined")
        }
        return value
    }
}
