import TapCards

/// Planned events: cards arrive and leave at instants, or after events of the run.
///
/// Steps run in order: each step waits until all earlier steps are done. Source: scenario format 1, `timeline`.
public struct Timeline: Hashable, Sendable {
    public struct Step: Hashable, Sendable {
        public var trigger: Trigger
        public var actions: [Action]
        /// The line of the scenario that defines it.
        public var source: SourceReference?

        public init(_ trigger: Trigger, _ actions: [Action], source: SourceReference? = nil) {
            self.trigger = trigger
            self.actions = actions
            self.source = source
        }
    }

    /// The condition for a step.
    public enum Trigger: Hashable, Sendable {
        case immediately
        /// An instant, counted by the clock.
        case at(Duration)
        /// A time since the previous step.
        case after(Duration)
        /// An event; for a command, the end of its exchange.
        case event(EventTrigger)

        package var isTimed: Bool {
            switch self {
            case .at, .after: true
            case .immediately, .event: false
            }
        }
    }

    public enum Action: Hashable, Sendable {
        /// Puts a card on a reader, by default the first.
        case tap(String, reader: String? = nil)
        case remove(String)
        /// Takes a card away and, after a gap, puts another card, or the same one, in its place.
        case swap(out: String, in: String, gap: Duration)
        /// Writes a remark into the trace.
        case note(String)
        /// Replaces a card with a new one of the same name.
        case set(String, NewCard)
        case plug(String)
        case unplug(String)
        /// Sends a line to the standard input of the client.
        case send(String)
    }

    struct Due: Hashable, Sendable {
        let instant: Duration
        /// The instant in card time, for actions that follow an event in the field: an external clock stands still while a
        /// reader model waits.
        var cardTime: Duration?
        let action: Action
        let source: SourceReference?
        let isTimed: Bool
    }

    /// The clock for `at`, `after` and gaps.
    public enum Clock: Hashable, Sendable {
        /// Card time, which advances by exchanges.
        case cardTime
        /// Card time that jumps to the next step once an exchange has met no card, so that only the client's exchanges
        /// determine when a step happens.
        case exchanges
        /// An external clock, read by ``World/clockReads(_:)``; events it triggers are marked as measured.
        case measured
    }

    public var clock: Clock = .cardTime
    /// Steps that have not happened yet.
    public private(set) var remaining: [Step]
    private var lastInstant: Duration = .zero
    /// The instant that `at` is counted from.
    private var origin: Duration = .zero
    private(set) var scheduled: [Due] = []
    /// The number of matching events each remaining step has seen.
    private var seen: [Int]

    public init(_ steps: [Step]) {
        remaining = steps
        seen = steps.map { _ in 0 }
    }

    /// A Boolean value that indicates whether no step and no action is left.
    public var isOver: Bool { remaining.isEmpty && scheduled.isEmpty }

    /// Sets the instant from which the clock counts.
    mutating func begin(at instant: Duration) {
        origin = instant
        lastInstant = instant
    }

    /// The instant of the next timed action; `nil` if there is none.
    var nextInstant: Duration? {
        guard !isOver else { return nil }
        let ofSteps = remaining.first.flatMap(dueInstant(of:))
        guard let next = scheduled.first?.instant else { return ofSteps }
        return ofSteps.map { min($0, next) } ?? next
    }

    /// Adds an action at an instant, after earlier actions with the same instant.
    ///
    /// - Parameter cardTime: The card time at which it also becomes due if an external clock has not reached its instant.
    mutating func schedule(
        _ action: Action, at instant: Duration, cardTime: Duration? = nil, source: SourceReference?, isTimed: Bool
    ) {
        let place = scheduled.firstIndex { $0.instant > instant } ?? scheduled.endIndex
        let due = Due(instant: instant, cardTime: cardTime, action: action, source: source, isTimed: isTimed)
        scheduled.insert(due, at: place)
    }

    /// The card time of the next action that follows an event in the field.
    var nextCardTime: Duration? { scheduled.compactMap(\.cardTime).min() }

    /// Removes and returns the first action that is due by card time.
    mutating func takeStep(dueByCardTime now: Duration) -> Due? {
        guard let place = scheduled.firstIndex(where: { $0.cardTime.map { $0 <= now } ?? false }) else { return nil }
        return scheduled.remove(at: place)
    }

    /// Removes and returns the next action due by an instant.
    mutating func takeStep(dueBy instant: Duration) -> Due? {
        while let step = remaining.first, let due = dueInstant(of: step), due <= instant {
            dropFirstStep()
            release(step, at: due)
        }
        guard let first = scheduled.first, first.instant <= instant else { return nil }
        return scheduled.removeFirst()
    }

    /// Counts an event for every step whose trigger it matches, and releases the first step if its trigger is satisfied.
    mutating func count(_ event: WorldEvent, at instant: Duration) {
        guard !remaining.isEmpty else { return }
        var isFirstMet = false
        for (index, step) in remaining.enumerated() {
            guard case .event(let trigger) = step.trigger, trigger.event.matches(event) else { continue }
            seen[index] += 1
            if index == 0 { isFirstMet = seen[index] >= trigger.nth }
        }
        guard isFirstMet else { return }
        let step = remaining[0]
        dropFirstStep()
        release(step, at: instant)
    }

    private mutating func dropFirstStep() {
        remaining.removeFirst()
        seen.removeFirst()
    }

    private mutating func release(_ step: Step, at instant: Duration) {
        lastInstant = instant
        for action in step.actions {
            schedule(action, at: instant, source: step.source, isTimed: step.trigger.isTimed)
        }
    }

    /// The lines of the timed steps that have not happened, except those waiting for an earlier step.
    var awaitedByClock: [SourceReference] {
        let first = remaining.first.flatMap { $0.trigger.isTimed && !$0.actions.isEmpty ? $0.source : nil }
        return scheduled.filter(\.isTimed).compactMap(\.source) + (first.map { [$0] } ?? [])
    }

    /// The cards that scenario steps have yet to bring, in order.
    var cardsToCome: [CardToCome] {
        let swapped = scheduled.compactMap { due -> CardToCome? in
            guard let source = due.source, let card = due.action.arrival else { return nil }
            return CardToCome(name: card, trigger: nil, source: source)
        }
        return swapped
            + remaining.flatMap { step in
                step.actions.compactMap(\.arrival).map {
                    CardToCome(name: $0, trigger: step.trigger, source: step.source)
                }
            }
    }

    private func dueInstant(of step: Step) -> Duration? {
        switch step.trigger {
        case .immediately: lastInstant
        case .at(let instant): max(origin + instant, lastInstant)
        case .after(let duration): lastInstant + duration
        case .event: nil
        }
    }
}

public struct CardToCome: Hashable, Sendable {
    public let name: String
    /// The trigger of its step; `nil` for the second card of a swap whose first card has left.
    public let trigger: Timeline.Trigger?
    public let source: SourceReference?
}

extension Timeline.Action {
    /// The arriving card; a swap in progress is scheduled as a tap.
    fileprivate var arrival: String? {
        switch self {
        case .tap(let name, _), .swap(_, let name, _): name
        case .remove, .note, .set, .plug, .unplug, .send: nil
        }
    }
}

/// A card that replaces another of the same name; two are equal if their descriptions are.
public struct NewCard: Hashable, Sendable {
    public let engine: any CardEngine
    public let description: String

    public init(_ engine: any CardEngine, description: String) {
        self.engine = engine
        self.description = description
    }

    public static func == (one: NewCard, other: NewCard) -> Bool { one.description == other.description }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
