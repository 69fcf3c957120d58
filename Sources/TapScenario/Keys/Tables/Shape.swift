import TapField
import TapWire

/// What a key or an item holds.
public indirect enum Shape: Sendable {
    /// A single value, read by a rule.
    case scalar(any ScalarRule)
    /// A list of items that all have one shape, and how many there may be.
    case items(Shape, count: ClosedRange<Int>)
    /// A map with the keys of a table; the table is fetched when it is needed, so that tables can hold themselves.
    case table(@Sendable () -> KeyTable)
    /// A map of arbitrary names, each read by a rule, to values of one shape.
    case named(any ScalarRule, Shape)
    /// One of several shapes, told apart by whether a single value, a list or a map is written; at most one for each.
    case variants([Shape])
    /// Anything.
    case free
}

extension Shape {
    /// A map with the keys of a table, which may be the table this stands in.
    public static func map(_ table: @autoclosure @escaping @Sendable () -> KeyTable) -> Shape { .table(table) }

    /// A list of items of one shape.
    public static func list(of shape: Shape, count: ClosedRange<Int> = 0...Int.max) -> Shape {
        .items(shape, count: count)
    }

    /// A map of names to values of one shape.
    ///
    /// - Parameters:
    ///   - names: How names are read: ``NameRule``, ``CodeRule``, ``TextRule`` or any other rule.
    ///   - values: What is named.
    public static func map(of names: any ScalarRule, to values: Shape) -> Shape { .named(names, values) }

    /// Text of any kind.
    public static let text = Shape.scalar(TextRule())
    /// Text in which `${` is kept as it is.
    public static let verbatim = Shape.scalar(TextRule(isVerbatim: true))
    /// A single value whose type shows where it is used.
    public static let value = Shape.scalar(ValueRule())
    /// A name; `noun` says of what, with its article: `the name of a card`.
    public static func name(_ noun: String = "a name") -> Shape { .scalar(NameRule(noun)) }
    /// Bytes in hexadecimal, of one of the numbers given.
    public static func hex(_ counts: Int...) -> Shape { .scalar(HexRule(counts.map { $0...$0 })) }
    /// Bytes in hexadecimal.
    public static func hex(_ count: ClosedRange<Int>) -> Shape { .scalar(HexRule([count])) }
    /// A 16-bit code; `noun` says which, with its article, `known` helps to find swapped bytes.
    public static func code(_ noun: String, known: [UInt16] = []) -> Shape { .scalar(CodeRule(noun, known: known)) }
    public static func integer(_ bounds: ClosedRange<Int> = Int.min...Int.max) -> Shape {
        .scalar(IntegerRule(bounds))
    }
    public static let boolean = Shape.scalar(BooleanRule())
    /// One of a few words.
    public static func word(_ words: String...) -> Shape { .scalar(WordRule(words)) }
    /// One of the words of an enumeration.
    public static func word<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> Shape {
        .scalar(WordRule(type.allCases.map(\.rawValue)))
    }
    /// A duration with its unit.
    public static let duration = Shape.scalar(DurationRule())
    /// A duration, or a percentage of a deadline.
    public static let timeAmount = Shape.scalar(TimeAmountRule())
    /// A range of whole numbers, or one number.
    public static func range(_ bounds: ClosedRange<Int> = 0...Int.max) -> Shape { .scalar(RangeRule(bounds)) }
    /// A date.
    public static let date = Shape.scalar(DateRule())
}

extension Shape {
    /// Kinds of nodes the shape takes.
    var kinds: [NodeKind] {
        switch self {
        case .scalar: [.scalar]
        case .items: [.list]
        case .table, .named: [.map]
        case .variants(let shapes): shapes.flatMap(\.kinds)
        case .free: NodeKind.allCases
        }
    }

    /// The shape that a node of a kind has to have, or nothing if the kind does not fit.
    func variant(for kind: NodeKind) -> Shape? {
        if case .variants(let shapes) = self { return shapes.lazy.compactMap { $0.variant(for: kind) }.first }
        return kinds.contains(kind) ? self : nil
    }

    /// What is needed, with its article.
    var noun: String {
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
