import TapDocument
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

/// What a client does that finds no card.
enum EndWithoutCard: Hashable, Sendable {
    /// It ends as it does with one.
    case result(Node)
    /// It goes on looking for one, by these commands or calls.
    case waits(Set<String>)
}

extension RunFacts {
    var isFieldEmpty: Bool { !world.cards.contains(where: \.isPresent) }

    /// Whether the client has heard no more of a card than that it is there.
    var hasOnlyFoundCards: Bool { exchanges.allSatisfy { $0.exchange.answers.isEmpty || $0.isFindingACard } }

    /// What the client does, by the calls of PC/SC if it makes any, in its order.
    var acts: [String] {
        world.plan.calls.isEmpty ? exchanges.map(\.name) : world.plan.calls.map(\.rawValue)
    }
}
