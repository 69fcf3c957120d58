public import TapCards
import TapWire

/// The whole state of a run: a field with cards and readers, plans, and a log.
///
/// A world is a value: `let before = world` is a snapshot, and assigning it back restores it. It is deterministic: time
/// advances only through exchanges and ``advance(by:)``, and random numbers come from the seed, so the same calls on the same
/// world give the same answers and the same trace.
public struct World: Sendable {
    var field: CardField
    var plans: RunPlans
    var log: RunLog

    /// The default limit on the exchanges of a run, so that no client runs forever.
    public static let defaultExchangeLimit = 100_000

    /// Creates a world without cards, by default without a trace.
    public init(seed: UInt64, timeline: Timeline = Timeline([]), plan: FaultPlan = FaultPlan(), trace: Trace = .off) {
        field = CardField(seed: seed)
        plans = RunPlans(timeline, plan)
        log = RunLog(trace)
    }

    /// Returns a separate generator for a purpose other than the cards.
    package func chance(for someone: String) -> SeededGenerator { field.context.random.fork(someone) }
}

extension World {
    /// Card time since the start of the run.
    public var now: Duration { field.now }
    public var cards: [CardSlot] { field.cards }
    /// The readers, at least one.
    public var readers: [ReaderField] { field.readers }
    /// The active reader, an index into ``readers``.
    public var reader: Int { field.reader }
    /// The state of each card in the terms of its manual.
    package var cardStates: [TraceEvent.CardState] { cards.indices.map(field.state) }
    /// The number of times a card has arrived at a reader or left it.
    public var presenceCount: Int { field.presenceCount }
    /// The card whose answer was received in the last exchange, an index into ``cards``; the strongest of several.
    public var answeringCard: Int? { field.answeringCard }
    /// A Boolean value that indicates whether the field of the active reader is on.
    public var isFieldOn: Bool { field.isOn }
    /// Returns whether the card at an index is on the active reader and the reader is plugged in.
    public func isWithinReach(_ card: Int) -> Bool { field.isWithinReach(card) }
    /// The card the active reader prefers; `nil` if it has no preference or that card is not within reach.
    public var pickedCard: Int? { field.pickedCard }
    /// Random numbers and the physical state shared by all cards.
    public var context: CardContext {
        get { field.context }
        set { field.context = newValue }
    }
}

extension World {
    public var plan: FaultPlan { plans.faults }
    public var timeline: Timeline { plans.timeline }
    /// A Boolean value that indicates whether faults are planned or calls are to be counted.
    package var isDisturbed: Bool { !plans.faults.isEmpty || plans.faults.keepsCalls }
    public var isTimelineOver: Bool { plans.timeline.isOver }
    /// The cards that steps have yet to bring, or had yet to bring when the timeline was ended.
    public var cardsToCome: [CardToCome] { plans.cardsThatNeverCame + plans.timeline.cardsToCome }
    /// A Boolean value that indicates whether the timeline has steps left or a fault may add some.
    public var hasPlans: Bool { plans.areOpen }

    /// The instant of the next timed step by the external clock; `nil` if there is none or the timeline follows card time.
    public var nextMeasuredInstant: Duration? {
        plans.timeline.clock == .measured ? plans.timeline.nextInstant : nil
    }

    /// The instant of the next timed step by card time; `nil` if there is none or the timeline follows an external clock.
    public var nextPlannedInstant: Duration? {
        plans.timeline.clock != .measured ? plans.timeline.nextInstant : nil
    }
}

extension World {
    public var trace: Trace {
        get { log.trace }
        set { log.trace = newValue }
    }
    public var exchangeCount: Int { log.exchangeCount }
    /// The maximum number of frames; later frames meet silence and leave no trace.
    public var exchangeLimit: Int {
        get { log.exchangeLimit }
        set { log.exchangeLimit = newValue }
    }
    /// Sets the exchange limit; if `nil`, keeps the limit, or sets the default if there was none.
    package mutating func limitExchanges(to limit: Int?) {
        exchangeLimit = limit ?? (exchangeLimit == .max ? Self.defaultExchangeLimit : exchangeLimit)
    }

    /// Throws once a limit is reached.
    package func checkLimits() throws(LinkError) {
        guard exchangeCount < exchangeLimit else { throw .exchangeLimit(exchangeLimit) }
        if let stuckAfter { throw .retryLimit(stuckAfter) }
    }

    /// A Boolean value that indicates whether a reader has exceeded the exchange limit.
    public var isExhausted: Bool { log.isExhausted }
    /// The answers hosts got from cards through their own commands, not through their reader's search for cards.
    package var hostReading: HostReading { log.hostReading }
    package var traffic: Traffic { log.traffic }
    /// The number of notifications for the outside: lines to send, limits reached.
    public var callCount: Int { log.callCount }
    /// The retry limit, once readers have exceeded it.
    public var stuckAfter: Int? { log.stuckAfter }

    public mutating func note(_ text: String, source: SourceReference? = nil) {
        record(.note(text), source: source)
    }

    /// Records an event in the trace, with the name of the reader if there are several.
    mutating func record(_ kind: TraceEvent.Kind, source: SourceReference? = nil, reader: Int? = nil) {
        guard log.trace.isOn else { return }
        let name = field.readers.count > 1 ? field.readers[reader ?? field.reader].name : nil
        log.trace.record(kind, at: field.now, source: source, isMeasured: plans.isPerformingMeasured, reader: name)
    }
}

extension World {
    /// Advances card time without an exchange, and performs the steps that become due.
    public mutating func advance(by duration: Duration) {
        advance(to: now + max(.zero, duration))
    }

    /// Advances card time to an instant, and performs the steps that become due, each at its own instant.
    mutating func advance(to instant: Duration) {
        if plans.areOpen { performStepsByCardTime(to: instant) }
        field.now = max(field.now, instant)
    }

    /// Advances card time to the next action that follows an event in the field, such as the second card of a swap, if no card
    /// is in reach.
    ///
    /// For a reader that has looked for cards in vain: an external client may look again at any time. Steps with a time of
    /// their own happen at that time, and so does everything if the timeline follows an external clock.
    ///
    /// If the timeline follows exchanges, every timed step happens after an exchange that has met no card.
    package mutating func skipTimeWithoutCards() {
        let next: Duration? =
            switch plans.timeline.clock {
            case .cardTime: plans.timeline.nextCardTime
            case .exchanges: log.hasMetNoCard ? plans.timeline.nextInstant : nil
            case .measured: nil
            }
        guard let next, !hasCardInReach else { return }
        advance(to: next)
    }

    /// A Boolean value that indicates whether a card lies on the active reader.
    var hasCardInReach: Bool { cards.indices.contains(where: isWithinReach) }

    /// A Boolean value that indicates whether a visit must wait for remaining steps.
    ///
    /// If cards are on all readers and nobody communicates with them, card time stands still, so delayed steps, such as the
    /// second card of a swap, never happen.
    package var hasStepsToCome: Bool {
        let standsStill =
            plans.timeline.clock != .measured && plans.timeline.remaining.isEmpty
            && field.readers.indices.allSatisfy { reader in cards.contains { $0.isPresent && $0.reader == reader } }
        return !isTimelineOver && !standsStill
    }

    /// Makes the timeline follow an external clock instead of card time.
    public mutating func followMeasuredClock() {
        plans.timeline.clock = .measured
    }

    /// Makes the timeline follow the exchanges of the client.
    package mutating func followExchanges() {
        plans.timeline.clock = .exchanges
    }

    /// Performs the steps that are due by the external clock, if the timeline follows it.
    ///
    /// - Parameter elapsed: Time since the start of the run.
    public mutating func clockReads(_ elapsed: Duration) {
        guard plans.timeline.clock == .measured else { return }
        plans.measured = max(plans.measured, elapsed)
        performSteps(dueBy: plans.measured)
    }

    /// Replaces the timeline; instants of the new timeline count from now.
    public mutating func begin(_ timeline: Timeline) {
        var timeline = timeline
        timeline.clock = plans.timeline.clock
        timeline.begin(at: plans.instant(at: now))
        plans.timeline = timeline
        // A reader that looks only after cards have moved would never meet the empty field that its steps wait for.
        if timeline.clock == .exchanges, !timeline.isOver { field.presenceCount += 1 }
        performDueSteps()
    }

    /// Drops the rest of the timeline.
    ///
    /// - Returns: The lines of the steps that would have come next by an external clock.
    public mutating func endTimeline() -> [SourceReference] {
        let awaited = plans.timeline.clock == .measured ? plans.timeline.awaitedByClock : []
        plans.cardsThatNeverCame = cardsToCome
        begin(Timeline([]))
        return awaited
    }

    /// Drops everything that was planned, including faults.
    package mutating func dropPlans() {
        plans = RunPlans(Timeline([]), FaultPlan())
    }

    mutating func schedule(_ action: Timeline.Action, after time: Duration, source: SourceReference?) {
        plans.timeline.schedule(
            action, at: plans.instant(at: now) + time, cardTime: now + time, source: source, isTimed: true)
    }

    /// Performs the steps that become due while card time passes; if the timeline follows an external clock, only those that
    /// follow an event in the field.
    private mutating func performStepsByCardTime(to instant: Duration) {
        guard plans.timeline.clock == .measured else { return performSteps(dueBy: instant) }
        while let step = plans.timeline.takeStep(dueByCardTime: instant) {
            field.now = max(field.now, step.cardTime ?? field.now)
            perform(step.action, source: step.source)
        }
    }

    private mutating func performDueSteps() {
        performSteps(dueBy: plans.instant(at: now))
    }

    private mutating func performSteps(dueBy instant: Duration) {
        while let step = plans.timeline.takeStep(dueBy: instant) {
            if plans.timeline.clock != .measured { field.now = max(field.now, step.instant) }
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

    /// Counts an event for the timeline, and performs the steps that waited for it.
    mutating func advanceTimeline(_ event: WorldEvent) {
        guard !plans.timeline.isOver else { return }
        plans.timeline.count(event, at: plans.instant(at: now))
        performDueSteps()
    }
}
