import TapField
import TapWire

/// Timed steps of a case that counts exchanges.
///
/// With a clock, the speed of the client would determine the number of exchanges before and after such a step, so the same
/// client would pass on one machine and fail on another.
extension ScenarioCase {
    /// A Boolean value that indicates whether timed steps happen after a number of exchanges of the program, instead of by a
    /// clock.
    ///
    /// A delayed first card changes only the number of searches.
    public var followsExchanges: Bool {
        guard settings.clock == .auto, countsExchanges, clockStep == nil else { return false }
        // The faults of a campaign do not belong to the case.
        let hasFaults = !plan.isEmpty && formerExpectations.isEmpty
        return hasFaults || timeline.hasGaps || stepAmongExchanges != nil
    }

    private var allExpectations: [Expectation] { expectations.items + formerExpectations }

    private var countsExchanges: Bool { allExpectations.contains { $0.isOnExchangeNumbers } }

    private var countsSearches: Bool {
        allExpectations.contains { item in
            guard case .count(let name, _) = item.demand else { return false }
            return name.isOfSearch
        }
    }

    /// The reason why counts of a program's exchanges may differ between runs, or `nil`.
    var clockObstacle: ClientObstacle? {
        guard settings.clock != .virtual, countsExchanges,
            let step = settings.clock == .real ? stepAmongExchanges : clockStep
        else { return nil }
        return ClientObstacle(
            key: .timeline,
            description: "the counts in `expect` depend on the speed of the client, because this step is timed",
            hint:
                "wait for a command, such as `when: {command: felica.read, nth: 2}`, or set `settings.clock` to "
                + "`virtual`, so that the step uses card time",
            source: step.source)
    }

    /// The first timed step that exchanges cannot trigger: a card is present, and the client may or may not be done with it.
    private var clockStep: Timeline.Step? { timedSteps.first { !$0.isArrival }?.step }

    /// The first timed step with counted exchanges possible before and after it.
    private var stepAmongExchanges: Timeline.Step? {
        timedSteps.first { !$0.isArrival || $0.isReturn || countsSearches }?.step
    }

    private struct TimedStep {
        let step: Timeline.Step
        /// A Boolean value that indicates whether the step only presents cards to an empty field.
        let isArrival: Bool
        /// A Boolean value that indicates whether a card was present earlier.
        let isReturn: Bool
    }

    /// The steps that wait for a time and affect cards or readers.
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
    /// A Boolean value that indicates whether a swap leaves the field empty for some time.
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
