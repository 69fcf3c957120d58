import TapField
import TapScenario
import TapWire

/// A field that a client may meet because of a fault, instead of the card in its baseline runs.
///
/// The client also runs on such a field without a fault, because its reading there is right.
enum OtherField: Hashable {
    case anotherCard
    case noCard
    /// One of several cards that are presented together, alone.
    case cardAlone(String)
    /// The card of the case, changed by a fault before any of the changed contents is read.
    case changedCard(Fault)

    /// Returns the case with such a field.
    ///
    /// - Parameter world: The world after a baseline run.
    func scenarioCase(_ clean: ScenarioCase, after world: World) -> ScenarioCase {
        switch self {
        case .anotherCard: clean.withOtherCards
        case .noCard: clean.withoutCards
        case .cardAlone(let name): clean.withCard(alone: name)
        case .changedCard(let fault):
            clean.disturbed(by: FaultPlan([FaultPlan.Entry(fault, when: fault.firstPlace(in: world))]))
        }
    }

    /// The correct result on such a field, as a phrase that follows `and`.
    var rightResult: String {
        switch self {
        case .anotherCard: "the contents of the other card"
        case .noCard: "its output without a card"
        case .cardAlone(let name): "the contents of the card `\(name)`"
        case .changedCard: "the current contents of the card"
        }
    }

    var isCardAlone: Bool { if case .cardAlone = self { true } else { false } }
    var isChangedCard: Bool { if case .changedCard = self { true } else { false } }

    static func all(of faults: some Sequence<Fault>, in clean: ScenarioCase) -> [OtherField] {
        var fields: [OtherField] = clean.cardsPresentedTogether.map { .cardAlone($0) }
        for fault in faults {
            let found: [OtherField?] = [
                fault.bringsAnotherCard ? .anotherCard : nil, fault.takesCardAway ? .noCard : nil,
                fault.changesCard ? .changedCard(fault) : nil,
            ]
            fields += found.compactMap(\.self).filter { !fields.contains($0) }
        }
        return fields
    }
}

extension Fault {
    /// A Boolean value that indicates whether the fault changes the contents of the card from one moment to the next.
    fileprivate var changesCard: Bool { isOfImage && !kind.isOfContent }

    fileprivate func firstPlace(in world: World) -> EventTrigger {
        let exchanges = world.trace.exchanges
        let number = places(in: exchanges, cards: world.cards.map(\.original)).first
        return FaultLocation.all(of: exchanges).first { $0.number == number }?.trigger ?? EventTrigger(.exchange)
    }
}

extension RunFacts {
    /// The fields that the client may have read instead of the card of its case.
    var otherFields: [OtherField] {
        (world.hasAnotherCard ? [.anotherCard] : []) + (hasFoundNoCard ? [.noCard] : [])
            + world.plan.injected.filter(\.changesCard).map { .changedCard($0) }
            + world.cards.map { .cardAlone($0.name) }
    }

    /// Returns whether the card changed in a way for which the client's correct reading is unknown: by a fault that was tried
    /// with other arguments, or by several faults.
    func hasUntriedChange(alongside tried: Set<OtherField>) -> Bool {
        let known = tried.compactMap { if case .changedCard(let fault) = $0 { fault } else { nil } }
        let changes = world.plan.injected.filter { change in known.contains { $0.kind.name == change.kind.name } }
        return changes.count > 1 || changes.contains { !known.contains($0) }
    }

    /// A Boolean value that indicates whether the memory of a card changed before any of the changed part was read, so that
    /// the new contents are right.
    var hasReadChangedMemoryAlone: Bool {
        zip(world.plan.entries, world.plan.tallies).contains { entry, tally in
            guard entry.fault.changesCard, let number = tally.injected.first,
                let change = felica.first(where: { $0.number == number }), change.command.name?.isRead == true
            else { return false }
            return !felica.contains { earlier in
                earlier.number < number && (earlier.command.name?.isRead ?? false)
                    && earlier.command.services.contains(where: change.command.services.contains)
            }
        }
    }

    /// A Boolean value that indicates whether the client had found no card before a fault removed it, or made it too weak to
    /// be heard.
    var hasFoundNoCard: Bool {
        let isGone = !world.cards.contains(where: \.isPresent) || world.plan.injected.contains(where: \.takesCardAway)
        return isGone && exchanges.allSatisfy { $0.isUnheard || $0.isUnfinished }
    }
}

extension SeenExchange {
    /// A Boolean value that indicates whether no answer arrived undamaged.
    var isUnheard: Bool {
        exchange.answers.allSatisfy { $0.frame.integrity != .good }
    }

    /// A Boolean value that indicates whether the exchange is an intermediate step of a selection; the last step is a SELECT
    /// whose SAK has no cascade bit.
    var isUnfinished: Bool {
        guard command.name?.rawValue == "a3.select" else { return isSelection }
        return exchange.answers.allSatisfy { $0.frame.bytes.first.map { $0 & 0x04 != 0 } ?? true }
    }
}
