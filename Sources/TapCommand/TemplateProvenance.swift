import TapCards
import TapScenario
import TapWire

// For `explain`: the known and the made-up parts of a template's cards.

extension CardTemplateInfo {
    /// The IC of the template's cards and its PMm, with their sources.
    var icLines: [(heading: String, text: String)] {
        guard let ic = generations.first(where: \.isDefault)?.ic else { return [("ic", icName)] }
        let pmm = ICCatalogue.named(icName)?.lines.first { $0.title == "PMm" }?.fact
        let facts = [("ic", ic)] + (pmm.map { [("PMm", $0)] } ?? [])
        return facts.map { ($0, Self.text($1)) }
    }

    private static func text(_ fact: Fact<String>) -> String {
        "\(fact.value ?? "unknown")  (\(fact.confidence.rawValue): \(fact.source))"
    }

    /// The known and unknown parts of the card; empty for tags, whose whole memory is known.
    var provenance: [(heading: String, text: String)] {
        guard let card = generations.first(where: \.isDefault) else { return [] }
        let others = generations.count == 1 ? [] : generations.map { ("generation \($0.number)", $0.text) }
        return others + known(of: card) + unknown(of: card)
            + card.systems.map { ("system \($0.code)", $0.nodes.joined(separator: " ")) }
    }

    private func known(of card: Generation) -> [(heading: String, text: String)] {
        let nodes =
            card.isInferred
            ? "inferred: the systems, areas and services that all cards of the system have; no list for this card is public"
            : "areas and services, in the order in which a real card lists them (public card table of felica-tool)"
        let order: [(heading: String, text: String)] =
            card.systemOrder.map { [("system order", Self.text($0))] } ?? []
        return order + [
            ("known", nodes),
            (
                "",
                "the numbers of blocks of \(card.countedStoreCount) of \(card.storeCount) services (services that share "
                    + "blocks count as one)"
            ),
        ]
    }

    private func unknown(of card: Generation) -> [(heading: String, text: String)] {
        let rest = card.storeCount - card.countedStoreCount
        return [
            (
                "not known",
                hasContents
                    ? "contents of blocks: generated from the seed if the layout is public, otherwise zeros"
                    : "contents of blocks: zeros"
            ),
            ("", "keys: zeros, with the version 0000"),
        ] + (rest > 0 ? [("", "the numbers of blocks of the other \(rest) services: one block each")] : [])
    }
}

extension CardTemplateInfo.Generation {
    fileprivate var text: String {
        let counts = systems.map { "\($0.code) with \(CountText.of($0.nodes.count, "node"))" }
        let place = isDefault ? "; the default" : ""
        return "\(ic.value ?? "") (\(ic.confidence.rawValue)): \(counts.joined(separator: ", "))\(place)"
    }
}
