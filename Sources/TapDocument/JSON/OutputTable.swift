/// The keys of an object that `--json` prints, with one row for each.
///
/// The output, its schema and its documentation are generated from the rows.
///
/// ```swift
/// extension Warning: OutputModel {
///     static let output = OutputTable<Self>(
///         "warning", "A warning", .always("warning", "What is odd", \.text), .maybe("hint", "What to look at", \.hint))
/// }
/// ```
package struct OutputTable<Model>: Sendable {
    package struct Row: Sendable {
        fileprivate let key: OutputObject.Key
        fileprivate let value: @Sendable (Model) -> Node?
        /// Writes a list item by item, so that a long list is never kept in memory.
        fileprivate var stream: (@Sendable (Model, inout JSONWriter.Stream) -> Void)?
        /// A Boolean value that indicates whether the items of the list are written separately, as they arise.
        fileprivate var isOpen = false
    }

    fileprivate let rows: [Row]
    /// The keys without their values.
    package let object: OutputObject

    /// - Parameter rows: Groups of rows: one row each, or the rows of a part.
    package init(_ name: String, _ title: String, _ rows: [Row]...) {
        let rows = rows.flatMap(\.self)
        self.rows = rows
        object = OutputObject(name: name, title: title, keys: rows.map(\.key))
    }

    package var shape: OutputShape { .object(object) }

    package func node(_ model: Model) -> Node { .map(entries(model)) }

    package func entries(_ model: Model) -> [(key: String, value: Node)] {
        rows.compactMap { row in row.value(model).map { (key: row.key.name, value: $0) } }
    }

    /// Writes an object without keeping its long lists in memory.
    package func write(_ model: Model, to stream: inout JSONWriter.Stream) {
        stream.beginMap()
        add(rows[...], of: model, to: &stream)
        stream.end()
    }

    /// Writes all keys before the open list, and begins the list.
    package func begin(_ model: Model, in stream: inout JSONWriter.Stream) {
        let end = rows.firstIndex(where: \.isOpen) ?? rows.endIndex
        add(rows[..<end], of: model, to: &stream)
        stream.beginList(rows[end].key.name)
    }

    /// Ends the open list, writes all keys after it, and ends the object.
    package func end(_ model: Model, in stream: inout JSONWriter.Stream) {
        stream.end()
        add(rows.drop { !$0.isOpen }.dropFirst(), of: model, to: &stream)
        stream.end()
    }

    private func add(_ rows: ArraySlice<Row>, of model: Model, to stream: inout JSONWriter.Stream) {
        for row in rows {
            if let write = row.stream {
                write(model, &stream)
            } else if let value = row.value(model) {
                stream.add(value, row.key.name)
            }
        }
    }

    /// The same rows for an object that includes the keys of one of its parts.
    package func rows<Whole>(of part: @escaping @Sendable (Whole) -> Model) -> [OutputTable<Whole>.Row] {
        rows.map { row in OutputTable<Whole>.Row(key: row.key, value: { row.value(part($0)) }) }
    }
}

extension Array {
    /// A key that is always present.
    package static func always<Model, Value: OutputValue>(
        _ name: String, _ summary: String, as shape: OutputShape = Value.outputShape,
        _ value: @escaping @Sendable (Model) -> Value
    ) -> Self where Element == OutputTable<Model>.Row {
        [Element(key: .init(name: name, shape: shape, summary: summary, isOptional: false)) { value($0).node }]
    }

    /// A key that is omitted if there is no value.
    package static func maybe<Model, Value: OutputValue>(
        _ name: String, _ summary: String, as shape: OutputShape = Value.outputShape,
        _ value: @escaping @Sendable (Model) -> Value?
    ) -> Self where Element == OutputTable<Model>.Row {
        [Element(key: .init(name: name, shape: shape, summary: summary, isOptional: true)) { value($0)?.node }]
    }

    /// A text or a list that is omitted if it is empty.
    package static func filled<Model, Value: OutputValue & Collection>(
        _ name: String, _ summary: String, as shape: OutputShape = Value.outputShape,
        _ value: @escaping @Sendable (Model) -> Value
    ) -> Self where Element == OutputTable<Model>.Row {
        maybe(name, summary, as: shape) { model -> Value? in
            let value = value(model)
            return value.isEmpty ? nil : value
        }
    }

    /// A potentially long list, which ``OutputTable/write(_:to:)`` writes item by item.
    package static func each<Model, Items: Sequence & SendableMetatype>(
        _ name: String, _ summary: String, _ items: @escaping @Sendable (Model) -> Items
    ) -> Self where Items.Element: OutputValue, Element == OutputTable<Model>.Row {
        var rows = always(name, summary, as: .list(Items.Element.outputShape)) { items($0).map(\.node) }
        rows[0].stream = { (model, stream: inout JSONWriter.Stream) in
            stream.beginList(name)
            for item in items(model) { stream.add(item.node) }
            stream.end()
        }
        return rows
    }

    /// A list whose items the caller writes between ``OutputTable/begin(_:in:)`` and ``OutputTable/end(_:in:)``.
    package static func open<Model>(_ name: String, of item: OutputShape, _ summary: String) -> Self
    where Element == OutputTable<Model>.Row {
        var rows = always(name, summary, as: .list(item)) { _ in [Node]() }
        rows[0].isOpen = true
        return rows
    }
}

/// A value that `--json` prints.
package protocol OutputValue: SendableMetatype {
    static var outputShape: OutputShape { get }
    var node: Node { get }
}

/// A value that `--json` prints as an object with the keys of a table.
package protocol OutputModel: OutputValue {
    static var output: OutputTable<Self> { get }
}

extension OutputModel {
    package static var outputShape: OutputShape { output.shape }
    package var node: Node { Self.output.node(self) }
}

extension OutputValue where Self: BinaryInteger {
    package static var outputShape: OutputShape { .number }
    package var node: Node { .number(self) }
}

/// A fixed set of names, all of which the documentation lists.
extension OutputValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    package static var outputShape: OutputShape { .word(allCases.map(\.rawValue)) }
    package var node: Node { .text(rawValue) }
}

extension Int: OutputValue {}
extension Int32: OutputValue {}
extension Int64: OutputValue {}
extension UInt64: OutputValue {}

extension Double: OutputValue {
    package static var outputShape: OutputShape { .decimal }
    package var node: Node { .number(self) }
}

extension Bool: OutputValue {
    package static var outputShape: OutputShape { .flag }
    package var node: Node { .boolean(self) }
}

extension String: OutputValue {
    package static var outputShape: OutputShape { .text }
    package var node: Node { .text(self) }
}

extension Node: OutputValue {
    package static var outputShape: OutputShape { .any("any JSON") }
    package var node: Node { self }
}

extension Array: OutputValue where Element: OutputValue {
    package static var outputShape: OutputShape { .list(Element.outputShape) }
    package var node: Node { .list(map(\.node)) }
}

extension Optional: OutputValue where Wrapped: OutputValue {
    package static var outputShape: OutputShape { .either([Wrapped.outputShape, .null]) }
    package var node: Node { self?.node ?? .null }
}

/// A map whose keys are names, in order.
package struct OutputMap<Value: OutputValue>: OutputValue {
    private let entries: [(key: String, value: Value)]

    package init(_ entries: some Sequence<(String, Value)>) {
        self.entries = entries.map { (key: $0.0, value: $0.1) }
    }

    package static var outputShape: OutputShape { .map(Value.outputShape) }
    package var node: Node { .map(entries.map { (key: $0.key, value: $0.value.node) }) }
}
