import TapCards
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// An assumption about its IC on which a card's answers relied, or a command that the card refused because its layout is
/// unpublished.
public struct RunAssumption: Hashable, Sendable {
    fileprivate enum Matter: Hashable, Sendable {
        case fact(CardAssumption)
        case unpublished(CommandCode)
    }

    fileprivate let card: String
    fileprivate let ic: String
    fileprivate let matter: Matter
}

extension CaseResult {
    /// The assumptions on which the answers of the case's cards relied, card by card.
    public var assumptions: [RunAssumption] {
        record.world.cards.flatMap { slot in
            let ic = scenarioCase.cards.first { $0.name == slot.name }?.definition.icName ?? ""
            let matters =
                slot.assumptions.map(RunAssumption.Matter.fact)
                + slot.unpublishedCommands.map(RunAssumption.Matter.unpublished)
            return matters.map { RunAssumption(card: slot.name, ic: ic, matter: $0) }
        }
    }
}

extension RunAssumption: OutputModel {
    package static let output = OutputTable<Self>(
        "assumption", "An assumption of a card",
        .always("card", "The card", \.card), .always("ic", "Its IC", \.ic),
        .always("about", "The quirk that changes it, or the command code of an unpublished layout", \.about),
        .always(
            "known", "Inferred from similar chips, covered by no source, or a command without a public layout",
            as: .word(["inferred", "unknown", "unpublished"])
        ) { $0.fact?.confidence.rawValue ?? "unpublished" },
        .maybe("value", "The assumed value", \.fact?.value),
        .maybe("can_be", "The values that the quirk can have", \.fact?.allowedValues),
        .always("meaning", "Its effect", \.meaning))

    private var fact: CardAssumption? { if case .fact(let fact) = matter { fact } else { nil } }

    private var about: String {
        switch matter {
        case .fact(let fact): fact.name
        case .unpublished(let command): command.description
        }
    }

    private var meaning: String {
        switch matter {
        case .fact(let fact): fact.meaning
        case .unpublished(let command): "The layout of \(command) is unpublished, so the card refused it."
        }
    }

    fileprivate var lines: [String] {
        guard let fact else { return [meaning] }
        let known = fact.confidence == .inferred ? "inferred from similar chips" : "no source"
        return ["\(fact.name): \(fact.value)   \(known); can be \(fact.allowedValues)", "  \(fact.meaning)"]
    }
}

/// The assumptions that cards made in a run, reported once at its end.
public struct AssumptionText {
    private var assumptions: [RunAssumption] = []
    private let style: TerminalStyle

    public init(style: TerminalStyle = .plain) {
        self.style = style
    }

    /// Adds the assumptions in a case that no earlier case made.
    public mutating func add(_ result: CaseResult) {
        assumptions += result.assumptions.filter { !assumptions.contains($0) }
    }

    /// The lines; empty if there were no assumptions.
    public var lines: [String] {
        guard !assumptions.isEmpty else { return [] }
        var cards: [(card: String, ic: String)] = []
        for assumption in assumptions where !cards.contains(where: { $0 == (assumption.card, assumption.ic) }) {
            cards.append((assumption.card, assumption.ic))
        }
        let heading =
            "Some answers rely on unpublished details of these chips; set `quirks` of a card to change them, and see "
            + "docs/fidelity.md:"
        return [heading]
            + cards.flatMap { card, ic in
                ["  \(style.bold(PrintableText.visible(card))), \(ic)"]
                    + assumptions.filter { ($0.card, $0.ic) == (card, ic) }.flatMap(\.lines).map { "    \($0)" }
            }
    }
}
