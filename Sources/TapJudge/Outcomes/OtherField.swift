import TapField
import TapScenario
import TapWire

/// What a client may find before it that is not the card of its case, because a fault has led to it.
///
/// It is tried there without a fault too, since what it makes of it is right.
package enum OtherField: CaseIterable {
    /// Another card of the same kind.
    case anotherCard
    case noCard

    /// The case before such a field.
    package func scenarioCase(_ clean: ScenarioCase) -> ScenarioCase {
        switch self {
        case .anotherCard: clean.withOtherCards
        case .noCard: clean.withoutCards
        }
    }

    fileprivate func comes(of fault: Fault) -> Bool {
        switch self {
        case .anotherCard: fault.bringsAnotherCard
        case .noCard: fault.takesCardAway
        }
    }

    /// Those that faults may lead to.
    package static func all(of faults: some Sequence<Fault>) -> [OtherField] {
        allCases.filter { field in faults.contains(where: field.comes) }
    }
}

extension RunFacts {
    /// Whether the field was empty before the client had found a card, and still is.
    var hasFoundNoCard: Bool {
        !world.cards.contains(where: \.isPresent)
            && exchanges.allSatisfy { $0.exchange.answers.isEmpty || $0.isUnfinished }
    }
}

extension SeenExchange {
    /// Whether it is a step of a selection that was not the last: that is a SELECT whose SAK has no cascade bit.
    fileprivate var isUnfinished: Bool {
        guard command.name?.rawValue == "a3.select" else { return isSelection }
        return exchange.answers.allSatisfy { $0.frame.bytes.first.map { $0 & 0x04 != 0 } ?? true }
    }
}
