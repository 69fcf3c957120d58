/// A value of a document: a scalar, a list or a map.
///
/// YAML and JSON produce the same tree, and programs build trees to write JSON. A node that was read from a file keeps its
/// location, even if trees are composed from several files. Nodes are equal if their values are, regardless of location.
///
/// ```swift
/// let node: Node = ["command": "felica.read", "blocks": [0, 1], "reply": .null]
/// ```
public enum Node: Hashable, Sendable {
    /// A single value: text, a number, true, false or null.
    case scalar(Scalar)
    /// Values in order: a sequence in YAML, an array in JSON.
    case list(NodeList)
    /// Named values in order: a mapping in YAML, an object in JSON.
    case map(NodeMap)
}

/// The kind of a node, regardless of its value.
public enum NodeKind: Hashable, Sendable, CaseIterable {
    case scalar
    case list
    case map

    public var noun: String {
        switch self {
        case .scalar: "a single value"
        case .list: "a list"
        case .map: "a map"
        }
    }
}

extension Node {
    public var kind: NodeKind {
        switch self {
        case .scalar: .scalar
        case .list: .list
        case .map: .map
        }
    }

    /// The location, or `nil` if a program built the node.
    public var range: SourceRange? {
        switch self {
        case .scalar(let scalar): scalar.range
        case .list(let list): list.range
        case .map(let map): map.range
        }
    }

    /// The location for errors about the whole node: the first key or item if it spans several lines.
    package var head: SourceRange? {
        guard let range, range.end > range.file.offsets(ofLine: range.line).upperBound else { return range }
        switch self {
        case .scalar: return range
        case .list(let list): return list.items.first?.head ?? range
        case .map(let map): return map.entries.first?.key.range ?? range
        }
    }

    /// The text of a scalar, or `nil` for lists and maps.
    public var text: String? {
        guard case .scalar(let scalar) = self else { return nil }
        return scalar.text
    }

    /// The items of a list; empty for scalars and maps.
    public var items: [Node] {
        guard case .list(let list) = self else { return [] }
        return list.items
    }

    /// The entries of a map; empty for scalars and lists.
    public var entries: [NodeMap.Entry] {
        guard case .map(let map) = self else { return [] }
        return map.entries
    }

    /// The value of a key, or `nil` if this is not a map or has no such key.
    public subscript(key: String) -> Node? {
        guard case .map(let map) = self else { return nil }
        return map[key]
    }

    /// The item at an index, or `nil` if this is not a list or has no such item.
    public subscript(index: Int) -> Node? {
        items.indices.contains(index) ? items[index] : nil
    }
}

extension Node {
    public static func text(_ text: String) -> Node {
        .scalar(Scalar(text))
    }

    public static func number(_ value: some BinaryInteger) -> Node {
        .scalar(Scalar("\(value)", form: .number))
    }

    /// A number with the fewest digits that read back as the same number; null for infinities and NaN.
    public static func number(_ value: Double) -> Node {
        value.isFinite ? .scalar(Scalar("\(value)", form: .number)) : .null
    }

    public static func boolean(_ value: Bool) -> Node {
        .scalar(Scalar(value ? "true" : "false", form: .boolean))
    }

    public static let null = Node.scalar(Scalar("null", form: .null))

    public static func list(_ items: [Node]) -> Node {
        .list(NodeList(items))
    }

    /// A map without entries that have no value; of duplicate keys, the first counts.
    public static func map(_ entries: KeyValuePairs<String, Node?>) -> Node {
        .map(NodeMap(entries.compactMap { key, value in value.map { NodeMap.Entry(Scalar(key), $0) } }))
    }

    public static func map(_ entries: [(key: String, value: Node)]) -> Node {
        .map(NodeMap(entries.map { NodeMap.Entry(Scalar($0.key), $0.value) }))
    }
}

extension Node: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral value: String) {
        self = .text(value)
    }

    public init(integerLiteral value: Int) {
        self = .number(value)
    }

    public init(booleanLiteral value: Bool) {
        self = .boolean(value)
    }
}

extension Node: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    public init(arrayLiteral elements: Node...) {
        self = .list(elements)
    }

    public init(dictionaryLiteral elements: (String, Node)...) {
        self = .map(elements.map { (key: $0.0, value: $0.1) })
    }
}
