import TapCards

/// A generation of a brand: the nodes that its cards have, and the IC they are on.
///
/// The lists of nodes are those of the public card table of felica-tool, what cards that people carry answer to Search
/// Service Code, brand by brand in its order. They do not tell ICs, numbers of blocks, keys or contents.
struct CardGeneration {
    /// The IC of such a card where `ic` is not written.
    let ic: Fact<String>
    /// Whether no list of such a card is public.
    let isInferred: Bool
    private let list: String

    init(_ ic: Fact<String>, isInferred: Bool = false, _ list: String) {
        self.ic = ic
        self.isInferred = isInferred
        self.list = list
    }

    var directory: CardDirectory { CardDirectory(list) }
}

extension Fact where Value == String {
    /// An IC that goes with the list, though no source says that this list is on it.
    private static func inferred(_ ic: String, _ reason: String) -> Self { .known(ic, .inferred, source: reason) }

    static let untold = inferred("RC-S962", "no source tells the IC of these cards; taken because its PMm is known")
    static let newSuica = inferred("SD1", "felica-tool calls it the IC of the new Suica cards")
    static let firstYears = inferred("RC-S915", "it is older than the one traced by nfcpy")
    static let phone = inferred("Mobile FeliCa 4.1", "it has services of phones")
    static let newOctopus = inferred(
        "SD2", "felica-tool calls it the IC of the new Octopus cards, and the older one does not list its services")
    static let lite = inferred(
        "FeliCa Lite-S", "the list does not tell Lite and Lite-S apart; the PMm of this one is known")
    static let tracedEdy = Fact.known("RC-S915", .measured, source: "an Edy card in the tests of nfcpy has this PMm")
}
