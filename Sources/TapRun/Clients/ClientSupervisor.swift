import TapTransports
import TapHost
import TapSystem
import TapField
import TapJudge
import TapScenario
import TapWire

/// Supervises a program that reads cards.
///
/// It moves cards for each visit, sends lines, and ends the program after the last visit if it is stated to stay, when it is
/// idle, or when it keeps repeating the same command.
final class ClientSupervisor: ClientAttendant {
    private enum Phase {
        case unready
        case visit
        case gap(until: Duration)
        /// The cards have left a client that is not stated to stay; the client decides when to exit.
        case left
    }

    private struct Look {
        let exchangeCount: Int
        let use: Use
        let isExhausted: Bool
        let stuckAfter: Int?
        let hasStepsToCome: Bool
        let hasCards: Bool
        let presenceCount: Int
        let workCount: Int
        let awaitedLine: String?
        let haveCardsLeft: Bool

        init(_ world: World) {
            exchangeCount = world.exchangeCount + world.recordedReplyCount
            use = Use(reading: world.hostReading, replyCount: world.recordedReplyCount)
            isExhausted = world.isExhausted
            stuckAfter = world.stuckAfter
            hasStepsToCome = world.hasStepsToCome
            hasCards = world.cards.contains(where: \.isPresent)
            presenceCount = world.presenceCount
            workCount = world.workCount
            awaitedLine = world.awaitedLine
            haveCardsLeft = world.haveCardsLeft
        }
    }

    /// The use of cards by the client; a PC/SC reader also looks for cards by itself.
    private struct Use: Equatable {
        var reading = HostReading()
        var replyCount = 0
        var transport = TransportActivity()

        func with(_ activity: TransportActivity) -> Use {
            var use = self
            // Whether the client waits right now is no use of a card.
            use.transport = TransportActivity(checks: activity.checks, actions: activity.actions)
            return use
        }
    }

    /// The interval for checking the field when no frame wakes the supervisor.
    private static let shortestLook = Duration.milliseconds(10)
    /// The idle time after which a client in a call that waits for cards counts as waiting.
    private static let waitingTime = VisitPlan.defaultQuiet
    /// The time that processes of a client have to end after the client.
    private static let closingTime = Duration.seconds(2)
    /// The longest pause in which such a process has the reader closed.
    private static let pauseTime = Duration.milliseconds(300)
    /// The time for which a client may only look for cards while one of its lines is awaited.
    private static let searchingTime = Duration.seconds(10)

    private let host: FieldHost
    private let activity: () -> TransportActivity
    private let isReaderOpen: () -> Bool
    private let resultFile: () -> [UInt8]?
    private let test: ScenarioCase
    private let client: ProgramClient
    private let visits: VisitPlan
    private let isStaying: Bool
    private let letsCardsLeave: Bool
    private let sendsLines: Bool
    private var output = OutputWatch()
    /// The output of the client, if matching output may end the client.
    private var written: [ClientProcess.Stream: [UInt8]] = [:]
    private var phase: Phase
    private var finished = 0
    private var exchangeCount = 0
    private var transport = TransportActivity()
    private var presenceCount = 0
    private var workCount = 0
    private var lastActivity: Duration = .zero
    /// The first and the last time at which it only looked for cards, with no output and no card movement since.
    private var searching: (first: Duration, last: Duration)?
    /// The time of its last complete line, its last exchange with a card, or the last card movement for it to notice.
    private var lastAction: Duration = .zero
    private var isNew = true
    private var hasNewLine = false
    private var isTouched = false
    /// The use of cards before the visit.
    private var earlierUse = Use()
    /// The numbers of the visits that the client reported as done without using the card.
    private var unread: [Int] = []
    private var isDone = false
    private var isWaitingForCards = false
    private var hasLeftReaderInUse = false
    private(set) var reason: ClientReport.End?
    private(set) var moments = OutputMoments()
    /// Sentences for the report.
    private(set) var clockDecisions: [String] = []

    /// - Parameters:
    ///   - host: The field, in which nothing has happened yet if the client stays.
    ///   - isReaderOpen: Returns whether a process has a reader open.
    ///   - resultFile: Returns the contents of the file with the client's result, if there is one.
    init(
        _ client: ProgramClient, _ test: ScenarioCase, on host: FieldHost, activity: @escaping () -> TransportActivity,
        isReaderOpen: @escaping () -> Bool = { false }, resultFile: @escaping () -> [UInt8]? = { nil }
    ) {
        self.client = client
        self.test = test
        self.host = host
        self.activity = activity
        self.isReaderOpen = isReaderOpen
        self.resultFile = resultFile
        visits = test.visits ?? VisitPlan(1)
        isStaying = test.isClientStaying
        letsCardsLeave = isStaying || test.tapsAllAtStart
        sendsLines = test.timeline.remaining.contains { step in
            step.actions.contains { if case .send = $0 { true } else { false } }
        }
        phase = client.ready == nil ? .gap(until: .zero) : .unready
        host.perform(plansAhead: false) { $0.countWork() }
    }

    func wrote(_ bytes: [UInt8], to stream: ClientProcess.Stream) {
        isNew = true
        // Text redrawn on the same line, such as a spinner, is not progress.
        if bytes.contains(UInt8(ascii: "\n")) { hasNewLine = true }
        let (exchange, time) = host.perform(plansAhead: false) { ($0.exchangeCount, $0.now) }
        moments.add(bytes, to: stream, exchange, time)
        if test.outputSuffices, written[stream, default: []].count < ResultSpec.maximumFileLength {
            written[stream, default: []] += bytes
        }
        guard stream == .output else { return }
        let lines = output.take(bytes)
        // Notes all lines in one call: a client may write millions.
        if !lines.isEmpty { host.perform { world in for line in lines { world.note(ClientEvent.line(line)) } } }
        if case .unready = phase, let ready = client.ready, output.hasSeen(ready) { phase = .gap(until: .zero) }
        if case .visit = phase, let done = visits.done, output.hasSeen(done) { isDone = true }
        output.forget()
    }

    func orders(at elapsed: Duration, isBusy: () -> Bool) -> ClientOrders {
        let look = host.perform(plansAhead: false) { Look($0) }
        let activity = self.activity()
        notice(look, activity, at: elapsed)
        if look.isExhausted { return end(.exchangeLimit) }
        if let limit = look.stuckAfter { return end(.retryLimit(limit)) }
        if let text = awaitedLine(look), let searching, searching.last - searching.first >= Self.searchingTime {
            return end(.lineLimit(text, Self.searchingTime))
        }
        if let idle = test.limits.idle, elapsed - lastActivity >= idle { return end(.idleLimit(idle)) }
        guard goOn(at: elapsed, look, activity, isBusy) else { return ClientOrders(isToEnd: true) }
        // Checked again, since a visit may just have begun.
        let (lines, hasPlans) = host.perform(plansAhead: false) { ($0.takeLines(), !$0.isTimelineOver) }
        return ClientOrders(
            input: lines.flatMap { Array($0.utf8) + [0x0A] }, mayWriteMore: sendsLines && (hasPlans || isMoreToCome),
            nextCheck: nextLook(at: elapsed))
    }

    func ended() {
        // A client may do everything after the last look.
        let hasUsed = isTouched || use != earlierUse
        if isDone, !hasUsed, case .visit = phase { unread.append(finished + 1) }
        isTouched = isDone || hasUsed
        // The client cannot have seen later events.
        let missed = host.perform { world in
            world.note(ClientEvent.exited)
            return world.endTimeline()
        }
        clockDecisions += missed.map { "the client ended before \($0) came" }
        hasLeftReaderInUse = reason == nil && !mayBeEnded && isReaderUsedByOthers
    }

    private var use: Use { host.perform(plansAhead: false) { Look($0).use }.with(activity()) }

    /// A Boolean value that indicates whether the case states that TapSim ends the client, or a part of it.
    private var mayBeEnded: Bool { isStaying || client.killAfter != nil || test.outputSuffices }

    /// A Boolean value that indicates whether a process that the client has started still uses the reader, or has it open for
    /// long.
    private var isReaderUsedByOthers: Bool {
        let (end, before) = (ContinuousClock.now, use)
        while true {
            let hasProcesses = Leftovers.hasOrphans
            if hasProcesses, use != before { return true }
            let isOpen = isReaderOpen()
            guard .now < end + Self.closingTime else { return isOpen }
            // Between two uses, a process may close the reader, and wait for a processor.
            let mayGoOn = hasProcesses && (.now < end + Self.pauseTime || Leftovers.hasBusyOrphans)
            guard isOpen || mayGoOn else { return false }
            BlockingThread.sleep(until: .now + Self.shortestLook)
        }
    }

    private func notice(_ look: Look, _ activity: TransportActivity, at elapsed: Duration) {
        let hasSent = look.exchangeCount != exchangeCount
        if hasSent || isNew { lastActivity = elapsed }
        let hasMoved = look.presenceCount != presenceCount
        let hasCalled = activity.actions != transport.actions
        if hasNewLine || hasMoved || !hasLeft && (hasSent || hasCalled) { lastAction = elapsed }
        if isNew || hasMoved || look.workCount != workCount { searching = nil }
        if hasSent || hasCalled || activity.checks != transport.checks || activity.isWaiting {
            // A client that does something else in between, such as a slow start, starts over.
            let first = searching.flatMap { elapsed - $0.last <= Self.searchingTime / 2 ? $0.first : nil }
            searching = (first ?? elapsed, elapsed)
        }
        isTouched = isTouched || look.use.with(activity) != earlierUse
        (exchangeCount, presenceCount, workCount) = (look.exchangeCount, look.presenceCount, look.workCount)
        (isNew, hasNewLine, transport) = (false, false, activity)
    }

    private var hasLeft: Bool { if case .left = phase { true } else { false } }

    /// Returns the text that a line of the client must contain before cards move on.
    private func awaitedLine(_ look: Look) -> String? {
        switch phase {
        case .unready: client.ready?.description
        case .visit: look.awaitedLine ?? (look.hasStepsToCome ? nil : visits.done?.description)
        case .gap, .left: nil
        }
    }

    private var isMoreToCome: Bool {
        if case .visit = phase { finished + 1 < visits.count } else { finished < visits.count }
    }

    private func end(_ reason: ClientReport.End) -> ClientOrders {
        self.reason = reason
        return ClientOrders(isToEnd: true)
    }

    /// Moves from visit to visit; returns false if there is none left to wait for.
    private func goOn(at elapsed: Duration, _ look: Look, _ activity: TransportActivity, _ isBusy: () -> Bool) -> Bool {
        switch phase {
        case .unready: break
        case .gap(let end) where elapsed >= end:
            guard finished < visits.count else { return false }
            begin(at: elapsed)
        case .gap: break
        case .visit where !isStaying && presenceCount > 0 && !look.hasCards && !look.hasStepsToCome:
            // A timeline, a fault or the world itself has removed the last card.
            (phase, lastAction) = (.left, elapsed)
        case .visit:
            guard !look.hasStepsToCome, isVisitOver(at: elapsed, look, activity, isBusy) else { break }
            host.perform { world in
                world.begin(Timeline([]))
                world.removeAll()
            }
            finished += 1
            if isDone, !isTouched, look.hasCards { unread.append(finished) }
            phase = isStaying ? .gap(until: elapsed + visits.gap) : .left
            lastAction = elapsed
        case .left:
            // Without a card, the client can only look for one, by whatever transport.
            isWaitingForCards =
                !look.hasCards && elapsed - lastAction >= Self.waitingTime && (searching != nil || !isBusy())
            guard isWaitingForCards, test.outputSuffices, isOutputMet else { break }
            clockDecisions.append(
                "TapSim ended the client, whose output is as expected, when it had only waited for another card for "
                    + Self.timeText)
            return false
        }
        return true
    }

    /// A Boolean value that indicates whether the client's output so far meets the expectations of the case.
    private var isOutputMet: Bool {
        let output = written[.output] ?? []
        let report = ClientReport(
            end: .elsewhere, standardOutput: String(decoding: output, as: UTF8.self),
            standardError: String(decoding: written[.error] ?? [], as: UTF8.self),
            result: client.result.result(standardOutput: output, file: resultFile()))
        return Judge.isOutputMet(test, RunRecord(world: host.snapshot, client: report))
    }

    private func isVisitOver(at elapsed: Duration, _ look: Look, _ activity: TransportActivity, _ isBusy: () -> Bool)
        -> Bool
    {
        if isDone || look.haveCardsLeft { return true }
        guard isTouched else { return false }
        if isStaying, visits.done == nil, elapsed - lastActivity >= visits.quiet { return true }
        // A client whose cards were removed by a fault may give up by itself.
        guard letsCardsLeave, visits.done == nil, look.hasCards, isWaiting(at: elapsed, activity, isBusy) else {
            return false
        }
        let reason = "the client had waited \(Self.timeText) for the card to leave, doing nothing else"
        host.perform { world in
            world.begin(Timeline([]))
            world.letCardsLeave(reason)
        }
        clockDecisions.append("the card left when \(reason)")
        return true
    }

    /// Returns whether the client has only waited for its card to leave for a while.
    ///
    /// A client that waits for a processor, or for a card that it has not been shown, does not count.
    private func isWaiting(at elapsed: Duration, _ activity: TransportActivity, _ isBusy: () -> Bool) -> Bool {
        elapsed - lastAction >= Self.waitingTime && !activity.awaitsArrival
            && (activity.isPolling || activity.isWaiting && !isBusy())
    }

    private static var timeText: String { DurationText.of(waitingTime) }

    private func begin(at elapsed: Duration) {
        let number = finished + 1
        let transport = activity()
        host.perform { world in
            earlierUse = Look(world).use.with(transport)
            if test.visits != nil { world.note(ClientReport.Visits.note(number, of: visits.count)) }
            if isStaying { test.beginVisit(in: &world, number: number) }
            if letsCardsLeave, visits.done == nil { world.watchPresence() }
            world.note(ClientEvent.started)
            if client.ready != nil { world.note(ClientEvent.ready) }
        }
        phase = .visit
        // Cards present from the start may have been read before the first check.
        isTouched = isTouched && !isStaying
        (isDone, lastActivity, lastAction) = (false, elapsed, elapsed)
    }

    private func nextLook(at elapsed: Duration) -> Duration? {
        let idle = test.limits.idle.map { lastActivity + $0 }
        let next: Duration? =
            switch phase {
            case .gap(let end): end
            case .visit where isStaying && visits.done == nil: elapsed + max(visits.quiet / 4, Self.shortestLook)
            case .visit where letsCardsLeave && visits.done == nil, .left: elapsed + Self.waitingTime / 4
            case .visit, .unready: elapsed + Self.searchingTime / 4
            }
        return [idle, next].compactMap(\.self).min()
    }
}

extension ClientSupervisor {
    func complete(_ report: ClientReport) -> ClientReport {
        var report = report
        if case .dismissed = report.end, let reason { report.end = reason }
        if case .unready = phase { report.missedReady = client.ready }
        report.isWaitingForCards = isWaitingForCards
        if case .exit = report.end { report.hasLeftReaderInUse = hasLeftReaderInUse }
        // A client that ended between its ready line and the first card has stayed for no visit.
        let hasMissedCards = if case .gap = phase { isStaying && finished == 0 } else { false }
        guard test.visits != nil || hasMissedCards else { return report }
        var isLast = false
        // A client that counts visits may exit once it has read the last card.
        if case .visit = phase, case .exit = report.end { isLast = isTouched && finished + 1 == visits.count }
        report.visits = ClientReport.Visits(
            planned: visits.count, finished: finished + (isLast ? 1 : 0), unread: unread)
        return report
    }
}

extension ScenarioCase {
    /// A Boolean value that indicates whether the client stays and waits for cards.
    var isClientStaying: Bool {
        guard case .program(let program)? = client else { return false }
        return program.ready != nil || visits != nil
    }
}
