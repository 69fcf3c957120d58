/// A checked map with the keys of a table, ready to be decoded.
public struct MapReader: Sendable {
    /// The map, for places and for keys of everybody's own.
    public let node: NodeMap
    private let table: KeyTable

    init(_ node: NodeMap, _ table: KeyTable) {
        self.node = node
        self.table = table
    }

    /// The value of a key, or nothing if the file does not write it.
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

    /// The one key of those of which the table wants exactly one, as a value of an enumeration, and what it holds.
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
