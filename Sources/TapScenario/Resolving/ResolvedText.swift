/// A case that is written out as a scenario file, with a comment behind each value that says where it comes from.
struct ResolvedText {
    /// The column in which comments begin where they fit.
    private static let column = 81
    /// Most columns of a map or list that stands in brackets, so that its comment fits beside it.
    private static let longestGroup = 64

    /// A value with what is known of it and all below it.
    private struct Part {
        let value: Layout.Value
        /// The origin of all of it; nothing where it tells several, value by value.
        let origin: String?
        /// Columns it takes on one line, about.
        let width: Int
        var key: Layout.Word?
    }

    /// The lines of a tree with the keys of a table.
    static func lines(of node: Node, _ origins: Origins, _ table: KeyTable) -> [String] {
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
            // What JSON knows by its form, YAML knows by the missing quotes.
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

extension ScenarioCase {
    /// The case as a scenario file of its own in YAML, behind each value where it comes from; ends with a line break.
    ///
    /// Loading it gives an equal case. A comment names a file and line, before them the parameter that brought the
    /// value, a template, the IC, the seed, or `default`; one behind a key is about all below it.
    public var resolvedText: String {
        let title = name.map { ": \(SourceExcerpt.visible($0))" } ?? ""
        let lines = ["# Case \(number) of \(SourceExcerpt.visible(file))\(title)"]
        return (lines + ResolvedText.lines(of: resolved, CaseOrigins(self).origins, ScenarioLoader.table))
            .map { $0 + "\n" }.joined()
    }
}
