import TapField
import TapWire

/// Timed steps of a case that counts exchanges.
///
/// By a clock, the speed of the client would decide how many exchanges there are before such a step and after it, so
/// that the same client passes on one machine and fails on another.
extension ScenarioCase {
    /// A Boolean value that indicates whether the exchanges of a program, instead of a clock, decide when timed steps
    /// come.
    ///
    /// A first card that only comes late changes no count but that of searches.
    public var followsExchanges: Bool {
        guard settings.clock == .auto, countsExchanges, clockStep == nil else { return false }
        // The faults of a campaign are not those of the case.
        let hasFaults = !plan.isEmpty && formerExpectations.isEmpty
        return hasFaults || timeline.hasGaps || stepAmongExchanges != nil
    }

    private var allExpectations: [Expectation] { expectations.items + formerExpectations }

    private var countsExchanges: Bool { allExpectations.contains { $0.isOnExchangeNumbers } }

    private var countsSearches: Bool {
        allExpectations.contains { item in
            guard case .count(let name, _) = item.demand else { return false }
            return name.layer == .selection || name.feliCaCode == .polling
        }
    }

    /// The reasons why counts of a program's exchanges may differ from run to run.
    var clockObstacle: ClientObstacle? {
        guard settings.clock != .virtual, countsExchanges,
            let step = settings.clock == .real ? stepAmongExchanges : clockStep
        else { return nil }
        return ClientObstacle(
            key: .timeline,
            description: "the speed of the client decides what `expect` counts: this step comes by a clock",
            hint:
                "let it wait for a command, such as `when: {command: felica.read, nth: 2}`, or set `settings.clock` to "
                + "`virtual`, so that it comes by card time",
            source: step.source)
    }

    /// The first timed step that no exchange can bring about: a card lies there, with which the client may or may not be
    /// done.
    private var clockStep: Timeline.Step? { timedSteps.first { !$0.isArrival }?.step }

    /// The first timed step before and after which there may be exchanges that are counted.
    private var stepAmongExchanges: Timeline.Step? {
        timedSteps.first { !$0.isArrival || $0.isReturn || countsSearches }?.step
    }

    private struct TimedStep {
        let step: Timeline.Step
        /// A Boolean value that indicates whether cards come into an empty field, and nothing else happens.
        let isArrival: Bool
        /// A Boolean value that indicates whether a card was there before.
        let isReturn: Bool
    }

    /// The steps that come by a time and do something to cards or readers.
    private var timedSteps: [TimedStep] {
        var (present, hadCards) = (Set<String>(), false)
        return timeline.remaining.compactMap { step in
            let wasEmpty = present.isEmpty
            let isReturn = hadCards
            var isArrival = wasEmpty
            for action in step.actions {
                switch action {
                case .tap(let name, _): present.insert(name)
                case .remove(let name):
                    present.remove(name)
                    isArrival = false
                case .swap(let out, let incoming, _):
                    present.remove(out)
                    present.insert(incoming)
                    isArrival = false
                case .plug, .unplug: isArrival = false
                case .set(let name, _): if present.contains(name) { isArrival = false }
                case .note, .send: break
                }
            }
            hadCards = hadCards || !present.isEmpty
            guard step.trigger.isDelay, step.actions.contains(where: \.isInField) else { return nil }
            return TimedStep(step: step, isArrival: isArrival, isReturn: isReturn)
        }
    }
}

extension Expectation {
    fileprivate var isOnExchangeNumbers: Bool {
        switch demand {
        case .count, .exchanges: true
        default: false
        }
    }
}

extension Timeline {
    /// A Boolean value that indicates whether a swap leaves the field empty for a time.
    fileprivate var hasGaps: Bool {
        remaining.flatMap(\.actions).contains { action in
            if case .swap(_, _, let gap) = action { gap > .zero } else { false }
        }
    }
}

extension Timeline.Trigger {
    fileprivate var isDelay: Bool {
        switch self {
        case .at(let time), .after(let time): time > .zero
        case .immediately, .event: false
        }
    }
}

extension Timeline.Action {
    fileprivate var isInField: Bool {
        switch self {
        case .note, .send: false
        case .tap, .remove, .swap, .set, .plug, .unplug: true
        }
    }
}
