/// How a property stands in a file: its shape, and how it is read and written.
package struct FieldForm<Value: Sendable>: Sendable {
    fileprivate let shape: Shape
    fileprivate let read: @Sendable (ValueReader) -> Value
    fileprivate let node: @Sendable (Value) -> Node

    package init(
        _ shape: Shape, read: @escaping @Sendable (ValueReader) -> Value, node: @escaping @Sendable (Value) -> Node
    ) {
        self.shape = shape
        self.read = read
        self.node = node
    }
}

extension FieldForm where Value == Bool {
    package static var boolean: Self { Self(.boolean, read: \.boolean, node: Node.boolean) }
}

extension FieldForm where Value == String {
    package static var text: Self { Self(.text, read: \.text, node: Node.text) }
}

extension FieldForm where Value == Duration {
    package static var duration: Self {
        Self(.duration, read: \.duration) { .text(DurationRule.text($0)) }
    }
}

extension FieldForm where Value: FixedWidthInteger {
    package static func integer(_ bounds: ClosedRange<Int>) -> Self {
        Self(.integer(bounds), read: { Value(clamping: $0.integer) }, node: Node.number)
    }
}

extension FieldForm where Value: RawRepresentable<String> & CaseIterable {
    /// One of the words of an enumeration.
    package static var word: Self {
        Self(.word(Value.self), read: { $0.word() }, node: { .text($0.rawValue) })
    }
}

extension FieldForm {
    /// A map with keys of its own.
    package static func map(_ table: FieldTable<Value>) -> Self {
        Self(.map(table.keys), read: { table.value($0.map) }, node: table.node)
    }
}

/// A key of a map and the property it stands for.
package struct Field<Owner: Sendable>: Sendable {
    fileprivate let name: String
    fileprivate let key: @Sendable (_ initial: Owner) -> Key
    fileprivate let read: @Sendable (ValueReader, inout Owner) -> Void
    fileprivate let node: @Sendable (Owner) -> Node?

    /// A property that always has a value; what it is in a new owner holds where the key is not written, unless the map
    /// means nothing without it.
    package init<Value>(
        _ name: String, _ property: any WritableKeyPath<Owner, Value> & Sendable, _ form: FieldForm<Value>,
        _ summary: String, isRequired: Bool = false, synonyms: [String] = []
    ) {
        self.name = name
        key = { initial in
            let standard = isRequired ? nil : form.node(initial[keyPath: property]).text
            return Key(
                name, form.shape, summary, isRequired: isRequired, standard: standard, synonyms: synonyms)
        }
        read = { $1[keyPath: property] = form.read($0) }
        node = { form.node($0[keyPath: property]) }
    }

    /// A property that is `nil` where the key is not written.
    ///
    /// - Parameter standard: What holds then, as a file writes it; `nil` where its absence has a meaning of its own.
    package init<Value>(
        _ name: String, _ property: any WritableKeyPath<Owner, Value?> & Sendable, _ form: FieldForm<Value>,
        _ summary: String, standard: String? = nil, synonyms: [String] = []
    ) {
        self.name = name
        key = { _ in Key(name, form.shape, summary, standard: standard, synonyms: synonyms) }
        read = { $1[keyPath: property] = form.read($0) }
        node = { $0[keyPath: property].map(form.node) }
    }

    /// A key whose reading needs more than its value, and so is done by whoever reads the map.
    package init(_ key: Key, node: @escaping @Sendable (Owner) -> Node?) {
        name = key.name
        self.key = { _ in key }
        read = { _, _ in }
        self.node = node
    }
}

/// The keys of a map that stands for a value, each declared once: checking, reading, writing, the schema and the page of
/// keys follow.
///
/// ```swift
/// static let table = FieldTable(
///     "a map of limits", RunLimits(),
///     [
///         Field("wall", \.wall, .duration, "How long the client may run.", synonyms: ["timeout"]),
///         Field("idle", \.idle, .duration, "How long it may do nothing; no bound without it."),
///     ])
/// ```
package struct FieldTable<Owner: Sendable>: Sendable {
    /// The keys, for checking, the schema and the page.
    package let keys: KeyTable
    private let initial: Owner
    private let fields: [Field<Owner>]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - noun: What a map with these keys is, with its article.
    ///   - initial: The value of a map without keys.
    ///   - fields: The keys.
    package init(_ noun: String, _ initial: Owner, _ fields: [Field<Owner>]) {
        keys = KeyTable(noun, fields.map { $0.key(initial) })
        self.initial = initial
        self.fields = fields
    }

    /// The value that a map states.
    package func value(_ map: MapReader?) -> Owner {
        var value = initial
        for field in fields { if let written = map?[field.name] { field.read(written, &value) } }
        return value
    }

    /// A value as a file writes it, nothing left out.
    package func node(_ value: Owner) -> Node {
        .map(fields.compactMap { field in field.node(value).map { (key: field.name, value: $0) } })
    }
}
