/// A value of a document: a scalar, a list or a map.
///
/// The same tree comes from YAML and from JSON, and is built by programs that write JSON. A node that was read knows
/// the file and the place it came from and keeps knowing them when trees are put together from several files. Two
/// nodes are equal when they say the same, wherever they stand.
///
/// ```swift
/// let node: Node = ["command": "felica.read", "blocks": [0, 1], "reply": .null]
/// ```
public enum Node: Hashable, Sendable {
    /// One value: text, a number, true, false or null.
    case scalar(Scalar)
    /// Values in order; YAML calls it a sequence, JSON an array.
    case list(NodeList)
    /// Named values in order; YAML calls it a mapping, JSON an object.
    case map(NodeMap)
}

/// What a node is, whatever it holds.
public enum NodeKind: Hashable, Sendable, CaseIterable {
    /// One value.
    case scalar
    /// Values in order.
    case list
    /// Named values in order.
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

    /// Its place, or `nil` if a program built it.
    public var range: SourceRange? {
        switch self {
        case .scalar(let scalar): scalar.range
        case .list(let list): list.range
        case .map(let map): map.range
        }
    }

    /// Where an error about the whole node points: the first key or item if it covers several lines.
    package var head: SourceRange? {
        guard let range, range.end > range.file.offsets(ofLine: range.line).upperBound else { return range }
        switch self {
        case .scalar: return range
        case .list(let list): return list.items.first?.head ?? range
        case .map(let map): return map.entries.first?.key.range ?? range
        }
    }

    /// The text of a scalar; `nil` for lists and maps.
    public var text: String? {
        guard case .scalar(let scalar) = self else { return nil }
        return scalar.text
    }

    /// The items of a list; none for scalars and maps.
    public var items: [Node] {
        guard case .list(let list) = self else { return [] }
        return list.items
    }

    /// The entries of a map; none for scalars and lists.
    public var entries: [NodeMap.Entry] {
        guard case .map(let map) = self else { return [] }
        return map.entries
    }

    /// The value of a key, or `nil` if this is no map or has no such key.
    public subscript(key: String) -> Node? {
        guard case .map(let map) = self else { return nil }
        return map[key]
    }

    /// The item at an index, or `nil` if this is no list or has no such item.
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

    /// A number, in the fewest digits that read back as the same number; null for infinities and what is no number.
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

    /// A map; keys without a value are left out, and of a key given twice the first stays.
    public static func map(_ entries: KeyValuePairs<String, Node?>) -> Node {
        .map(NodeMap(entries.compactMap { key, value in value.map { NodeMap.Entry(Scalar(key), $0) } }))
    }

    /// A map of entries that are computed.
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
