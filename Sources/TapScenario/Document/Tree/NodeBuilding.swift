extension Node {
    /// A string.
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

    /// Null.
    public static let null = Node.scalar(Scalar("null", form: .null))

    /// A list.
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
    /// A string.
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
    /// A list.
    public init(arrayLiteral elements: Node...) {
        self = .list(elements)
    }

    /// A map, in the order of the literal.
    public init(dictionaryLiteral elements: (String, Node)...) {
        self = .map(elements.map { (key: $0.0, value: $0.1) })
    }
}
