import TapWire

/// The representation of a value in a file: its shape, and functions that read and write it.
package struct FieldForm<Value: Sendable>: Sendable {
    package let shape: Shape
    package let read: @Sendable (ValueReader) -> Value
    package let node: @Sendable (Value) -> Node

    package init(
        _ shape: Shape, read: @escaping @Sendable (ValueReader) -> Value, node: @escaping @Sendable (Value) -> Node
    ) {
        self.shape = shape
        self.read = read
        self.node = node
    }

    /// The form for values that are converted from and to this form's values.
    package func converted<Meant: Sendable>(
        _ meant: @escaping @Sendable (Value) -> Meant, back: @escaping @Sendable (Meant) -> Value
    ) -> FieldForm<Meant> {
        FieldForm<Meant>(shape, read: { meant(read($0)) }, node: { node(back($0)) })
    }
}

extension FieldForm where Value == Bool {
    package static var boolean: Self { Self(.boolean, read: \.boolean, node: Node.boolean) }
}

extension FieldForm where Value == String {
    package static var text: Self { text(.text) }

    package static func text(_ shape: Shape) -> Self { Self(shape, read: \.text, node: Node.text) }
}

extension FieldForm where Value == [UInt8] {
    package static func hex(_ counts: ClosedRange<Int>...) -> Self {
        Self(.scalar(HexRule(counts)), read: \.bytes) { .text(Hex.text($0, separator: " ")) }
    }
}

extension FieldForm where Value == Duration {
    package static var duration: Self {
        Self(.duration, read: \.duration) { .text(DurationRule.text($0)) }
    }
}

extension FieldForm where Value: FixedWidthInteger {
    package static func integer(_ bounds: ClosedRange<Int>) -> Self {
        Self(.integer(bounds), read: { Value(clamping: $0.integer) }, node: { .number($0) })
    }
}

extension FieldForm where Value: RawRepresentable<String> & CaseIterable {
    package static var word: Self {
        Self(.word(Value.self), read: { $0.word() }, node: { .text($0.rawValue) })
    }
}

extension FieldForm where Value: Equatable {
    /// A form with named values; a value without a name is written as the first one.
    ///
    /// - Parameter former: Names of earlier versions, with their current names.
    package static func words(_ words: KeyValuePairs<String, Value>, former: [String: String] = [:]) -> Self {
        let words = Array(words)
        return Self(.scalar(KeywordRule(words.map(\.key), former: former))) { reader in
            let word = former[reader.text] ?? reader.text
            return words.first { $0.key == word }?.value ?? words[0].value
        } node: { value in
            .text((words.first { $0.value == value } ?? words[0]).key)
        }
    }
}

extension FieldForm where Value: CustomStringConvertible {
    /// A value that a rule parses, written with its description.
    package static func rule<Rule: ScalarRule>(_ rule: Rule) -> Self where Rule.Value == Value {
        Self(.scalar(rule), read: { $0.read(Rule.self) }, node: { .text($0.description) })
    }
}

extension FieldForm where Value == ValueReader {
    /// A value that its reader interprets.
    package static func value(_ shape: Shape) -> Self { Self(shape, read: { $0 }, node: \.node) }
}

extension FieldForm {
    package static func map(_ table: FieldTable<Value>) -> Self {
        Self(.map(table.keys), read: { table.value($0.map) }, node: table.node)
    }

    package static func list<Item>(
        of item: FieldForm<Item>, count: ClosedRange<Int> = 0...Int.max
    ) -> Self where Value == [Item] {
        Self(.list(of: item.shape, count: count), read: { $0.items.map(item.read) }) { .list($0.map(item.node)) }
    }

    /// A list of items, or a single item in its place.
    package static func oneOrMore<Item>(
        of item: FieldForm<Item>, count: ClosedRange<Int>
    ) -> Self where Value == [Item] {
        Self(.variants([item.shape, .list(of: item.shape, count: count)])) {
            $0.itemsOrSelf.map(item.read)
        } node: {
            .list($0.map(item.node))
        }
    }
}

extension ValueReader {
    /// The items of a list, or a single value in its place.
    package var itemsOrSelf: [ValueReader] { kind == .list ? items : [self] }
}

/// A key with the type of its value, so that decoders need not repeat its name.
package struct TypedKey<Value: Sendable>: Sendable {
    package let key: Key
    fileprivate let form: FieldForm<Value>

    package init(
        _ name: String, _ form: FieldForm<Value>, _ summary: String, isRequired: Bool = false, standard: Value? = nil,
        synonyms: [String] = []
    ) {
        key = Key(
            name, form.shape, summary, isRequired: isRequired, standard: standard.flatMap { form.node($0).text },
            synonyms: synonyms)
        self.form = form
    }

    package var name: String { key.name }

    /// The value in a checked map, or `nil` if the key is omitted.
    package func value(in map: MapReader) -> Value? { reader(in: map).map(form.read) }

    /// The value with its location.
    package func reader(in map: MapReader) -> ValueReader? { map.node[key.name].map { ValueReader($0, key.shape) } }

    package func entry(_ value: Value) -> (key: String, value: Node) { (key.name, form.node(value)) }
}

extension MapReader {
    package subscript<Value>(key: TypedKey<Value>) -> Value? { key.value(in: self) }

    /// The value of a key that its table requires.
    package func required<Value>(_ key: TypedKey<Value>) -> Value {
        guard let value = self[key] else { preconditionFailure("`\(key.name)` is not required") }
        return value
    }
}

/// A key of a map and the property it stands for.
package struct Field<Owner: Sendable>: Sendable {
    fileprivate let name: String
    fileprivate let key: @Sendable (_ initial: Owner) -> Key
    fileprivate let read: @Sendable (ValueReader, inout Owner) -> Void
    fileprivate let node: @Sendable (Owner) -> Node?
    fileprivate var isReadFirst = false

    /// A property that always has a value; its initial value is the default unless the key is required.
    ///
    /// - Parameters:
    ///   - hasDefault: A Boolean value that indicates whether the initial value is the default.
    ///   - isWritten: Returns whether the key is written for an owner.
    package init<Value>(
        _ name: String, _ property: any WritableKeyPath<Owner, Value> & Sendable, _ form: FieldForm<Value>,
        _ summary: String, isRequired: Bool = false, hasDefault: Bool = true, synonyms: [String] = [],
        isWritten: @escaping @Sendable (Owner) -> Bool = { _ in true }
    ) {
        self.name = name
        key = { initial in
            let standard = isRequired || !hasDefault ? nil : form.node(initial[keyPath: property]).text
            return Key(
                name, form.shape, summary, isRequired: isRequired, standard: standard, synonyms: synonyms)
        }
        read = { $1[keyPath: property] = form.read($0) }
        node = { isWritten($0) ? form.node($0[keyPath: property]) : nil }
    }

    /// A property that is `nil` if the key is omitted.
    ///
    /// - Parameter standard: The default, or `nil` if omitting the key has its own meaning.
    package init<Value>(
        _ name: String, _ property: any WritableKeyPath<Owner, Value?> & Sendable, _ form: FieldForm<Value>,
        _ summary: String, standard: Value? = nil, synonyms: [String] = []
    ) {
        self.name = name
        key = { _ in
            Key(name, form.shape, summary, standard: standard.flatMap { form.node($0).text }, synonyms: synonyms)
        }
        read = { $1[keyPath: property] = form.read($0) }
        node = { $0[keyPath: property].map(form.node) }
    }

    /// A property that is `nil` if the key is omitted, with a key that other code uses as well.
    package init<Value>(_ key: TypedKey<Value>, _ property: any WritableKeyPath<Owner, Value?> & Sendable) {
        name = key.name
        self.key = { _ in key.key }
        read = { $1[keyPath: property] = key.form.read($0) }
        node = { $0[keyPath: property].map(key.form.node) }
    }

    /// A property that keeps its value if the key is omitted, with a key that other code uses as well.
    package init<Value>(_ key: TypedKey<Value>, _ property: any WritableKeyPath<Owner, Value> & Sendable) {
        name = key.name
        self.key = { _ in key.key }
        read = { $1[keyPath: property] = key.form.read($0) }
        node = { key.form.node($0[keyPath: property]) }
    }

    /// A property with its own keys, any of which a map may set.
    package init<Value>(
        _ name: String, _ property: any WritableKeyPath<Owner, Value> & Sendable, _ table: FieldTable<Value>,
        _ summary: String, synonyms: [String] = [], isWritten: @escaping @Sendable (Owner) -> Bool = { _ in true }
    ) {
        self.name = name
        key = { _ in Key(name, .map(table.keys), summary, synonyms: synonyms) }
        read = { table.read($0.map, into: &$1[keyPath: property]) }
        node = { isWritten($0) ? table.node($0[keyPath: property]) : nil }
    }

    /// The same key, read before keys that change parts of its value.
    package var readFirst: Field {
        var field = self
        field.isReadFirst = true
        return field
    }

    /// The key for an owner that contains this owner as a part.
    package func within<Whole: Sendable>(
        _ part: any WritableKeyPath<Whole, Owner> & Sendable
    ) -> Field<Whole> {
        Field<Whole>(name, key: { key($0[keyPath: part]) }, read: { read($0, &$1[keyPath: part]) }) {
            node($0[keyPath: part])
        }
    }

    private init(
        _ name: String, key: @escaping @Sendable (Owner) -> Key,
        read: @escaping @Sendable (ValueReader, inout Owner) -> Void, node: @escaping @Sendable (Owner) -> Node?
    ) {
        self.name = name
        self.key = key
        self.read = read
        self.node = node
    }

    /// A key whose value the reader of the map interprets.
    package init(_ key: TypedKey<ValueReader>, node: @escaping @Sendable (Owner) -> Node?) {
        name = key.name
        self.key = { _ in key.key }
        read = { _, _ in }
        self.node = node
    }
}

/// The keys of a map that stands for a value.
///
/// One declaration per key drives checking, reading, writing, the schema and the documentation.
///
/// ```swift
/// static let table = FieldTable(
///     "a map of limits", RunLimits(),
///     [
///         Field("wall", \.wall, .duration, "The maximum run time of the client.", synonyms: ["timeout"]),
///         Field("idle", \.idle, .duration, "The maximum idle time; no limit if omitted."),
///     ])
/// ```
package struct FieldTable<Owner: Sendable>: Sendable {
    /// The keys, for checking, the schema and the documentation.
    package let keys: KeyTable
    private let initial: Owner
    private let fields: [Field<Owner>]

    /// - Parameters:
    ///   - noun: The noun for a map with these keys, with its article.
    ///   - initial: The value of a map without keys.
    package init(
        _ noun: String, _ initial: Owner, _ groups: [Field<Owner>]..., exactlyOne: [String] = [],
        atMostOne: [String] = [], meant: (@Sendable (Node) -> String?)? = nil
    ) {
        let fields = groups.flatMap(\.self)
        keys = KeyTable(
            noun, fields.map { $0.key(initial) }, exactlyOne: exactlyOne, atMostOne: atMostOne, meant: meant)
        self.initial = initial
        self.fields = fields
    }

    package func value(_ map: MapReader?) -> Owner {
        var value = initial
        if let map { read(map, into: &value) }
        return value
    }

    /// Changes a value according to a map, in the order of the table, except for keys that are read first.
    package func read(_ map: MapReader, into value: inout Owner) {
        for field in fields.filter(\.isReadFirst) + fields.filter({ !$0.isReadFirst }) {
            if let written = map[field.name] { field.read(written, &value) }
        }
    }

    /// A value as a file writes it, complete except for what its fields omit.
    package func node(_ value: Owner) -> Node { .map(entries(value)) }

    package func entries(_ value: Owner) -> [(key: String, value: Node)] {
        fields.compactMap { field in field.node(value).map { (key: field.name, value: $0) } }
    }
}

/// A key of a map and its effect on a reader.
package struct KeyAction<Reader>: Sendable {
    package typealias Action = @Sendable (inout Reader, _ value: ValueReader, _ key: String) -> Void

    fileprivate let key: Key
    fileprivate let action: Action

    package init(_ key: Key, _ action: @escaping Action) {
        self.key = key
        self.action = action
    }

    package init(_ name: String, _ shape: Shape, _ summary: String, synonyms: [String] = [], _ action: @escaping Action)
    {
        self.init(Key(name, shape, summary, synonyms: synonyms), action)
    }
}

/// The keys of a map, each with an effect on a reader, applied in the order of the file.
package struct ActionTable<Reader>: Sendable {
    package let keys: KeyTable
    private let actions: [String: KeyAction<Reader>.Action]

    package init(_ noun: String, _ entries: [KeyAction<Reader>]) {
        keys = KeyTable(noun, entries.map(\.key))
        actions = Dictionary(uniqueKeysWithValues: entries.map { ($0.key.name, $0.action) })
    }

    package func read(_ map: MapReader, into reader: inout Reader) {
        for (name, value) in map.entries { actions[name]?(&reader, value, name) }
    }
}
