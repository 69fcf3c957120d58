import TapCards
import TapWire

/// What happens by itself: cards come and go at instants, or when a client has sent a command.
///
/// Steps run in order: one waits until all before it are done. Source: scenario format 1, `timeline`.
public struct Timeline: Hashable, Sendable {
    /// One step.
    public struct Step: Hashable, Sendable {
        /// What it waits for.
        public var trigger: Trigger
        /// What then happens, in order.
        public var actions: [Action]
        /// The line of the scenario that states it.
        public var source: SourceReference?

        public init(_ trigger: Trigger, _ actions: [Action], source: SourceReference? = nil) {
            self.trigger = trigger
            self.actions = actions
            self.source = source
        }
    }

    /// What a step waits for.
    public enum Trigger: Hashable, Sendable {
        /// Nothing: it follows the step before it at once.
        case immediately
        /// An instant of card time.
        case at(Duration)
        /// A time since the step before it.
        case after(Duration)
        /// An event: of a command the end of its exchange.
        case event(EventTrigger)

        /// Whether a clock decides.
        var isTimed: Bool {
            switch self {
            case .at, .after: true
            case .immediately, .event: false
            }
        }
    }

    /// What a step does.
    public enum Action: Hashable, Sendable {
        /// A card comes before a reader, the first where none is named.
        case tap(String, reader: String? = nil)
        /// A card leaves the reader.
        case remove(String)
        /// A card leaves and, after a gap, another comes, or the same one again.
        case swap(out: String, in: String, gap: Duration)
        /// A remark goes into the trace.
        case note(String)
        /// A card is made anew, under its name.
        case set(String, NewCard)
        /// A reader is plugged in.
        case plug(String)
        /// A reader is unplugged.
        case unplug(String)
        /// A line goes to the standard input of the client.
        case send(String)
    }

    /// An action and when it is due.
    struct Due: Hashable, Sendable {
        let instant: Duration
        let action: Action
        let source: SourceReference?
        let isTimed: Bool
    }

    /// What `at`, `after` and gaps are counted in.
    public enum Clock: Hashable, Sendable {
        /// Card time: the timeline moves with the exchanges.
        case cardTime
        /// A clock outside, read by ``World/clockReads(_:)``: what it triggers is marked measured.
        case measured
    }

    /// What instants are counted in.
    public var clock: Clock = .cardTime
    /// Steps that have not happened.
    public private(set) var remaining: [Step]
    private var lastInstant: Duration = .zero
    /// The instant that `at` is counted from.
    private var origin: Duration = .zero
    private(set) var scheduled: [Due] = []
    /// How many events each remaining step has seen that its trigger fits.
    private var seen: [Int]

    public init(_ steps: [Step]) {
        remaining = steps
        seen = steps.map { _ in 0 }
    }

    /// Whether nothing is left to happen.
    public var isOver: Bool { remaining.isEmpty && scheduled.isEmpty }

    /// Counts instants from one of card time, or of the clock outside.
    mutating func begin(at instant: Duration) {
        origin = instant
        lastInstant = instant
    }

    /// When the next action is due that waits for a clock, or `nil` if none does.
    var nextInstant: Duration? {
        guard !isOver else { return nil }
        let ofSteps = remaining.first.flatMap(dueInstant(of:))
        guard let next = scheduled.first?.instant else { return ofSteps }
        return ofSteps.map { min($0, next) } ?? next
    }

    /// Adds an action at an instant, behind those of the same instant.
    mutating func schedule(_ action: Action, at instant: Duration, source: SourceReference?, isTimed: Bool) {
        let place = scheduled.firstIndex { $0.instant > instant } ?? scheduled.endIndex
        scheduled.insert(Due(instant: instant, action: action, source: source, isTimed: isTimed), at: place)
    }

    /// Takes the next action due by an instant.
    mutating func takeStep(dueBy instant: Duration) -> Due? {
        while let step = remaining.first, let due = dueInstant(of: step), due <= instant {
            dropFirstStep()
            release(step, at: due)
        }
        guard let first = scheduled.first, first.instant <= instant else { return nil }
        return scheduled.removeFirst()
    }

    /// Counts an event for every step that waits for such, and releases the first step if it is the one.
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

    /// The lines of the steps that wait for a clock and have not happened, those that wait for a step before them left out.
    var awaitedByClock: [SourceReference] {
        let first = remaining.first.flatMap { $0.trigger.isTimed && !$0.actions.isEmpty ? $0.source : nil }
        return scheduled.filter(\.isTimed).compactMap(\.source) + (first.map { [$0] } ?? [])
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

/// A card that takes the place of another of its name.
public struct NewCard: Hashable, Sendable {
    /// The card as it comes.
    public let engine: any CardEngine
    /// What it is in words; two that are the same in words are the same.
    public let description: String

    public init(_ engine: any CardEngine, description: String) {
        self.engine = engine
        self.description = description
    }

    /// Whether two are the same in words.
    public static func == (one: NewCard, other: NewCard) -> Bool { one.description == other.description }

    /// Hashes the words.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
