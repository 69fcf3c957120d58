import TapCards
import TapWire

/// A generation of a brand: the nodes that its cards have, and the IC they are on.
///
/// The lists of nodes are those of the public card table of felica-tool, what cards that people carry answer to Search
/// Service Code, brand by brand in its order. They do not tell ICs, numbers of blocks, keys or contents.
struct CardGeneration {
    /// The IC of such a card where `ic` is not written.
    let ic: Fact<String>
    /// A Boolean value that indicates whether no list of such a card is public.
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

    /// The systems in the order of Request System Code; `nil` for a card with one system.
    var systemOrder: Fact<String>? {
        let codes = directory.systems.map(\.code.description)
        guard codes.count > 1 else { return nil }
        return .known(codes.joined(separator: " "), order.confidence, source: order.source)
    }
}

/// The evidence for the order of the systems of a card, which the public card table does not keep.
struct SystemOrder {
    let confidence: Confidence
    let source: String

    static let sorted = SystemOrder(
        confidence: .inferred, source: "the public card table sorts systems by code, whatever their order on the card")
}

extension Fact where Value == String {
    /// An IC that goes with the list, though no source says that this list is on it.
    static func inferred(_ ic: String, _ reason: String) -> Self { .known(ic, .inferred, source: reason) }

    static let untold = inferred("RC-S962", "no source tells the IC of these cards; taken because its PMm is known")
}
