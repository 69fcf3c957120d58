import TapCards
import TapWire

/// A generation of a brand: the nodes that its cards have, and their IC.
///
/// The node lists come from felica-tool's public card table, which records, brand by brand and in its order, the answers of
/// real cards to Search Service Code. They do not give ICs, block counts, keys or contents.
struct CardGeneration {
    /// The IC of such a card if `ic` is omitted.
    let ic: Fact<String>
    /// A Boolean value that indicates whether the list is inferred because none is public.
    let isInferred: Bool
    private let order: SystemOrder
    private let list: String

    init(_ ic: Fact<String>, isInferred: Bool = false, order: SystemOrder = .sorted, _ list: String) {
        self.ic = ic
        self.isInferred = isInferred
        self.order = order
        self.list = list
    }

    var directory: CardDirectory { CardDirectory(list) }

    /// The systems in the order of Request System Code, or `nil` for a card with one system.
    var systemOrder: Fact<String>? {
        let codes = directory.systems.map(\.code.description)
        guard codes.count > 1 else { return nil }
        return .known(codes.joined(separator: " "), order.confidence, source: order.source)
    }
}

/// The evidence for the order of a card's systems, which the public card table does not preserve.
struct SystemOrder {
    let confidence: Confidence
    let source: String

    static let sorted = SystemOrder(
        confidence: .inferred,
        source: "the public card table sorts systems by code, regardless of their order on the card")
}

extension Fact where Value == String {
    /// An IC that suits the list, although no source says that cards with this list have it.
    static func inferred(_ ic: String, _ reason: String) -> Self { .known(ic, .inferred, source: reason) }

    static let unstated = inferred("RC-S962", "no source states the IC of these cards; chosen because its PMm is known")
}
