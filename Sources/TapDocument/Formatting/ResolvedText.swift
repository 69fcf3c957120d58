/// A case that is written out as a scenario file, with a comment behind each value that says where it comes from.
package struct ResolvedText {
    /// The column in which comments begin where they fit.
    private static let column = 81
    /// Most columns of a map or list that stands in brackets, so that its comment fits beside it.
    private static let longestGroup = 64

    /// A value with what is known of it and all below it.
    private struct Part {
        let value: Layout.Value
        /// The origin of all of it; `nil` where its values have several.
        let origin: String?
        /// Columns it takes on one line, about.
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

    /// A group of one origin tells it once where it is one line or holds single values; every other, value by value.
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

    /// Puts a comment behind a value, or behind the key of a group that fills lines of its own.
    private static func add(_ origin: String, to entry: inout Layout.Entry) {
        let remark = Layout.Remark(text: "# \(SourceExcerpt.visible(origin))", column: column)
        if case .group(let group) = entry.value, !group.isBracketed, entry.key != nil {
            entry.behindKey = remark
        } else {
            entry.behind = remark
        }
    }

    /// A scalar with quotes only where they are needed.
    private static func word(_ scalar: Scalar, _ shape: Shape) -> Layout.Word {
        guard case .scalar(let rule) = shape, !(rule is ValueRule) else {
            // JSON tells these by their form, YAML by the missing quotes.
            let isPlain = [.number, .boolean, .null].contains(scalar.form)
            return Layout.Word(scalar: isPlain ? Scalar(scalar.text, form: .plain) : scalar, reading: .free)
        }
        return Layout.Word(scalar: plain(scalar), reading: .rule(rule))
    }

    /// Without anything between its quotes a scalar would be no value.
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

/// Where the values of a tree come from: a file and its line, a parameter, a template, or the default.
package indirect enum Origins: Hashable {
    /// All of it from one place.
    case all(String)
    case keys([String: Origins], others: String)
    case items([Origins], others: String)

    /// The origin of a value that was not written.
    package static let `default` = "default"

    /// The origins of a tree that was read: the places where its values are written.
    ///
    /// - Parameter others: Where values come from that the tree does not have, or `nil` for where it is written itself.
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

    /// Where a single value comes from.
    package var text: String {
        switch self {
        case .all(let text), .keys(_, let text), .items(_, let text): text
        }
    }

    /// The place of a value that was read: `cards.yaml:3`, before it the parameter that brought it.
    package static func place(_ node: Node) -> String {
        guard case .scalar(let scalar) = node, let definition = scalar.definition else {
            return place(node.head) ?? Self.default
        }
        return ["params.\(definition.name)", place(definition.range)].compactMap(\.self).joined(separator: ", ")
    }

    /// A file and a line; of an option, which has no lines, its name alone.
    package static func place(_ range: SourceRange?) -> String? {
        range.map { $0.file.name.hasPrefix("--") ? $0.file.name : "\($0.file.name):\($0.line)" }
    }
}
