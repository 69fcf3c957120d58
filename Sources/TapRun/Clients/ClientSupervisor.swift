import TapDoors
import TapField
import TapJudge
import TapScenario
import TapWire

/// Looks after a program that reads cards: moves cards for each visit, sends lines, and ends the program when no more
/// cards come, when it idles, or when it keeps repeating the same command.
final class ClientSupervisor: ClientAttendant {
    private enum Phase {
        case unready
        case visit
        case gap(until: Duration)
        /// The cards have left a client that is not stated to stay.
        case left
    }

    private struct Look {
        let exchangeCount: Int
        let isExhausted: Bool
        let stuckAfter: Int?
        let hasStepsToCome: Bool
        let hasCards: Bool
        let presenceCount: Int
        let haveCardsLeft: Bool
        let isSearchFruitless: Bool

        init(_ world: World) {
            exchangeCount = world.exchangeCount + world.recordedReplyCount
            isExhausted = world.isExhausted
            stuckAfter = world.stuckAfter
            hasStepsToCome = world.hasStepsToCome
            hasCards = world.cards.contains(where: \.isPresent)
            presenceCount = world.presenceCount
            haveCardsLeft = world.haveCardsLeft
            isSearchFruitless = world.isSearchFruitless
        }
    }

    /// How often the field is looked at where no frame wakes the supervisor.
    private static let shortestLook = Duration.milliseconds(10)
    /// How long a client in a call that waits for cards has to idle before it counts as waiting.
    private static let waitingTime = VisitPlan.defaultQuiet

    private let host: FieldHost
    private let activity: () -> DoorActivity
    private let test: ScenarioCase
    private let client: ProgramClient
    private let visits: VisitPlan
    private let isStaying: Bool
    private let letsCardsLeave: Bool
    private let sendsLines: Bool
    private var output = OutputWatch()
    private var phase: Phase
    private var finished = 0
    private var exchangeCount = 0
    private var actions = 0
    private var presenceCount = 0
    private var lastActivity: Duration = .zero
    /// When it last ended a line or exchanged with a card, or had a card to notice that came or went.
    private var lastAction: Duration = .zero
    private var isNew = true
    private var hasNewLine = false
    private var isTouched = false
    private var isDone = false
    private(set) var reason: ClientReport.End?
    private(set) var moments = OutputMoments()
    /// Sentences for the report.
    private(set) var clockDecisions: [String] = []

    /// - Parameter host: The field, in which nothing has happened yet if the client stays.
    init(_ client: ProgramClient, _ test: ScenarioCase, on host: FieldHost, activity: @escaping () -> DoorActivity) {
        self.client = client
        self.test = test
        self.host = host
        self.activity = activity
        visits = test.visits ?? VisitPlan(1)
        isStaying = test.isClientStaying
        letsCardsLeave = isStaying || test.tapsAllAtStart
        sendsLines = test.timeline.remaining.contains { step in
            step.actions.contains { if case .send = $0 { true } else { false } }
        }
        phase = client.ready == nil ? .gap(until: .zero) : .unready
    }

    func wrote(_ bytes: [UInt8], to stream: ClientProcess.Stream) {
        isNew = true
        // Text redrawn on the same line, such as a spinner, is no progress.
        if bytes.contains(UInt8(ascii: "\n")) { hasNewLine = true }
        let (exchange, time) = host.perform(plansAhead: false) { ($0.exchangeCount, $0.now) }
        moments.add(bytes, to: stream, exchange, time)
        guard stream == .output else { return }
        let lines = output.take(bytes)
        // All lines at once: a client may write millions.
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
        if let idle = test.limits.idle, elapsed - lastActivity >= idle { return end(.idleLimit(idle)) }
        guard goOn(at: elapsed, look, activity, isBusy) else { return ClientOrders(isToEnd: true) }
        // Asked again, since a visit may just have begun.
        let (lines, hasPlans) = host.perform(plansAhead: false) { ($0.takeLines(), !$0.isTimelineOver) }
        return ClientOrders(
            input: lines.flatMap { Array($0.utf8) + [0x0A] }, mayWriteMore: sendsLines && (hasPlans || isMoreToCome),
            askAgain: nextLook(at: elapsed))
    }

    func ended() {
        // The client cannot have seen what comes later.
        let missed = host.perform { world in
            world.note(ClientEvent.exited)
            return world.endTimeline()
        }
        clockDecisions += missed.map { "the client ended before \($0) came" }
    }

    private func notice(_ look: Look, _ activity: DoorActivity, at elapsed: Duration) {
        let hasSent = look.exchangeCount != exchangeCount
        if hasSent || isNew { lastActivity = elapsed }
        let hasMoved = look.presenceCount != presenceCount
        if hasSent || hasNewLine || hasMoved || activity.actions != actions { lastAction = elapsed }
        isTouched = isTouched || hasSent
        (exchangeCount, presenceCount, actions) = (look.exchangeCount, look.presenceCount, activity.actions)
        (isNew, hasNewLine) = (false, false)
    }

    private var isMoreToCome: Bool {
        if case .visit = phase { finished + 1 < visits.count } else { finished < visits.count }
    }

    private func end(_ reason: ClientReport.End) -> ClientOrders {
        self.reason = reason
        return ClientOrders(isToEnd: true)
    }

    /// Goes from visit to visit; false if there is none left to wait for.
    private func goOn(at elapsed: Duration, _ look: Look, _ activity: DoorActivity, _ isBusy: () -> Bool) -> Bool {
        switch phase {
        case .unready: break
        case .gap(let end) where elapsed >= end:
            guard finished < visits.count else { return false }
            begin(at: elapsed)
        case .gap: break
        case .visit:
            guard !look.hasStepsToCome, isVisitOver(at: elapsed, look, activity, isBusy) else { break }
            host.perform { world in
                world.begin(Timeline([]))
                world.removeAll()
            }
            finished += 1
            phase = isStaying ? .gap(until: elapsed + visits.gap) : .left
            lastAction = elapsed
        case .left:
            // Another card never comes, so a client that waits for one is done.
            if look.isSearchFruitless { return false }
            guard isWaiting(at: elapsed, activity, isBusy) else { break }
            clockDecisions.append("the client was ended when it had only waited for another card for \(Self.timeText)")
            return false
        }
        return true
    }

    private func isVisitOver(at elapsed: Duration, _ look: Look, _ activity: DoorActivity, _ isBusy: () -> Bool) -> Bool
    {
        if isDone || look.haveCardsLeft { return true }
        guard isTouched else { return false }
        if isStaying, visits.done == nil, elapsed - lastActivity >= visits.quiet { return true }
        // A client whose cards a fault has taken may give up by itself.
        guard letsCardsLeave, visits.done == nil, look.hasCards, isWaiting(at: elapsed, activity, isBusy) else {
            return false
        }
        let reason = "the client had only waited for the card to go for \(Self.timeText)"
        host.perform { world in
            world.begin(Timeline([]))
            world.letCardsLeave(reason)
        }
        clockDecisions.append("the card left when \(reason)")
        return true
    }

    /// Whether the client has only waited for cards to come or go for a while; one that waits for a processor does not
    /// count.
    private func isWaiting(at elapsed: Duration, _ activity: DoorActivity, _ isBusy: () -> Bool) -> Bool {
        elapsed - lastAction >= Self.waitingTime && (activity.isPolling || activity.isWaiting && !isBusy())
    }

    private static var timeText: String { DurationText.of(waitingTime) }

    private func begin(at elapsed: Duration) {
        let number = finished + 1
        host.perform { world in
            if test.visits != nil { world.note("visit \(number) of \(visits.count)") }
            if isStaying { test.beginVisit(in: &world) }
            if letsCardsLeave, visits.done == nil { world.watchPresence() }
            world.note(ClientEvent.started)
            if client.ready != nil { world.note(ClientEvent.ready) }
        }
        phase = .visit
        // Cards present from the start may have been read before the first look.
        isTouched = isTouched && !isStaying
        (isDone, lastActivity, lastAction) = (false, elapsed, elapsed)
    }

    private func nextLook(at elapsed: Duration) -> Duration? {
        let idle = test.limits.idle.map { lastActivity + $0 }
        let next: Duration? =
            switch phase {
            case .unready: nil
            case .gap(let end): end
            case .visit where isStaying && visits.done == nil: elapsed + max(visits.quiet / 4, Self.shortestLook)
            case .visit where letsCardsLeave && visits.done == nil, .left: elapsed + Self.waitingTime / 4
            case .visit: nil
            }
        return [idle, next].compactMap(\.self).min()
    }
}

extension ClientSupervisor {
    func complete(_ report: ClientReport) -> ClientReport {
        var report = report
        if case .dismissed = report.end, let reason { report.end = reason }
        if case .unready = phase { report.missedReady = client.ready }
        guard test.visits != nil else { return report }
        var isLast = false
        // A client that counts visits may exit once it has read the last card.
        if case .visit = phase, case .exit = report.end { isLast = isTouched && finished + 1 == visits.count }
        report.visits = ClientReport.Visits(planned: visits.count, finished: finished + (isLast ? 1 : 0))
        return report
    }
}

extension ScenarioCase {
    /// Whether the client stays and waits for cards.
    var isClientStaying: Bool {
        guard case .program(let program)? = client else { return false }
        return program.ready != nil || visits != nil
    }
}

/// When a client wrote its output: after which exchange, at which card time.
struct OutputMoments {
    /// Most moments that are told apart; what is written later belongs to the last.
    private static let maximumCount = 10_000

    private struct Moment {
        let stream: ClientProcess.Stream
        /// Bytes of the stream up to here.
        var end: Int
        let exchange: Int
        let time: Duration
    }

    private var moments: [Moment] = []
    private var counts: [ClientProcess.Stream: Int] = [:]
    /// When the last bytes of a line came that has not ended.
    private var begun: [ClientProcess.Stream: (exchange: Int, time: Duration)] = [:]

    /// Adds what was written up to the last end of a line; the rest belongs to the next moment, unless that brings nothing but
    /// the end of the line.
    mutating func add(_ bytes: [UInt8], to stream: ClientProcess.Stream, _ exchange: Int, _ time: Duration) {
        let newline = UInt8(ascii: "\n")
        let before = counts[stream] ?? 0
        counts[stream] = before + bytes.count
        if bytes.first == newline, let begun = begun[stream] {
            addMoment(before + 1, of: stream, begun.exchange, begun.time)
        }
        if let last = bytes.lastIndex(of: newline), last > 0 || begun[stream] == nil {
            addMoment(before + last + 1, of: stream, exchange, time)
        }
        begun[stream] = bytes.last == newline ? nil : (exchange, time)
    }

    private mutating func addMoment(
        _ end: Int, of stream: ClientProcess.Stream, _ exchange: Int, _ time: Duration
    ) {
        let last = moments.indices.last
        if let last, moments[last].stream == stream, moments[last].exchange == exchange || last == Self.maximumCount - 1
        {
            moments[last].end = end
        } else if moments.count < Self.maximumCount {
            moments.append(Moment(stream: stream, end: end, exchange: exchange, time: time))
        }
    }

    /// The moments with places in the text of the streams instead of in their bytes.
    func marks(output: [UInt8], error: [UInt8]) -> [OutputMark] {
        var places: [ClientProcess.Stream: (bytes: Int, text: Int)] = [:]
        return moments.compactMap { moment in
            let bytes = moment.stream == .output ? output : error
            let place = places[moment.stream] ?? (0, 0)
            let end = min(moment.end, bytes.count)
            guard end > place.bytes else { return nil }
            let text = place.text + String(decoding: bytes[place.bytes..<end], as: UTF8.self).utf8.count
            places[moment.stream] = (end, text)
            let stream: OutputMark.Stream = moment.stream == .output ? .output : .error
            return OutputMark(stream, end: text, exchange: moment.exchange, time: moment.time)
        }
    }
}
