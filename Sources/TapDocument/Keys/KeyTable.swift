import TapWire

/// A key of a map: its name, its shape and its summary.
public struct Key: Sendable {
    public let name: String
    public let shape: Shape
    public let summary: String
    public let isRequired: Bool
    /// Other names that people use for it, tried before spelling corrections.
    public let synonyms: [String]
    /// The default as files write it, or `nil` if omitting the key has its own meaning.
    public let standard: String?
    /// The reason why a key of the format is rejected, as a clause, or `nil` for supported keys.
    public let notYet: String?

    public init(
        _ name: String, _ shape: Shape, _ summary: String, isRequired: Bool = false, standard: String? = nil,
        synonyms: [String] = []
    ) {
        self.init(name, shape, summary, isRequired, standard, synonyms, notYet: nil)
    }

    /// A key of the format that is rejected for now; the reason is a clause.
    public init(_ name: String, notYet reason: String) {
        self.init(name, .free, "", false, nil, [], notYet: reason)
    }

    private init(
        _ name: String, _ shape: Shape, _ summary: String, _ isRequired: Bool, _ standard: String?,
        _ synonyms: [String], notYet: String?
    ) {
        self.name = name
        self.shape = shape
        self.summary = summary
        self.isRequired = isRequired
        self.standard = standard
        self.synonyms = synonyms
        self.notYet = notYet
    }
}

/// The keys of a map, the single source for checking, decoding and the JSON Schema.
///
/// Read a map with ``read(_:into:)``. It checks everything under the node and, if there is no error, returns a ``MapReader``,
/// from which decoding is short and cannot fail.
///
/// ```swift
/// enum Protection: String, CaseIterable { case write, readWrite = "read_write" }
///
/// let config = KeyTable("an NTAG configuration", [
///     Key("pwd", .hex(4), "The password.", synonyms: ["password"]),
///     Key("prot", .word(Protection.self), "What the password protects.", synonyms: ["readonly"]),
/// ])
/// let tag = KeyTable("a tag", [
///     Key("uid", .hex(4, 7), "The identifier.", isRequired: true),
///     Key("pages", .list(of: .hex(4)), "User pages from page 4 on."),
///     Key("gap", .duration, "How long the tag is away."),
///     Key("config", .map(config), "Password and counters."),
/// ])
///
/// guard let map = tag.read(node, into: &diagnostics) else { return }
/// let uid = map.required("uid").bytes
/// let pages = map["pages"]?.items.map(\.bytes) ?? []
/// let gap = map["gap"]?.duration ?? .zero
/// let protection = map["config"]?.map["prot"]?.word(as: Protection.self) ?? .write
/// ```
public struct KeyTable: Sendable {
    /// The noun for a map with these keys, with its article, such as `a case`.
    ///
    /// It identifies the table in errors and in the schema, so it must be unique within a language.
    public let noun: String
    /// The keys, in the order in which errors and the schema list them.
    public let keys: [Key]
    /// Keys of which a map has exactly one; empty if there is no such rule.
    public let exactlyOne: [String]
    /// Keys of which a map has at most one; empty if there is no such rule.
    public let atMostOne: [String]
    /// Suggests a replacement for a node that is not a map, such as `{run: [./kiosk]}` for `./kiosk`.
    let meant: (@Sendable (Node) -> String?)?
    private let indices: [String: Int]

    public init(
        _ noun: String, _ keys: [Key], exactlyOne: [String] = [], atMostOne: [String] = [],
        meant: (@Sendable (Node) -> String?)? = nil
    ) {
        self.noun = noun
        self.keys = keys
        self.exactlyOne = exactlyOne
        self.atMostOne = atMostOne
        self.meant = meant
        var indices: [String: Int] = [:]
        for (index, key) in keys.enumerated() {
            precondition(indices.updateValue(index, forKey: key.name) == nil, "\(noun) has `\(key.name)` twice")
        }
        for name in exactlyOne + atMostOne { precondition(indices[name] != nil, "\(noun) has no key `\(name)`") }
        self.indices = indices
    }

    /// Creates a table for maps with a single key, such as `{felica.status: …}`.
    public init(_ noun: String, oneOf keys: [Key]) {
        self.init(noun, keys, exactlyOne: keys.filter { $0.notYet == nil }.map(\.name))
    }

    public func key(_ name: String) -> Key? {
        indices[name].map { keys[$0] }
    }

    /// The prefix of custom keys, which are kept in the tree and not checked.
    public static let freePrefix = "x-"

    /// Checks a node and everything under it.
    ///
    /// - Returns: The map, ready for decoding, or `nil` if this check reported an error. Warnings and earlier errors do not
    ///   count.
    public func read(_ node: Node, into diagnostics: inout Diagnostics) -> MapReader? {
        Shape.table { self }.read(node, into: &diagnostics)?.map
    }
}

/// A command with its arguments, as YAML.
package enum CommandList {
    /// A list in brackets, with quotes around all words but plain ones.
    package static func list(_ words: [String]) -> String {
        let written = words.map { word in
            let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-/".contains($0)) }
            return isPlain && !word.hasPrefix("-") ? word : JSONWriter.text(.text(word))
        }
        return "[\(written.joined(separator: ", "))]"
    }
}

public indirect enum Shape: Sendable {
    case scalar(any ScalarRule)
    /// A list of items with the same shape, and their allowed number.
    case items(Shape, count: ClosedRange<Int>)
    /// A map with the keys of a table, which is created on demand so that tables can be recursive.
    case table(@Sendable () -> KeyTable)
    /// A map from names, which a rule parses, to values with the same shape.
    case named(any ScalarRule, Shape)
    /// Alternative shapes for single values, lists and maps, at most one for each kind.
    case variants([Shape])
    case free
}

extension Shape {
    /// A map with the keys of a table, which may be the enclosing table.
    public static func map(_ table: @autoclosure @escaping @Sendable () -> KeyTable) -> Shape { .table(table) }

    public static func list(of shape: Shape, count: ClosedRange<Int> = 0...Int.max) -> Shape {
        .items(shape, count: count)
    }

    /// A map from names to values with the same shape.
    ///
    /// - Parameters:
    ///   - names: The rule for names: ``NameRule``, ``CodeRule``, ``TextRule`` or any other rule.
    ///   - values: The shape of the values.
    public static func map(of names: any ScalarRule, to values: Shape) -> Shape { .named(names, values) }

    public static let text = Shape.scalar(TextRule())
    /// Text in which `${` is kept as it is.
    public static let verbatim = Shape.scalar(TextRule(isVerbatim: true))
    /// A single value whose type depends on where it is used.
    public static let value = Shape.scalar(ValueRule())
    /// A name; `noun` states its purpose, with an article: `the name of a card`.
    public static func name(_ noun: String = "a name") -> Shape { .scalar(NameRule(noun)) }
    public static func hex(_ counts: Int...) -> Shape { .scalar(HexRule(counts.map { $0...$0 })) }
    public static func hex(_ count: ClosedRange<Int>) -> Shape { .scalar(HexRule([count])) }
    /// A 16-bit code; `noun` names it, with its article, and `known` codes help to detect swapped bytes.
    public static func code(_ noun: String, known: [UInt16] = []) -> Shape { .scalar(CodeRule(noun, known: known)) }
    public static func integer(_ bounds: ClosedRange<Int> = Int.min...Int.max) -> Shape {
        .scalar(IntegerRule(bounds))
    }
    public static let boolean = Shape.scalar(BooleanRule())
    public static func word(_ words: String...) -> Shape { .scalar(KeywordRule(words)) }
    public static func word<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> Shape {
        .scalar(KeywordRule(type))
    }
    public static let duration = Shape.scalar(DurationRule())
    public static let date = Shape.scalar(DateRule())
}

extension Shape {
    var kinds: [NodeKind] {
        switch self {
        case .scalar: [.scalar]
        case .items: [.list]
        case .table, .named: [.map]
        case .variants(let shapes): shapes.flatMap(\.kinds)
        case .free: NodeKind.allCases
        }
    }

    /// The shape for a node of a kind, or `nil` if the kind does not fit.
    package func variant(for kind: NodeKind) -> Shape? {
        if case .variants(let shapes) = self { return shapes.lazy.compactMap { $0.variant(for: kind) }.first }
        return kinds.contains(kind) ? self : nil
    }

    /// The noun for the expected value, with its article.
    package var noun: String {
        switch self {
        case .scalar(let rule): rule.noun
        case .items: "a list"
        case .table(let table): "\(table().noun) (a map)"
        case .named: "a map of names"
        case .variants(let shapes): ListText.choice(shapes.map(\.noun))
        case .free: "anything"
        }
    }
}
