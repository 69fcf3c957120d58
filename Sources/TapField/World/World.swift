import TapCards
import TapWire

/// All that exists in a run: cards, the field, card time, chance, the timeline and the trace.
///
/// A world is a value: `let before = world` is a snapshot, assigning it back restores it. It never throws and chooses
/// nothing: time passes by exchanges and by ``advance(by:)``, chance comes from the seed, so that the same calls on
/// the same world give the same answers and the same trace.
public struct World: Sendable {
    /// How many frames a run may have unless somebody says otherwise, so that no client runs for ever.
    public static let usualExchangeLimit = 100_000

    /// Card time since the beginning of the run.
    public internal(set) var now: Duration = .zero
    /// How many frames readers have sent.
    public internal(set) var exchangeCount = 0
    /// How many frames readers may send; what comes after meets silence and leaves no trace.
    public var exchangeLimit = Int.max
    /// Whether a reader wanted more frames than the limit lets it have.
    public internal(set) var isExhausted = false
    /// How many of these frames were answered.
    var answerCount = 0
    /// Whether a host got anything of a card by what it asked for; what readers send by themselves to find cards does
    /// not count.
    public internal(set) var hasAnsweredHost = false
    /// How often a card has come before the reader or left it.
    public internal(set) var presenceCount = 0
    /// The card whose answer was received in the last exchange, an index into ``cards``; the strongest of several.
    public internal(set) var answeringCard: Int?
    /// The readers, at least one.
    public internal(set) var readers = [ReaderField()]
    /// The reader that acts, an index into ``readers``.
    public internal(set) var reader = 0
    /// The one card that is heard, an index into ``cards``; nothing for all.
    var onlyCard: Int?
    /// How often the world has called for somebody outside: a line to send, a limit reached.
    public internal(set) var callCount = 0
    /// Lines for the client that nobody has taken yet.
    var linesToSend: [String] = []
    /// Counts retries where they have a limit.
    var retries: RetryWatch?
    /// Looks for a client that only waits for the cards to go, where they go then.
    var presence: PresenceWatch?
    /// The cards, in the order of the scenario.
    public internal(set) var cards: [CardSlot] = []
    /// What is still to happen by itself.
    public internal(set) var timeline: Timeline
    /// What goes wrong, and what has gone wrong.
    public internal(set) var plan: FaultPlan
    /// What faults have left behind for the exchanges after theirs.
    var aftermath = FaultAftermath()
    /// What readers, doors and phones are to do wrong before the call under way is over.
    var readerFaults: [ReaderFault] = []
    var doorFaults: [DoorFault] = []
    var phoneFaults: [PhoneFault] = []
    /// What the reader last answered its host; kept only where a plan may want it.
    package var previousReaderAnswer: [UInt8]?
    /// What has happened.
    public var trace: Trace
    /// Chance and the state of the silicon, shared by all cards.
    public var context: CardContext
    /// Memory for the bytes of the next answer.
    var spareBytes: [UInt8] = []
    private var measured: Duration = .zero
    private var isPerformingMeasured = false

    /// Creates a world without cards.
    ///
    /// - Parameters:
    ///   - seed: The seed of everything drawn by chance.
    ///   - timeline: What happens by itself.
    ///   - plan: What goes wrong.
    ///   - trace: Where events go; by default nothing is kept.
    public init(seed: UInt64, timeline: Timeline = Timeline([]), plan: FaultPlan = FaultPlan(), trace: Trace = .off) {
        context = CardContext(random: SeededGenerator(seed: seed))
        self.timeline = timeline
        self.plan = plan
        self.trace = trace
    }

    /// Lets card time pass without an exchange; what the timeline holds for that time happens.
    public mutating func advance(by duration: Duration) {
        advance(to: now + max(.zero, duration))
    }

    /// Writes a remark into the trace.
    public mutating func note(_ text: String, source: SourceReference? = nil) {
        record(.note(text), source: source)
    }

    /// Makes the timeline follow a clock outside instead of card time.
    public mutating func followMeasuredClock() {
        timeline.clock = .measured
    }

    /// Tells the timeline what the clock outside reads, where it follows one; what is due happens now.
    ///
    /// - Parameter elapsed: Time since the beginning of the run.
    public mutating func clockReads(_ elapsed: Duration) {
        guard timeline.clock == .measured else { return }
        measured = max(measured, elapsed)
        performSteps(dueBy: measured)
    }

    // What doors ask in every exchange is inlined: a call into another module would get a copy of the whole world.

    /// Whether anything goes wrong in the run, or calls are to be counted.
    @inlinable package var isDisturbed: Bool { !plan.isEmpty || plan.keepsCalls }

    /// Whether nothing is left to happen by itself.
    public var isTimelineOver: Bool { timeline.isOver }

    /// Whether the timeline still holds something, or a fault may add to it.
    @inlinable public var hasPlans: Bool { !timeline.isOver || !plan.isEmpty }

    /// When the timeline next does something by the clock outside that it follows, since the beginning of the run;
    /// nothing if it waits for a command or follows card time.
    @inlinable public var nextMeasuredInstant: Duration? {
        timeline.isOver || timeline.clock != .measured ? nil : timeline.nextInstant
    }

    /// When the timeline next does something by card time, where it follows that; nothing if it waits for an event.
    public var nextPlannedInstant: Duration? {
        timeline.clock == .cardTime ? timeline.nextInstant : nil
    }

    /// Moves card time forward to an instant, performing what the timeline holds on the way, each at its own instant.
    mutating func advance(to instant: Duration) {
        if hasPlans, timeline.clock == .cardTime { performSteps(dueBy: instant) }
        now = max(now, instant)
    }

    /// The instant at which the timeline stands.
    var timelineNow: Duration {
        timeline.clock == .cardTime ? now : measured
    }

    private mutating func performSteps(dueBy instant: Duration) {
        while let step = timeline.takeStep(dueBy: instant) {
            if timeline.clock == .cardTime { now = max(now, step.instant) }
            isPerformingMeasured = step.isTimed && timeline.clock == .measured
            perform(step.action, source: step.source)
        }
        isPerformingMeasured = false
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

    /// Counts a command at the end of its exchange and performs what waited for it.
    mutating func countForTimeline(_ frame: AirFrame) {
        guard !timeline.isOver else { return }
        timeline.count(.command(CommandFacts(frame)), at: timelineNow)
        performDueSteps()
    }

    /// Performs what is due at the instant at which the timeline stands.
    mutating func performDueSteps() {
        performSteps(dueBy: timelineNow)
    }

    /// Writes an event into the trace; of several readers it names the one it happened at.
    mutating func record(_ kind: consuming TraceEvent.Kind, source: SourceReference? = nil, reader: Int? = nil) {
        let name = readers.count > 1 ? readers[reader ?? self.reader].name : nil
        trace.record(kind, at: now, source: source, isMeasured: isPerformingMeasured, reader: name)
    }
}
