import TapCards
import TapField
import TapReaders
import TapScenario
import TapWire

/// Whether faults can strike at all, with the cards, the reader and the door of a case.
enum FaultFit {
    /// Refuses a case with a fault that can never strike.
    ///
    /// - Throws: ``RunError`` that names the fault and what it needs.
    static func check(_ scenarioCase: ScenarioCase, isBuiltin: Bool) throws(RunError) {
        for entry in scenarioCase.plan.entries {
            guard let need = need(of: entry, scenarioCase, isBuiltin: isBuiltin) else { continue }
            let place = entry.source.map { "\($0): " } ?? ""
            throw RunError(.client, "\(place)`\(entry.fault.kind.name)` can never strike in this run: it needs \(need)")
        }
    }

    /// Whether a fault can strike a client as its clean run has shown it.
    static func fits(_ kind: FaultKind, _ record: RunRecord, _ scenarioCase: ScenarioCase) -> Bool {
        guard case .reader(let make) = kind.effect else { return true }
        let fault = make(Fault(kind).arguments)
        switch record.doorUsed {
        case "pcsc", "vpcd": return canCarry(fault, scenarioCase.reader ?? .usual)
        // A bare chip, without a reader around it.
        case "libnfc": return fault.isOfChip && canCarry(fault, scenarioCase.reader ?? .usual)
        case nil where record.doorsOpened.isEmpty: return scenarioCase.reader.map { canCarry(fault, $0) } ?? false
        default: return false
        }
    }

    private static func need(
        of entry: FaultPlan.Entry, _ scenarioCase: ScenarioCase, isBuiltin: Bool
    ) -> String? {
        let reader = scenarioCase.reader
        var needsService = false
        if case .call = entry.trigger.event { needsService = true }
        switch entry.fault.kind.effect {
        case .door: needsService = true
        case .reader(let make):
            guard reader != nil || !isBuiltin else { return "a reader model; name one under `reader`" }
            let fault = make(entry.fault.arguments)
            guard canCarry(fault, reader ?? .usual) else {
                return fault.isOfChip
                    ? "a PN532: `reader: acr122u`, or the door `libnfc`"
                    : "a reader around a chip, which the door `libnfc` has not"
            }
        default: break
        }
        guard needsService else { return cardNeed(of: entry, scenarioCase) }
        guard !isBuiltin else { return "a client that calls PC/SC; the built-in one does not" }
        guard [nil, .pcsc].contains(reader?.door) else { return "the door `pcsc`" }
        return cardNeed(of: entry, scenarioCase)
    }

    /// What cards a fault and its trigger need, if the case has none of them.
    private static func cardNeed(of entry: FaultPlan.Entry, _ scenarioCase: ScenarioCase) -> String? {
        var layers = entry.fault.kind.scope.layers ?? []
        layers.formUnion(entry.fault.kind.scope.commands?.map(\.layer) ?? [])
        if case .command(let pattern) = entry.trigger.event { layers = [pattern.name.layer] }
        // Readers look for cards of both kinds, so selection happens with any card.
        let families = Set(layers.subtracting([.selection]).map { $0 == .felica ? CardFamily.felica : .ntag })
        guard !families.isEmpty, !scenarioCase.cards.contains(where: { families.contains($0.definition.family) }) else {
            return nil
        }
        return families == [.felica] ? "a FeliCa card" : "a type A card"
    }

    /// Whether a reader, as far as its door is known, can do something wrong: over libnfc it is a bare PN532.
    private static func canCarry(_ fault: ReaderFault, _ reader: ReaderSpec) -> Bool {
        reader.door == .libnfc ? fault.isOfChip : !fault.isOfChip || reader.model == .acr122u
    }
}
