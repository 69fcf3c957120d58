import TapWire

/// A checked value, ready for decoding.
///
/// Readers exist only after a check without errors, so reading cannot fail. Reading something that the key table does not
/// declare is a programming error and traps.
public struct ValueReader: Sendable {
    /// The node, for its location and for values with a free shape.
    public let node: Node
    private let shape: Shape

    /// Creates a reader for a node that was checked against a shape.
    init(_ node: Node, _ shape: Shape) {
        self.node = node
        self.shape = shape.variant(for: node.kind) ?? shape
    }

    /// The kind of the written value, if the shape has variants.
    public var kind: NodeKind { node.kind }

    public func read<Rule: ScalarRule>(_ type: Rule.Type = Rule.self) -> Rule.Value {
        guard case .scalar(let any) = shape, let rule = any as? Rule, let text = node.text,
            let value = try? rule.parse(text)
        else { preconditionFailure("the key table has no \(type) here but \(shape.noun)") }
        return value
    }

    public var text: String {
        guard case .scalar(let scalar) = node else { preconditionFailure("\(kind.noun) has no text") }
        return scalar.text
    }

    public var bytes: [UInt8] { read(HexRule.self) }
    public var code: UInt16 { read(CodeRule.self) }
    public var integer: Int { read(IntegerRule.self) }
    public var boolean: Bool { read(BooleanRule.self) }
    public var duration: Duration { read(DurationRule.self) }
    package var date: CalendarDate { read(DateRule.self) }

    /// A word as a value of the enumeration that defines the shape.
    public func word<Word: RawRepresentable<String>>(as type: Word.Type = Word.self) -> Word {
        guard let word = Word(rawValue: read(KeywordRule.self)) else { preconditionFailure("\(type) has no `\(text)`") }
        return word
    }

    public var items: [ValueReader] {
        guard case .items(let item, _) = shape else { preconditionFailure("\(shape.noun) is not a list") }
        return node.items.map { ValueReader($0, item) }
    }

    public var map: MapReader {
        guard case .table(let table) = shape, case .map(let map) = node else {
            preconditionFailure("\(shape.noun) has no key table")
        }
        return MapReader(map, table())
    }

    /// The names and values of a map with arbitrary names, in the order of the file.
    public var named: [(name: ValueReader, value: ValueReader)] {
        guard case .named(let names, let values) = shape else { preconditionFailure("\(shape.noun) has no names") }
        return node.entries.filter { !$0.key.text.hasPrefix(KeyTable.freePrefix) }.map { entry in
            (ValueReader(.scalar(entry.key), .scalar(names)), ValueReader(entry.value, values))
        }
    }
}

/// A checked map with the keys of a table, ready for decoding.
public struct MapReader: Sendable {
    /// The map, for locations and for custom keys.
    public let node: NodeMap
    private let table: KeyTable

    init(_ node: NodeMap, _ table: KeyTable) {
        self.node = node
        self.table = table
    }

    /// The value of a key, or `nil` if the key is omitted.
    public subscript(name: String) -> ValueReader? {
        let key = key(name)
        return node[name].map { ValueReader($0, key.shape) }
    }

    /// The value of a key that the table requires.
    public func required(_ name: String) -> ValueReader {
        guard key(name).isRequired, let value = self[name] else {
            preconditionFailure("\(table.noun) does not require `\(name)`")
        }
        return value
    }

    /// The chosen key among those of which the table requires exactly one, as a value of an enumeration, with its value.
    public func chosen<Choice: RawRepresentable<String>>(
        as type: Choice.Type = Choice.self
    ) -> (choice: Choice, value: ValueReader) {
        guard let name = node.entries.map(\.key.text).first(where: table.exactlyOne.contains), let value = self[name],
            let choice = Choice(rawValue: name)
        else { preconditionFailure("\(table.noun) has no choice of \(type)") }
        return (choice, value)
    }

    /// The keys of the table that the file writes, in the order of the file.
    public var entries: [(name: String, value: ValueReader)] {
        node.entries.compactMap { entry in
            table.key(entry.key.text).map { (entry.key.text, ValueReader(entry.value, $0.shape)) }
        }
    }

    private func key(_ name: String) -> Key {
        guard let key = table.key(name), key.notYet == nil else {
            preconditionFailure("\(table.noun) has no key `\(name)`")
        }
        return key
    }
}
