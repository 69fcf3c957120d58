import TapWire

public enum CardFamily: String, Hashable, Sendable, CaseIterable {
    case felica = "FeliCa"
    case lite = "FeliCa Lite"
    case ntag = "NTAG"

    /// A Boolean value that indicates whether cards of this family use FeliCa.
    public var isFeliCa: Bool { self != .ntag }
}

/// An IC of any family, as named by `ic:` of a card.
public struct CatalogueIC: NamedIC {
    public enum Product: Hashable, Sendable {
        case felica(FeliCaIC)
        case lite(FeliCaLiteIC)
        case ntag(NTAGProduct)
    }

    public let product: Product

    package init(product: Product) {
        self.product = product
    }

    public var name: String {
        switch product {
        case .felica(let ic): ic.name
        case .lite(let ic): ic.name
        case .ntag(let product): product.rawValue
        }
    }

    /// Other names of the IC or of cards that use it.
    public var aliases: [String] {
        switch product {
        case .felica(let ic): ic.aliases
        case .lite(let ic): ic.aliases
        case .ntag: []
        }
    }

    public var family: CardFamily {
        switch product {
        case .felica: .felica
        case .lite: .lite
        case .ntag: .ntag
        }
    }

    /// The generation in a few words, such as `FeliCa, DES`.
    public var generation: String {
        switch product {
        case .felica(let ic) where ic.generation == .des || ic.generation == .aes: "FeliCa, \(ic.generation.rawValue)"
        case .felica(let ic): ic.generation.rawValue
        case .lite: CardFamily.lite.rawValue
        case .ntag: "NTAG21x"
        }
    }

    /// The known facts about the IC, with source and confidence, and the unknown ones.
    public var lines: [CatalogueLine] {
        switch product {
        case .felica(let ic): ic.facts
        case .lite(let ic): ic.facts
        case .ntag(let product): product.catalogue
        }
    }

    /// The switches for which no source documents the IC's behavior, with the values its cards use.
    public var assumptions: [CardAssumption] {
        switch product {
        case .felica(let ic): Self.unknown(ic.assumptions, ic.profile)
        case .lite(let ic): Self.unknown(ic.assumptions, ic.profile)
        case .ntag: Self.unknown(CardAssumptions(unknown: NTAGQuirks.unpublished), NTAGQuirks())
        }
    }

    private static func unknown(_ assumptions: CardAssumptions, _ quirks: some QuirkSet) -> [CardAssumption] {
        assumptions.unknown.list.compactMap { CardAssumption($0, .unknown, in: quirks) }
    }
}

public enum ICCatalogue {
    public static let all: [CatalogueIC] =
        FeliCaIC.catalogue.map { CatalogueIC(product: .felica($0)) }
        + FeliCaLiteIC.catalogue.map { CatalogueIC(product: .lite($0)) }
        + NTAGProduct.allCases.map { CatalogueIC(product: .ntag($0)) }

    /// Ignores case.
    public static func named(_ name: String) -> CatalogueIC? { all.named(name) }
}

public protocol NamedIC: Hashable, Sendable {
    var name: String { get }
    /// Other names of the IC or of cards that use it.
    var aliases: [String] { get }
}

extension Sequence where Element: NamedIC {
    /// The IC with a name or an alias; ignores case.
    func named(_ name: String) -> Element? {
        let wanted = name.lowercased()
        return first { ic in ([ic.name] + ic.aliases).contains { $0.lowercased() == wanted } }
    }
}

/// A fact about a chip and the switch it sets, so that applying and listing facts share one table.
struct FactField<IC: NamedIC, Profile: QuirkSet>: Sendable {
    let apply: @Sendable (IC, inout Profile) -> Void
    let line: @Sendable (IC) -> CatalogueLine

    init<Value: QuirkValue>(
        _ name: String, _ fact: any KeyPath<IC, Fact<Value>> & Sendable,
        _ property: any WritableKeyPath<Profile, Value> & Sendable
    ) {
        apply = { ic, profile in
            if let value = ic[keyPath: fact].value { profile[keyPath: property] = value }
        }
        line = { CatalogueLine(title: name, fact: $0[keyPath: fact].map(\.quirkText)) }
    }
}

public struct CatalogueLine: Hashable, Sendable {
    public let title: String
    public let fact: Fact<String>

    public init(title: String, fact: Fact<String>) {
        self.title = title
        self.fact = fact
    }
}

/// A fact about a product with its source, or the note that it is unknown.
public enum Fact<Value: Hashable & Sendable>: Hashable, Sendable {
    case known(Value, Confidence, source: String)
    /// No public source documents it; the text lists the sources searched.
    case unknown(String)

    public var value: Value? {
        switch self {
        case .known(let value, _, _): value
        case .unknown: nil
        }
    }

    public var confidence: Confidence {
        switch self {
        case .known(_, let confidence, _): confidence
        case .unknown: .unknown
        }
    }

    public var source: String {
        switch self {
        case .known(_, _, let source), .unknown(let source): source
        }
    }

    public func map<Other>(_ make: (Value) -> Other) -> Fact<Other> {
        switch self {
        case .known(let value, let confidence, let source): .known(make(value), confidence, source: source)
        case .unknown(let source): .unknown(source)
        }
    }
}

public enum Confidence: String, Hashable, Sendable, CaseIterable {
    /// Stated in the manufacturer's documentation.
    case certain
    /// Measured on a chip.
    case measured
    /// Suggested by a public source, but never measured.
    case likely
    /// Concluded from similar chips.
    case inferred
    /// Not documented by any public source.
    case unknown
}
