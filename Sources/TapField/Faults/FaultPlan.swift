import TapWire

/// The faults of a run, and the only counter of when they strike.
public struct FaultPlan: Sendable {
    /// A fault and when it strikes.
    public struct Entry: Hashable, Sendable {
        /// The name by which reports speak of it, or nothing for the fault in words.
        public var id: String?
        /// What it waits for.
        public var trigger: EventTrigger
        /// How often it strikes, at least and at most; it begins with the event its trigger waits for.
        public var times: IntegerRange
        public var fault: Fault
        /// The line of the scenario that states it.
        public var source: SourceReference?

        /// Creates an entry.
        ///
        /// - Parameters:
        ///   - fault: The fault.
        ///   - trigger: What it waits for.
        ///   - times: How often it strikes; nothing for what is usual for its kind.
        ///   - id: The name by which reports speak of it.
        ///   - source: The line of the scenario that states it.
        public init(
            _ fault: Fault, when trigger: EventTrigger, times: IntegerRange? = nil,
            id: String? = nil, source: SourceReference? = nil
        ) {
            self.id = id
            self.trigger = trigger
            self.times = times ?? fault.kind.times
            self.fault = fault
            self.source = source
        }

        /// How reports speak of it.
        public var name: String { id ?? fault.description }
    }

    /// What became of an entry.
    public struct Tally: Hashable, Sendable {
        /// How many events were of the kind its trigger waits for.
        public internal(set) var seen = 0
        /// Numbers of the exchanges in which it struck, from 1; 0 for before the first.
        public internal(set) var struck: [Int] = []
    }

    /// The faults, in the order of the scenario.
    public let entries: [Entry]
    /// What became of each.
    public private(set) var tallies: [Tally]
    /// Whether calls of PC/SC are kept, to know where faults of the service can strike.
    public let keepsCalls: Bool
    /// The calls of PC/SC so far, if they are kept; at most ``maximumCalls``.
    public private(set) var calls: [PCSCCall] = []
    /// Most calls that are kept.
    public static let maximumCalls = 100_000
    /// Faults whose event has come and that strike in the next exchange they fit.
    private var armed: [Int] = []

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - entries: The faults.
    ///   - keepsCalls: Whether calls of PC/SC are kept.
    public init(_ entries: [Entry] = [], keepsCalls: Bool = false) {
        self.entries = entries
        self.keepsCalls = keepsCalls
        tallies = entries.map { _ in Tally() }
    }

    /// Whether there is nothing to strike.
    @inlinable public var isEmpty: Bool { entries.isEmpty }

    /// The entries that have struck less often than they have to.
    public var unmet: [(entry: Entry, tally: Tally)] {
        zip(entries, tallies).filter { $1.struck.count < $0.times.lower }.map { ($0, $1) }
    }

    /// Whether a fault has changed what cards hold from the beginning.
    public var hasChangedContent: Bool {
        zip(entries, tallies).contains { $0.fault.kind.isOfContent && !$1.struck.isEmpty }
    }

    /// Counts an event and gives the faults that strike now, in the order of the scenario.
    ///
    /// Faults that wait for something else than an exchange strike from the next one they fit on. A fault that only
    /// changes command or answer has struck once it has changed one, which ``hasChanged(_:)`` tells: until then it waits.
    mutating func strikes(
        at event: WorldEvent, exchange: Int, _ command: AirFrame, time: Duration
    ) -> [FaultStrike] {
        var found: [FaultStrike] = []
        for index in entries.indices where isDue(index, at: event) {
            let entry = entries[index]
            let strike = FaultStrike(
                fault: entry.fault, command: command, exchange: exchange, source: entry.source, time: time,
                entry: index)
            if !entry.fault.kind.effect.showsInFrames { tally(strike) }
            found.append(strike)
        }
        return found
    }

    /// Counts a call of PC/SC, gives the faults of readers and doors that strike in it, and arms those that wait for it
    /// and strike in an exchange.
    mutating func strikes(at call: PCSCCall, exchange: Int, time: Duration) -> [FaultStrike] {
        if keepsCalls, calls.count < Self.maximumCalls { calls.append(call) }
        var found: [FaultStrike] = []
        for index in entries.indices where entries[index].trigger.event.matches(.call(call)) {
            tallies[index].seen += 1
            guard tallies[index].seen >= entries[index].trigger.nth, !isSpent(index) else { continue }
            switch entries[index].fault.kind.effect {
            case .reader, .door: found.append(strike(index, exchange, time))
            default: arm(index)
            }
        }
        return found
    }

    /// Counts an event of a phone, gives the faults of phones that strike at it, those among them that an earlier event
    /// has armed, and arms those that wait for it and strike elsewhere.
    mutating func strikes(at event: PhoneEvent, exchange: Int, time: Duration) -> [FaultStrike] {
        var found: [FaultStrike] = []
        for index in entries.indices {
            let entry = entries[index]
            let fits = entry.fault.kind.scope.fits(event)
            if entry.trigger.event.matches(.phone(event)) {
                tallies[index].seen += 1
                guard tallies[index].seen >= entry.trigger.nth, !isSpent(index) else { continue }
                if fits { found.append(strike(index, exchange, time)) } else { arm(index) }
            } else if fits, armed.contains(index) {
                found.append(strike(index, exchange, time))
            }
        }
        return found
    }

    /// A strike outside of an exchange, which is counted.
    private mutating func strike(_ index: Int, _ exchange: Int, _ time: Duration) -> FaultStrike {
        let strike = FaultStrike(
            fault: entries[index].fault, command: AirFrame(.typeA106, []), exchange: exchange,
            source: entries[index].source, time: time, entry: index)
        tally(strike)
        return strike
    }

    /// Counts a strike that has changed a command or an answer.
    ///
    /// - Returns: Whether it was not counted yet.
    mutating func hasChanged(_ strike: FaultStrike) -> Bool {
        guard tallies[strike.entry].struck.last != strike.exchange else { return false }
        tally(strike)
        return true
    }

    private mutating func tally(_ strike: FaultStrike) {
        tallies[strike.entry].struck.append(strike.exchange)
        if isSpent(strike.entry) { armed.removeAll { $0 == strike.entry } }
    }

    /// Counts an event that is no exchange and arms what waited for it.
    mutating func count(_ event: WorldEvent) {
        for index in entries.indices where entries[index].trigger.event.matches(event) {
            tallies[index].seen += 1
            if tallies[index].seen >= entries[index].trigger.nth, !isSpent(index) { arm(index) }
        }
    }

    private mutating func arm(_ index: Int) {
        if !armed.contains(index) { armed.append(index) }
    }

    private func isSpent(_ index: Int) -> Bool {
        tallies[index].struck.count >= entries[index].times.upper ?? .max
    }

    private mutating func isDue(_ index: Int, at event: WorldEvent) -> Bool {
        let entry = entries[index]
        guard case .command(let facts) = event, let name = facts.name else { return false }
        if entry.trigger.event.matches(event) {
            tallies[index].seen += 1
            return tallies[index].seen >= entry.trigger.nth && !isSpent(index) && entry.fault.kind.scope.fits(name)
        }
        return armed.contains(index) && entry.fault.kind.scope.fits(name)
    }
}
