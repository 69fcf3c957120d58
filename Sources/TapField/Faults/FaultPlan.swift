import TapWire

/// The faults of a run, and the only counter of their injections.
public struct FaultPlan: Sendable {
    /// A fault and its trigger.
    public struct Entry: Hashable, Sendable {
        /// The name in reports, or `nil` to use the fault's description.
        public var id: String?
        public var trigger: EventTrigger
        /// The minimum and maximum number of injections, from its trigger on.
        public var times: IntegerRange
        public var fault: Fault
        public var source: SourceReference?

        /// Creates the plan of a fault; `times` is the one of its kind by default.
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

        public var name: String { id ?? fault.description }
    }

    public struct Tally: Hashable, Sendable {
        /// The number of events that matched its trigger.
        public internal(set) var seen = 0
        /// The exchanges in which it was injected, counted from 1; 0 means before the first.
        public internal(set) var injected: [Int] = []
    }

    /// In the order of the scenario.
    public let entries: [Entry]
    public private(set) var tallies: [Tally]
    /// A Boolean value that indicates whether PC/SC calls are recorded, as sites for faults of the service.
    public let keepsCalls: Bool
    /// The PC/SC calls so far, if recorded; at most ``maximumCalls``.
    public private(set) var calls: [PCSCCall] = []
    public static let maximumCalls = 100_000
    /// Faults waiting for the next exchange they apply to.
    private var armed: [Int] = []

    public init(_ entries: [Entry] = [], keepsCalls: Bool = false) {
        self.entries = entries
        self.keepsCalls = keepsCalls
        tallies = entries.map { _ in Tally() }
    }

    public var isEmpty: Bool { entries.isEmpty }

    /// The entries injected fewer times than required.
    public var unmet: [(entry: Entry, tally: Tally)] {
        zip(entries, tallies).filter { $1.injected.count < $0.times.lower }.map { ($0, $1) }
    }

    /// The faults that were injected, in scenario order.
    package var injected: [Fault] { zip(entries, tallies).filter { !$1.injected.isEmpty }.map(\.0.fault) }

    public var hasChangedContent: Bool { injected.contains(where: \.kind.isOfContent) }

    /// Counts an event and returns the faults injected at it, in scenario order.
    ///
    /// If a fault does not apply to the event of its trigger and that event is not an exchange, the fault is armed: it is
    /// injected at the next exchange or phone event that it applies to. A fault of commands and answers counts only once it has
    /// changed one, see ``noteChange(by:)``.
    mutating func count(_ event: WorldEvent, exchange: Int, time: Duration) -> [FaultInjection] {
        if keepsCalls, case .call(let call) = event, calls.count < Self.maximumCalls { calls.append(call) }
        // No trigger waits for a command without a name.
        if case .command(let facts) = event, facts.name == nil { return [] }
        return entries.indices.filter { isDue($0, at: event) }.map { index in
            let injection = FaultInjection(
                entries[index].fault, event.command, exchange: exchange, source: entries[index].source, time: time,
                entry: index)
            if !injection.fault.kind.effect.showsInFrames { tally(injection) }
            return injection
        }
    }

    /// Counts an event for an entry, and returns whether its fault is injected now.
    private mutating func isDue(_ index: Int, at event: WorldEvent) -> Bool {
        let entry = entries[index]
        let fits = event.site.map(entry.fault.kind.fits) ?? false
        guard entry.trigger.event.matches(event) else {
            if case .call = event { return false }
            return armed.contains(index) && fits
        }
        tallies[index].seen += 1
        guard tallies[index].seen >= entry.trigger.nth, !isSpent(index) else { return false }
        if fits { return true }
        if !entry.trigger.event.isExchange, !armed.contains(index) { armed.append(index) }
        return false
    }

    /// Counts a change of a command or an answer; returns `false` if it was already counted.
    mutating func noteChange(by injection: FaultInjection) -> Bool {
        guard tallies[injection.entry].injected.last != injection.exchange else { return false }
        tally(injection)
        return true
    }

    private mutating func tally(_ injection: FaultInjection) {
        tallies[injection.entry].injected.append(injection.exchange)
        if isSpent(injection.entry) { armed.removeAll { $0 == injection.entry } }
    }

    private func isSpent(_ index: Int) -> Bool {
        tallies[index].injected.count >= entries[index].times.upper ?? .max
    }
}

extension WorldEvent {
    /// The command of an exchange; empty for other events.
    fileprivate var command: RFFrame {
        if case .command(let facts) = self { facts.frame } else { RFFrame(.typeA106, []) }
    }

    /// The site for faults at this event, if any.
    fileprivate var site: FaultSite? {
        switch self {
        case .command(let facts): facts.name.map(FaultSite.exchange)
        case .call(let call): .call(call)
        case .phone(let event): .phone(event)
        case .card, .reader, .client: nil
        }
    }
}
