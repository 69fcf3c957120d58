import TapDoors
import TapField
import TapScenario

/// Looks after a program that reads cards: lets cards come when it is ready, and again for each visit, sends it lines,
/// and has it ended when it does nothing any more or goes round in circles.
final class ClientCare: ClientAttendant {
    private enum Phase {
        /// Cards wait for the client to be ready.
        case unready
        /// Cards come and go.
        case visit
        /// No card is there until an instant.
        case gap(until: Duration)
    }

    /// How often the field is looked at where nobody tells that a client has sent a frame.
    private static let shortestLook = Duration.milliseconds(10)

    private let host: FieldHost
    private let test: ScenarioCase
    private let client: ProgramClient
    private let visits: VisitPlan
    /// Whether the client is one that stays and is ended here.
    private let isStaying: Bool
    private let sendsLines: Bool
    private var output = OutputWatch()
    private var phase: Phase
    private var finished = 0
    private var exchangeCount = 0
    private var lastActivity: Duration = .zero
    private var isNew = true
    private var isTouched = false
    private var isDone = false
    /// Why the client was ended, where it had to be.
    private(set) var reason: ClientReport.End?

    /// Prepares for a client that is about to start.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - test: The case it runs for.
    ///   - host: The field, in which nothing has begun if ``isStaying`` is true of the case.
    init(_ client: ProgramClient, _ test: ScenarioCase, on host: FieldHost) {
        self.client = client
        self.test = test
        self.host = host
        visits = test.visits ?? VisitPlan(1)
        isStaying = test.isClientStaying
        sendsLines = test.timeline.remaining.contains { step in
            step.actions.contains { if case .send = $0 { true } else { false } }
        }
        phase = client.ready == nil ? .gap(until: .zero) : .unready
    }

    func wrote(_ bytes: [UInt8], to stream: ClientProcess.Stream) {
        isNew = true
        guard stream == .output else { return }
        let lines = output.take(bytes)
        // What came at once is noted at once: a client may write millions of lines.
        if !lines.isEmpty { host.perform { world in for line in lines { world.note(ClientEvent.line(line)) } } }
        if case .unready = phase, let ready = client.ready, output.hasSeen(ready) { phase = .gap(until: .zero) }
        if case .visit = phase, let done = visits.done, output.hasSeen(done) { isDone = true }
        output.forget()
    }

    func orders(at elapsed: Duration) -> ClientOrders {
        let seen = host.perform(plansAhead: false) { world in
            (world.exchangeCount, world.isExhausted, world.stuckAfter, !world.isTimelineOver)
        }
        if seen.0 != exchangeCount || isNew { lastActivity = elapsed }
        isTouched = isTouched || seen.0 != exchangeCount
        (exchangeCount, isNew) = (seen.0, false)
        if seen.1 { return end(.exchangeLimit) }
        if let limit = seen.2 { return end(.retryLimit(limit)) }
        if let idle = test.limits.idle, elapsed - lastActivity >= idle { return end(.idleLimit(idle)) }
        guard goOn(at: elapsed, hasPlans: seen.3) else { return ClientOrders(isToEnd: true) }
        // Asked for once more, since a visit may just have begun.
        let (lines, hasPlans) = host.perform(plansAhead: false) { ($0.takeLines(), !$0.isTimelineOver) }
        return ClientOrders(
            input: lines.flatMap { Array($0.utf8) + [0x0A] }, mayWriteMore: sendsLines && (hasPlans || isMoreToCome),
            askAgain: nextLook(at: elapsed))
    }

    private var isMoreToCome: Bool {
        if case .visit = phase { finished + 1 < visits.count } else { finished < visits.count }
    }

    private func end(_ reason: ClientReport.End) -> ClientOrders {
        self.reason = reason
        return ClientOrders(isToEnd: true)
    }

    /// Goes from visit to visit.
    ///
    /// - Returns: Whether there is one more, or the client ends by itself.
    private func goOn(at elapsed: Duration, hasPlans: Bool) -> Bool {
        switch phase {
        case .unready: break
        case .gap(let end) where elapsed >= end:
            guard finished < visits.count else { return false }
            begin(at: elapsed)
        case .gap: break
        case .visit:
            let isQuiet = visits.done == nil && isTouched && elapsed - lastActivity >= visits.quiet
            guard isStaying, isDone || isQuiet, !hasPlans else { break }
            host.perform { world in
                world.begin(Timeline([]))
                world.removeAll()
            }
            finished += 1
            phase = .gap(until: elapsed + visits.gap)
        }
        return true
    }

    private func begin(at elapsed: Duration) {
        let number = finished + 1
        host.perform { world in
            if test.visits != nil { world.note("visit \(number) of \(visits.count)") }
            if isStaying { test.beginVisit(in: &world) }
            world.note(ClientEvent.started)
            if client.ready != nil { world.note(ClientEvent.ready) }
        }
        phase = .visit
        (isTouched, isDone, lastActivity) = (false, false, elapsed)
    }

    private func nextLook(at elapsed: Duration) -> Duration? {
        let idle = test.limits.idle.map { lastActivity + $0 }
        let next: Duration? =
            switch phase {
            case .unready: nil
            case .gap(let end): end
            case .visit where isStaying && visits.done == nil: elapsed + max(visits.quiet / 4, Self.shortestLook)
            case .visit: nil
            }
        return [idle, next].compactMap(\.self).min()
    }
}

extension ClientCare {
    /// Adds what was seen of the client to a report.
    func complete(_ report: ClientReport) -> ClientReport {
        var report = report
        if case .dismissed = report.end, let reason { report.end = reason }
        if case .unready = phase { report.missedReady = client.ready }
        guard test.visits != nil else { return report }
        var isLast = false
        // A client that counts for itself may end by itself once it has read the last card.
        if case .visit = phase, case .exit = report.end { isLast = isTouched && finished + 1 == visits.count }
        report.visits = ClientReport.Visits(planned: visits.count, finished: finished + (isLast ? 1 : 0))
        return report
    }
}

extension ScenarioCase {
    /// Whether the client is one that stays and waits for cards.
    var isClientStaying: Bool {
        guard case .program(let program)? = client else { return false }
        return program.ready != nil || visits != nil
    }
}
