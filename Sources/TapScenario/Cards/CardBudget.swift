import TapCards
import TapWire

/// How many cards a file may have and what their memory may come to, counted before a card is made.
///
/// Every case has cards of its own, and a step that changes a card makes another one. All that read one file share one
/// budget, hence an object.
final class CardBudget {
    /// Most cards of a file.
    static let maximumCards = 1_000
    /// Most memory of all cards that a file makes, in MiB.
    static let maximumMemory = 64
    /// What a card takes besides the blocks that the file gives it, in bytes, with the systems and services that a FeliCa
    /// template brings: above what was measured, 2.2 kB for an NTAG215 and 31 kB for a Suica.
    private static let (bytesOfCard, bytesOfTemplate) = (4 << 10, 32 << 10)

    private var bytesLeft = maximumMemory << 20

    /// Whether there may be as many cards as these, by their names; one too many is reported.
    func allows(_ names: [Node], into diagnostics: inout Diagnostics) -> Bool {
        guard names.count > Self.maximumCards else { return true }
        diagnostics.report(
            Diagnostic(
                .limitExceeded, "the file has \(names.count) cards", at: names[Self.maximumCards],
                hint: "at most \(Self.maximumCards) are allowed; put the others into a file of their own"))
        return false
    }

    /// Takes the memory of a card; false where there is not enough left, which is reported once.
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - place: Where it is asked for, if not where it is described.
    ///   - diagnostics: Told where there is not enough.
    func takes(_ card: MapReader, at place: Node? = nil, into diagnostics: inout Diagnostics) -> Bool {
        guard bytesLeft >= 0 else { return false }
        bytesLeft -= Self.memory(of: card)
        guard bytesLeft < 0 else { return true }
        diagnostics.report(
            Diagnostic(
                .limitExceeded, "the cards of the file take more than \(Self.maximumMemory) MiB",
                at: place ?? .map(card.node),
                hint: "give them fewer blocks, or write fewer cards, cases or `set`: each case and step makes its own"))
        return false
    }

    /// About how many bytes a card is going to take.
    private static func memory(of card: MapReader) -> Int {
        let isTemplate = card["template"]?.word(as: CardTemplate.self).family == .felica
        let services = (card["systems"]?.named ?? []).flatMap { $0.value.map["services"]?.named ?? [] }
        let blocks = services.reduce(0) { $0 + CardDecoder.statedBlocks($1.value) }
        return (isTemplate ? bytesOfTemplate : bytesOfCard)
            + min(blocks, FeliCaTemplate.maximumBlocks) * BlockData.byteCount
    }
}
