/// Where the values of a tree come from: a file and its line, a parameter, a template, or what is usual.
indirect enum Origins: Hashable {
    /// All of it from one place.
    case all(String)
    /// The values of a map.
    case keys([String: Origins], others: String)
    /// The items of a list.
    case items([Origins], others: String)

    /// What nobody wrote and nothing else says.
    static let usual = "default"

    /// The origins of a tree that was read: the places where its values are written.
    ///
    /// - Parameter others: Where values come from that the tree does not have, or nothing for where it is written itself.
    init(of node: Node, others: String? = nil) {
        let own = Self.place(node)
        switch node {
        case .scalar: self = .all(own)
        case .list(let list): self = .items(list.items.map { Origins(of: $0, others: others) }, others: others ?? own)
        case .map(let map):
            let entries = map.entries.map { ($0.key.text, Origins(of: $0.value, others: others)) }
            self = .keys(Dictionary(entries) { first, _ in first }, others: others ?? own)
        }
    }

    /// The origins of what stands below a key.
    subscript(key: String) -> Origins {
        switch self {
        case .all: self
        case .keys(let keys, let others): keys[key] ?? .all(others)
        case .items(_, let others): .all(others)
        }
    }

    /// The origins of an item.
    subscript(index: Int) -> Origins {
        switch self {
        case .all: self
        case .items(let items, let others): items.indices.contains(index) ? items[index] : .all(others)
        case .keys(_, let others): .all(others)
        }
    }

    /// Where a single value comes from.
    var text: String {
        switch self {
        case .all(let text), .keys(_, let text), .items(_, let text): text
        }
    }

    /// The place of a value that was read: `cards.yaml:3`, before it the parameter that brought it.
    static func place(_ node: Node) -> String {
        guard case .scalar(let scalar) = node, let definition = scalar.definition else {
            return place(node.head) ?? usual
        }
        return ["params.\(definition.name)", place(definition.range)].compactMap(\.self).joined(separator: ", ")
    }

    /// A file and a line; of an option, which has no lines, its name alone.
    static func place(_ range: SourceRange?) -> String? {
        range.map { $0.file.name.hasPrefix("--") ? $0.file.name : "\($0.file.name):\($0.line)" }
    }
}
