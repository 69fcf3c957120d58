public import TapCards
import TapWire

/// All that exists in a run: a field with cards and readers, a plan of what is to happen, and a log of what has.
///
/// A world is a value: `let before = world` is a snapshot, assigning it back restores it. It never throws and chooses
/// nothing: time passes by exchanges and by ``advance(by:)``, chance comes from the seed, so that the same calls on
/// the same world give the same answers and the same trace.
public struct World: Sendable {
    /// Cards, readers and card time.
    var field: CardField
    /// The timeline and the faults.
    var plans: RunPlans
    /// The trace and the counts.
    var log: RunLog

    /// How many frames a run may have by default, so that no client runs for ever.
    public static let defaultExchangeLimit = 100_000

    /// Creates a world without cards.
    ///
    /// - Parameters:
    ///   - seed: The seed of everything drawn by chance.
    ///   - timeline: What happens by itself.
    ///   - plan: What goes wrong.
    ///   - trace: Where events go; by default nothing is kept.
    public init(seed: UInt64, timeline: Timeline = Timeline([]), plan: FaultPlan = FaultPlan(), trace: Trace = .off) {
        field = CardField(seed: seed)
        plans = RunPlans(timeline, plan)
        log = RunLog(trace)
    }
}

/// What can be seen of the field.
extension World {
    /// Card time since the beginning of the run.
    public var now: Duration { field.now }
    /// The cards, in the order of the scenario.
    public var cards: [CardSlot] { field.cards }
    /// The readers, at least one.
    public var readers: [ReaderField] { field.readers }
    /// The reader that acts, an index into ``readers``.
    public var reader: Int { field.reader }
    /// How often a card has come before the reader or left it.
    public var presenceCount: Int { field.presenceCount }
    /// The card whose answer was received in the last exchange, an index into ``cards``; the strongest of several.
    public var answeringCard: Int? { field.answeringCard }
    /// Whether the field of the reader that acts is on.
    public var isFieldOn: Bool { field.isOn }
    /// Whether a card, by its index, lies before the reader that acts; none does before one that is unplugged.
    public func isWithinReach(_ card: Int) -> Bool { field.isWithinReach(card) }
    /// The card that the reader that acts takes if it can choose; `nil` if it has no choice or that card is away.
    public var pickedCard: Int? { field.pickedCard }
    /// Chance and the state of the silicon, shared by all cards.
    public var context: CardContext {
        get { field.context }
        set { field.context = newValue }
    }
}

/// What can be seen of the plan.
extension World {
    /// What goes wrong, and what has gone wrong.
    public var plan: FaultPlan { plans.faults }
    /// What is still to happen by itself.
    public var timeline: Timeline { plans.timeline }
    /// Whether anything goes wrong in the run, or calls are to be counted.
    package var isDisturbed: Bool { !plans.faults.isEmpty || plans.faults.keepsCalls }
    /// Whether nothing is left to happen by itself.
    public var isTimelineOver: Bool { plans.timeline.isOver }
    /// Whether the timeline still holds something, or a fault may add to it.
    public var hasPlans: Bool { plans.areOpen }

    /// When the timeline next does something by the clock outside that it follows, since the beginning of the run;
    /// `nil` if it waits for a command or follows card time.
    public var nextMeasuredInstant: Duration? {
        plans.timeline.clock == .measured ? plans.timeline.nextInstant : nil
    }

    /// When the timeline next does something by card time, where it follows that; `nil` if it waits for an event.
    public var nextPlannedInstant: Duration? {
        plans.timeline.clock == .cardTime ? plans.timeline.nextInstant : nil
    }
}

/// What can be seen of the log.
extension World {
    /// What has happened.
    public var trace: Trace {
        get { log.trace }
        set { log.trace = newValue }
    }
    /// How many frames readers have sent.
    public var exchangeCount: Int { log.exchangeCount }
    /// How many frames readers may send; what comes after meets silence and leaves no trace.
    public var exchangeLimit: Int {
        get { log.exchangeLimit }
        set { log.exchangeLimit = newValue }
    }
    /// Sees to it that no client runs for ever: readers may send so many frames, or as many as before, or the default
    /// number where there was no limit.
    package mutating func limitExchanges(to limit: Int?) {
        exchangeLimit = limit ?? (exchangeLimit == .max ? Self.defaultExchangeLimit : exchangeLimit)
    }

    /// Refuses a client one frame more once a limit is reached.
    package func checkLimits() throws(LinkError) {
        guard exchangeCount < exchangeLimit else { throw .exchangeLimit(exchangeLimit) }
        if let stuckAfter { throw .retryLimit(stuckAfter) }
    }

    /// Whether a reader wanted more frames than the limit lets it have.
    public var isExhausted: Bool { log.isExhausted }
    /// Whether a host got anything of a card by what it asked for; what readers send by themselves to find cards does
    /// not count.
    public var hasAnsweredHost: Bool { log.hasAnsweredHost }
    /// How often the world has called for somebody outside: a line to send, a limit reached.
    public var callCount: Int { log.callCount }
    /// How often in a row readers had sent the same command and got nowhere, when that was too often.
    public var stuckAfter: Int? { log.stuckAfter }

    /// Writes a remark into the trace.
    public mutating func note(_ text: String, source: SourceReference? = nil) {
        record(.note(text), source: source)
    }

    /// Writes an event into the trace; of several readers it names the one it happened at.
    mutating func record(_ kind: TraceEvent.Kind, source: SourceReference? = nil, reader: Int? = nil) {
        guard log.trace.isOn else { return }
        let name = field.readers.count > 1 ? field.readers[reader ?? field.reader].name : nil
        log.trace.record(kind, at: field.now, source: source, isMeasured: plans.isPerformingMeasured, reader: name)
    }
}

/// How time passes.
extension World {
    /// Lets card time pass without an exchange; what the timeline holds for that time happens.
    public mutating func advance(by duration: Duration) {
        advance(to: now + max(.zero, duration))
    }

    /// Moves card time forward to an instant, performing what the timeline holds on the way, each at its own instant.
    mutating func advance(to instant: Duration) {
        if plans.areOpen, plans.timeline.clock == .cardTime { performSteps(dueBy: instant) }
        field.now = max(field.now, instant)
    }

    /// Makes the timeline follow a clock outside instead of card time.
    public mutating func followMeasuredClock() {
        plans.timeline.clock = .measured
    }

    /// Tells the timeline what the clock outside reads, where it follows one; what is due happens now.
    ///
    /// - Parameter elapsed: Time since the beginning of the run.
    public mutating func clockReads(_ elapsed: Duration) {
        guard plans.timeline.clock == .measured else { return }
        plans.measured = max(plans.measured, elapsed)
        performSteps(dueBy: plans.measured)
    }

    /// Begins a timeline in place of the one that runs; its instants count from now.
    public mutating func begin(_ timeline: Timeline) {
        var timeline = timeline
        timeline.clock = plans.timeline.clock
        timeline.begin(at: plans.instant(at: now))
        plans.timeline = timeline
        performDueSteps()
    }

    /// Lets nothing happen by itself any more.
    ///
    /// - Returns: The lines of the steps that would have come next by a clock outside.
    public mutating func endTimeline() -> [SourceReference] {
        let awaited = plans.timeline.clock == .measured ? plans.timeline.awaitedByClock : []
        begin(Timeline([]))
        return awaited
    }

    /// Lets an action happen after some time.
    mutating func schedule(_ action: Timeline.Action, after time: Duration, source: SourceReference?) {
        plans.timeline.schedule(action, at: plans.instant(at: now) + time, source: source, isTimed: true)
    }

    /// Performs what is due at the instant at which the timeline stands.
    private mutating func performDueSteps() {
        performSteps(dueBy: plans.instant(at: now))
    }

    private mutating func performSteps(dueBy instant: Duration) {
        while let step = plans.timeline.takeStep(dueBy: instant) {
            if plans.timeline.clock == .cardTime { field.now = max(field.now, step.instant) }
            plans.isPerformingMeasured = step.isTimed && plans.timeline.clock == .measured
            perform(step.action, source: step.source)
        }
        plans.isPerformingMeasured = false
    }

    private mutating func perform(_ action: Timeline.Action, source: SourceReference?) {
        switch action {
        case .tap(let name, let reader): tap(name, before: reader, source: source)
        case .remove(let name): remove(name, source: source)
        case .swap(let out, let incoming, let gap): swap(out, for: incoming, after: gap, source: source)
        case .note(let text): note(text, source: source)
        case .set(let name, let card): replace(name, with: card.engine, source: source)
        case .plug(let name): plug(name, source: source)
        case .unplug(let name): unplug(name, source: source)
        case .send(let line): send(line, source: source)
        }
    }

    /// Counts an event for the timeline, and performs what waited for it.
    mutating func advanceTimeline(_ event: WorldEvent) {
        guard !plans.timeline.isOver else { return }
        plans.timeline.count(event, at: plans.instant(at: now))
        performDueSteps()
    }
}
