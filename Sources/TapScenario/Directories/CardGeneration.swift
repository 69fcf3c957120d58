import TapCards
import TapWire

/// A generation of a brand: the nodes that its cards have, and the IC they are on.
///
/// The lists of nodes are those of the public card table of felica-tool, what cards that people carry answer to Search
/// Service Code, brand by brand in its order. They do not tell ICs, numbers of blocks, keys or contents.
struct CardGeneration {
    /// The IC of such a card where `ic` is not written.
    let ic: Fact<String>
    /// Whether no list of such a card is public.
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
    static let tracedSuica = SystemOrder(confidence: .measured, source: "a Suica in the tests of nfcpy")
    static let asTracedSuica = SystemOrder(
        confidence: .likely,
        source: "as the Suica in the tests of nfcpy and in metrodroid, issue 613")
    static let seen = SystemOrder(confidence: .likely, source: "metrodroid, issue 613")
    static let tracedEdy = SystemOrder(confidence: .measured, source: "an Edy card in the tests of nfcpy")
    static let asTracedEdy = SystemOrder(confidence: .likely, source: "as the Edy card in the tests of nfcpy")
    static let ryuto = SystemOrder(confidence: .measured, source: "a card in pull request 3533 of Proxmark3")
}

extension Fact where Value == String {
    /// An IC that goes with the list, though no source says that this list is on it.
    private static func inferred(_ ic: String, _ reason: String) -> Self { .known(ic, .inferred, source: reason) }

    static let untold = inferred("RC-S962", "no source tells the IC of these cards; taken because its PMm is known")
    static let newSuica = inferred("SD1", "felica-tool calls it the IC of the new Suica cards")
    static let firstYears = inferred("RC-S915", "it is older than the one traced by nfcpy")
    static let phone = inferred("Mobile FeliCa 4.1", "it has services of phones")
    static let pasmo = Fact.known(
        "SD1", .measured,
        source:
            "PASMO cards in nfcpy, issue 205, and in pull request 2951 of Proxmark3 have this PMm; older cards, such as "
            + "the one in metrodroid, pull request 711, do not answer the commands of AES cards")
    static let olderOctopus = inferred(
        "RC-S962", "an Octopus in issue 442 of Proxmark3 has this PMm; its services were not listed")
    static let newOctopus = inferred(
        "SD2", "felica-tool calls it the IC of the new Octopus cards; others are RC-S962 or FeliCa CN/HK")
    static let ryuto = inferred(
        "RC-S915", "a card in pull request 3533 of Proxmark3 has this PMm; its services were not listed")
    static let newEdy = inferred("RC-S915", "an Edy card of an older layout in the tests of nfcpy has this PMm")
    static let lite = inferred(
        "FeliCa Lite-S", "the list does not tell Lite and Lite-S apart; the PMm of this one is known")
    static let tracedEdy = Fact.known(
        "RC-S915", .measured, source: "an Edy card in the tests of nfcpy has these nodes in FE00 and this PMm")
}
