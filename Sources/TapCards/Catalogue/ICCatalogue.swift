import TapWire

/// The families of cards that can be built.
public enum CardFamily: String, Hashable, Sendable, CaseIterable {
    /// FeliCa Standard.
    case felica = "FeliCa"
    /// NTAG213, NTAG215 and NTAG216.
    case ntag = "NTAG"
}

/// An IC of either family, as `ic:` of a card names it.
public struct CatalogueIC: Hashable, Sendable {
    /// The IC as its family knows it.
    public enum Product: Hashable, Sendable {
        /// A FeliCa Standard chip.
        case felica(FeliCaIC)
        /// An NTAG21x.
        case ntag(NTAGProduct)
    }

    /// The IC as its family knows it.
    public let product: Product

    /// The name by which people ask for it.
    public var name: String {
        switch product {
        case .felica(let ic): ic.name
        case .ntag(let product): product.rawValue
        }
    }

    /// Other names, of the IC or of cards with it.
    public var aliases: [String] {
        switch product {
        case .felica(let ic): ic.aliases
        case .ntag: []
        }
    }

    /// The family.
    public var family: CardFamily {
        switch product {
        case .felica: .felica
        case .ntag: .ntag
        }
    }

    /// The generation in a few words, such as `FeliCa, DES`.
    public var generation: String {
        switch product {
        case .felica(let ic) where ic.generation == .des || ic.generation == .aes: "FeliCa, \(ic.generation.rawValue)"
        case .felica(let ic): ic.generation.rawValue
        case .ntag: "NTAG21x"
        }
    }

    /// What is known of the IC, with source and confidence, and what nobody has said.
    public var lines: [CatalogueLine] {
        switch product {
        case .felica(let ic): ic.facts
        case .ntag(let product): product.catalogue
        }
    }
}

/// The catalogue of ICs of all families.
public enum ICCatalogue {
    /// Every IC, family by family.
    public static let all: [CatalogueIC] =
        FeliCaIC.catalogue.map { CatalogueIC(product: .felica($0)) }
        + NTAGProduct.allCases.map { CatalogueIC(product: .ntag($0)) }

    /// The IC with a name or an alias, capital letters or not.
    public static func named(_ name: String) -> CatalogueIC? {
        let wanted = name.lowercased()
        return all.first { ic in ([ic.name] + ic.aliases).contains { $0.lowercased() == wanted } }
    }
}
