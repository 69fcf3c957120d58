/// A case written as a scenario file, with a comment after each value that names its origin.
package struct ResolvedText {
    /// The column in which comments start if they fit.
    private static let column = 81
    /// The maximum width of a bracketed map or list, in columns, which leaves room for its comment.
    private static let longestGroup = 64

    /// A value with the facts about it and everything under it.
    private struct Part {
        let value: Layout.Value
        /// The common origin, or `nil` if its values differ in origin.
        let origin: String?
        /// The approximate number of columns it takes on one line.
        let width: Int
        var key: Layout.Word?
    }

    /// The lines of a tree with the keys of a table.
    package static func lines(of node: Node, _ origins: Origins, _ table: KeyTable) -> [String] {
        LayoutPrinter.lines(of: Layout(root: part(node, .map(table), origins).value))
    }

    private static func part(_ node: Node, _ shape: Shape, _ origins: Origins) -> Part {
        let shape = shape.variant(for: node.kind) ?? .free
        switch node {
        case .scalar(let scalar):
            return Part(
                value: .word(word(scalar, shape)), origin: origins.text, width: DisplayWidth.of(scalar.text) + 4)
        case .list(let list):
            var item = Shape.free
            if case .items(let inner, _) = shape { item = inner }
            let parts = list.items.enumerated().map { part($1, item, origins[$0]) }
            return group(parts, isMap: false, origins)
        case .map(let map):
            let parts = map.entries.map { entry in
                let (key, below) = reading(of: entry.key, shape)
                var part = part(entry.value, below, origins[entry.key.text])
                part.key = key
                return part
            }
            return group(parts, isMap: true, origins)
        }
    }

    /// A group with a single origin names it once if it is one line or contains single values; other groups name it per
    /// value.
    private static func group(_ parts: [Part], isMap: Bool, _ origins: Origins) -> Part {
        let first = parts.isEmpty ? origins.text : parts[0].origin
        let width = parts.reduce(2) { $0 + $1.width + DisplayWidth.of($1.key?.scalar.text ?? "") + 2 }
        let isShort = width <= longestGroup
        let isSingle = parts.allSatisfy { if case .word = $0.value { true } else { false } }
        let isUniform = (isShort || isSingle) && parts.allSatisfy { $0.origin == first }
        let entries = parts.map { part in
            var entry = Layout.Entry(key: part.key, value: part.value)
            if !isUniform, let origin = part.origin { add(origin, to: &entry) }
            return entry
        }
        let group = Layout.Group(isMap: isMap, isBracketed: isUniform && isShort, entries: entries)
        return Part(value: .group(group), origin: isUniform ? first : nil, width: width)
    }

    /// Adds a comment after a value, or after the key of a group with its own lines.
    private static func add(_ origin: String, to entry: inout Layout.Entry) {
        let remark = Layout.Remark(text: "# \(SourceExcerpt.visible(origin))", column: column)
        if case .group(let group) = entry.value, !group.isBracketed, entry.key != nil {
            entry.afterKey = remark
        } else {
            entry.trailing = remark
        }
    }

    /// A scalar with quotes only if they are needed.
    private static func word(_ scalar: Scalar, _ shape: Shape) -> Layout.Word {
        guard case .scalar(let rule) = shape, !(rule is ValueRule) else {
            // JSON distinguishes these by their form, YAML by the missing quotes.
            let isPlain = [.number, .boolean, .null].contains(scalar.form)
            return Layout.Word(scalar: isPlain ? Scalar(scalar.text, form: .plain) : scalar, reading: .free)
        }
        return Layout.Word(scalar: plain(scalar), reading: .rule(rule))
    }

    /// Keeps the quotes of an empty scalar, which would otherwise be no value.
    private static func plain(_ scalar: Scalar) -> Scalar {
        scalar.text.isEmpty ? scalar : Scalar(scalar.text, form: .plain)
    }

    private static func reading(of key: Scalar, _ shape: Shape) -> (key: Layout.Word, value: Shape) {
        switch shape {
        case .table(let table):
            guard let known = table().key(key.text) else { break }
            return (Layout.Word(scalar: key, reading: .key), known.shape)
        case .named(let names, let values) where !key.text.hasPrefix(KeyTable.freePrefix):
            return (Layout.Word(scalar: plain(key), reading: .rule(names)), values)
        default: break
        }
        return (Layout.Word(scalar: key, reading: .free), .free)
    }
}

/// The origins of the values of a tree: a file and line, a parameter, a template, or the default.
package indirect enum Origins: Hashable {
    /// A single origin for everything.
    case all(String)
    case keys([String: Origins], others: String)
    case items([Origins], others: String)

    package static let `default` = "default"

    /// The origins of a tree that was read: the locations of its values.
    ///
    /// - Parameter others: The origin of values that the tree does not have, or `nil` for the location of the tree itself.
    package init(of node: Node, others: String? = nil) {
        let own = Self.place(node)
        switch node {
        case .scalar: self = .all(own)
        case .list(let list): self = .items(list.items.map { Origins(of: $0, others: others) }, others: others ?? own)
        case .map(let map):
            let entries = map.entries.map { ($0.key.text, Origins(of: $0.value, others: others)) }
            self = .keys(Dictionary(entries) { first, _ in first }, others: others ?? own)
        }
    }

    package subscript(key: String) -> Origins {
        switch self {
        case .all: self
        case .keys(let keys, let others): keys[key] ?? .all(others)
        case .items(_, let others): .all(others)
        }
    }

    package subscript(index: Int) -> Origins {
        switch self {
        case .all: self
        case .items(let items, let others): items.indices.contains(index) ? items[index] : .all(others)
        case .keys(_, let others): .all(others)
        }
    }

    package var text: String {
        switch self {
        case .all(let text), .keys(_, let text), .items(_, let text): text
        }
    }

    /// The location of a value that was read, such as `cards.yaml:3`, preceded by the parameter that supplied it.
    package static func place(_ node: Node) -> String {
        guard case .scalar(let scalar) = node, let definition = scalar.definition else {
            return place(node.head) ?? Self.default
        }
        return ["params.\(definition.name)", place(definition.range)].compactMap(\.self).joined(separator: ", ")
    }

    /// A file and a line; for an option, which has no lines, only its name.
    package static func place(_ range: SourceRange?) -> String? {
        range.map { $0.file.name.hasPrefix("--") ? $0.file.name : "\($0.file.name):\($0.line)" }
    }
}
