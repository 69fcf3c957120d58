import TapCards
import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// Something that a card assumed of its IC in its answers, or that it refused since no source tells its layout.
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
    /// What the cards of the case assumed in their answers, card by card.
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

extension RunAssumption {
    var node: Node {
        let head: [(key: String, value: Node)] = [("card", .text(card)), ("ic", .text(ic))]
        switch matter {
        case .fact(let fact):
            return .map(
                head + [
                    ("about", .text(fact.name)), ("known", .text(fact.confidence.rawValue)),
                    ("value", .text(fact.value)), ("can_be", .text(fact.allowedValues)),
                    ("meaning", .text(fact.meaning)),
                ])
        case .unpublished(let command):
            return .map(
                head + [
                    ("about", .text(command.description)), ("known", .text("unpublished")),
                    ("meaning", .text(Self.meaning(of: command))),
                ])
        }
    }

    private static func meaning(of command: CommandCode) -> String {
        "The layout of \(command) is unpublished, so the card refused it."
    }

    fileprivate var lines: [String] {
        switch matter {
        case .fact(let fact):
            let known = fact.confidence == .inferred ? "inferred from similar chips" : "no source tells"
            return ["\(fact.name): \(fact.value)   \(known); can be \(fact.allowedValues)", "  \(fact.meaning)"]
        case .unpublished(let command): return [Self.meaning(of: command)]
        }
    }
}

/// What cards assumed in a run, told once at its end.
public struct AssumptionText {
    private var assumptions: [RunAssumption] = []
    private let style: TerminalStyle

    public init(style: TerminalStyle = .plain) {
        self.style = style
    }

    /// Adds what the cards of a case assumed and no case before it.
    public mutating func add(_ result: CaseResult) {
        assumptions += result.assumptions.filter { !assumptions.contains($0) }
    }

    /// Empty where nothing was assumed.
    public var lines: [String] {
        guard !assumptions.isEmpty else { return [] }
        var cards: [(card: String, ic: String)] = []
        for assumption in assumptions where !cards.contains(where: { $0 == (assumption.card, assumption.ic) }) {
            cards.append((assumption.card, assumption.ic))
        }
        let heading =
            "Some answers rest on what is not published of these chips; `quirks` of a card changes it, and "
            + "docs/fidelity.md tells more:"
        return [heading]
            + cards.flatMap { card, ic in
                ["  \(style.bold(PrintableText.visible(card))), \(ic)"]
                    + assumptions.filter { ($0.card, $0.ic) == (card, ic) }.flatMap(\.lines).map { "    \($0)" }
            }
    }
}
