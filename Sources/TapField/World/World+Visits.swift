import TapWire

/// What the timeline asks of those outside, and how it begins anew.
extension World {
    /// Begins a timeline in place of the one that runs; its instants count from now.
    public mutating func begin(_ timeline: Timeline) {
        var timeline = timeline
        timeline.clock = self.timeline.clock
        timeline.begin(at: timelineNow)
        self.timeline = timeline
        performDueSteps()
    }

    /// Lets nothing happen by itself any more.
    ///
    /// - Returns: The lines of the steps that would have come next by a clock outside.
    public mutating func endTimeline() -> [SourceReference] {
        let awaited = timeline.clock == .measured ? timeline.awaitedByClock : []
        begin(Timeline([]))
        return awaited
    }

    /// Takes every card away from the readers.
    public mutating func removeAll() {
        for card in cards where card.isPresent { remove(card.name) }
    }

    /// Has a line sent to the standard input of the client.
    public mutating func send(_ line: String, source: SourceReference? = nil) {
        linesToSend.append(line)
        callCount += 1
        record(.note("sent to the client: \(line)"), source: source)
    }

    /// Takes the lines that are to be sent to the client, in their order.
    public mutating func takeLines() -> [String] {
        defer { linesToSend = [] }
        return linesToSend
    }

    /// Takes note of something that the client has done.
    package mutating func note(_ event: ClientEvent) {
        happened(.client(event))
    }

    /// Sets how often in a row readers may send the same command and get nowhere; what comes after meets silence.
    public mutating func limitRetries(_ limit: Int?) {
        retries = limit.map { RetryWatch(limit: $0) }
    }

    /// How often in a row readers had sent the same command and got nowhere, when that was too often.
    public var stuckAfter: Int? { retries?.isOver == true ? retries?.limit : nil }

    /// Lets the cards leave, from now on, as soon as a client does nothing with them any more but see whether they are
    /// still there.
    public mutating func watchPresence() {
        presence = PresenceWatch()
    }

    /// Lets the cards leave a client that waits for that, if they are to and nothing else is planned.
    ///
    /// - Parameter reason: What the client does, a clause.
    public mutating func letCardsLeave(_ reason: String) {
        guard presence?.hasLeft == false, timeline.isOver, cards.contains(where: \.isPresent) else { return }
        note("\(reason), so it leaves")
        presence = PresenceWatch(hasLeft: true)
        removeAll()
    }

    /// Whether the cards have left a client that waited for that.
    public var haveCardsLeft: Bool { presence?.hasLeft ?? false }

    /// Whether readers look for cards again and again since the cards have left.
    public var isSearchFruitless: Bool { haveCardsLeft && presence?.isOver ?? false }
}

/// What readers do for their hosts.
extension World {
    /// How many frames there were on air, and how many of them a card had answered.
    public struct AirCount: Hashable, Sendable {
        let frames: Int
        let answers: Int
    }

    /// What has been on air so far, to compare with after a command of a host.
    public var airCount: AirCount { AirCount(frames: exchangeCount, answers: answerCount) }

    /// Takes note of what a reader has made of a command of its host: a card has answered it, or it led to no frame and
    /// is an event of its own.
    ///
    /// - Parameters:
    ///   - before: What had been on air before the command.
    ///   - hasRead: Whether the host got something of a card without a frame; asked only then.
    ///   - call: The command; made only where it is an event. Nothing for a host that sends frames itself.
    public mutating func noteHost(
        since before: AirCount, hasRead: @autoclosure () -> Bool = false, _ call: @autoclosure () -> HostCall? = nil
    ) {
        guard exchangeCount == before.frames else {
            if answerCount != before.answers { hasAnsweredHost = true }
            return
        }
        // What comes when nothing is answered any more leaves no trace, as frames then do.
        guard !isExhausted, stuckAfter == nil else { return }
        if !hasAnsweredHost, hasRead() { hasAnsweredHost = true }
        if trace.isOn, let call = call() { record(.call(call)) }
    }
}

extension World {
    /// The name under which the trace speaks of a card that is none of the world's.
    public static let outsideCard = "card"

    /// Takes down an exchange that a real reader had with a real card, so that a run on hardware has a trace too.
    ///
    /// Its times are marked measured: another run differs.
    ///
    /// - Parameters:
    ///   - command: What the reader sent.
    ///   - answer: What came back, or nothing for silence.
    ///   - begin: When the reader was told to send, since the beginning of the run.
    ///   - end: When its answer was here.
    public mutating func takeDown(_ command: AirFrame, answer: AirFrame?, from begin: Duration, to end: Duration) {
        exchangeCount += 1
        now = max(now, begin)
        trace.record(.command(command), at: now, source: nil, isMeasured: true)
        now = max(now, end)
        let kind: TraceEvent.Kind =
            answer.map { .answer($0, card: Self.outsideCard, state: "", slot: nil) } ?? .silence(states: [])
        trace.record(kind, at: now, source: nil, isMeasured: true)
    }
}
