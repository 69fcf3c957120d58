import TapWire

/// What those outside tell the world, and what it has for them.
extension World {
    /// Tells the plan and the timeline of something that is no exchange.
    package mutating func happened(_ event: WorldEvent) {
        _ = countFaults(at: event)
        advanceTimeline(event)
    }

    /// Counts a call of PC/SC; what goes wrong with it is then to be had from ``takeReaderFaults(ofChip:)`` and
    /// ``takeDoorFaults()``.
    package mutating func called(_ call: PCSCCall) { happened(.call(call)) }

    /// Counts an event of a phone; what goes wrong at it is then to be had from ``takePhoneFaults()``.
    package mutating func happened(_ event: PhoneEvent) { happened(.phone(event)) }

    /// Takes note of something that a client has done with the reader that acts.
    package mutating func note(_ event: ReaderEvent) { happened(.reader(event, name: readers[reader].name)) }

    /// Takes note of something that the client has done.
    package mutating func note(_ event: ClientEvent) { happened(.client(event)) }

    /// What the phone is to do wrong with the session or the call under way; asked for once.
    package mutating func takePhoneFaults() -> [PhoneFault] {
        defer { plans.hostFaults.phone = [] }
        return plans.hostFaults.phone
    }

    /// What the service is to do wrong with the call under way; asked for once.
    package mutating func takeDoorFaults() -> [DoorFault] {
        defer { plans.hostFaults.door = [] }
        return plans.hostFaults.door
    }

    /// What the reader is to do wrong with the command it carries out; asked for once.
    ///
    /// - Parameter ofChip: Whether the chip inside the reader asks, or the reader around it.
    package mutating func takeReaderFaults(ofChip: Bool) -> [ReaderFault] {
        defer { plans.hostFaults.reader.removeAll { $0.isOfChip == ofChip } }
        return plans.hostFaults.reader.filter { $0.isOfChip == ofChip }
    }

    /// What the reader last answered its host; kept only where a plan may want it.
    package var previousReaderAnswer: [UInt8]? {
        get { plans.previousReaderAnswer }
        set { plans.previousReaderAnswer = newValue }
    }

    /// How long faults have delayed answers since this was last asked.
    ///
    /// Who lets a client wait that is outside of card time lets it wait that much longer.
    public mutating func takeUnpaidDelay() -> Duration {
        defer { plans.aftermath.unpaidDelay = .zero }
        return plans.aftermath.unpaidDelay
    }

    /// Has a line sent to the standard input of the client.
    public mutating func send(_ line: String, source: SourceReference? = nil) {
        plans.linesToSend.append(line)
        log.callCount += 1
        note("sent to the client: \(line)", source: source)
    }

    /// Takes the lines that are to be sent to the client, in their order.
    public mutating func takeLines() -> [String] {
        defer { plans.linesToSend = [] }
        return plans.linesToSend
    }
}

/// Clients that repeat themselves.
extension World {
    /// Sets how often in a row readers may send the same command and get nowhere; what comes after meets silence.
    public mutating func limitRetries(_ limit: Int?) {
        log.retries = limit.map { RetryWatch(limit: $0) }
    }

    /// Lets the cards leave, from now on, as soon as a client does nothing with them any more but see whether they are
    /// still there.
    public mutating func watchPresence() {
        log.presence = PresenceWatch()
    }

    /// Lets the cards leave a client that waits for that, if they are to and nothing else is planned.
    ///
    /// - Parameter reason: What the client does, a clause.
    public mutating func letCardsLeave(_ reason: String) {
        guard log.presence?.hasLeft == false, isTimelineOver, cards.contains(where: \.isPresent) else { return }
        note("\(reason), so it leaves")
        log.presence = PresenceWatch(hasLeft: true)
        removeAll()
    }

    /// Whether the cards have left a client that waited for that.
    public var haveCardsLeft: Bool { log.presence?.hasLeft ?? false }

    /// Whether readers look for cards again and again since the cards have left.
    public var isSearchFruitless: Bool { haveCardsLeft && log.presence?.isOver ?? false }
}

/// What readers do for their hosts.
extension World {
    /// How many frames there were on air, and how many of them a card had answered.
    public struct AirCount: Hashable, Sendable {
        let frames: Int
        let answers: Int
    }

    /// What has been on air so far, to compare with after a command of a host.
    public var airCount: AirCount { AirCount(frames: log.exchangeCount, answers: log.answerCount) }

    /// Takes note of what a reader has made of a command of its host: a card has answered it, or it led to no frame and
    /// is an event of its own.
    ///
    /// - Parameters:
    ///   - before: What had been on air before the command.
    ///   - hasRead: Whether the host got something of a card without a frame; asked only then.
    ///   - call: The command; made only where it is an event. `nil` for a host that sends frames itself.
    public mutating func noteHost(
        since before: AirCount, hasRead: @autoclosure () -> Bool = false, _ call: @autoclosure () -> HostCall? = nil
    ) {
        guard log.exchangeCount == before.frames else {
            if log.answerCount != before.answers { log.hasAnsweredHost = true }
            return
        }
        // What comes when nothing is answered any more leaves no trace, as frames then do.
        guard !isExhausted, stuckAfter == nil else { return }
        if !hasAnsweredHost, hasRead() { log.hasAnsweredHost = true }
        if log.trace.isOn, let call = call() { record(.call(call)) }
    }

    /// The name under which the trace speaks of a card that is none of the world's.
    public static let outsideCard = "card"

    /// Takes down an exchange that a real reader had with a real card, so that a run on hardware has a trace too.
    ///
    /// Its times are marked measured: another run differs.
    ///
    /// - Parameters:
    ///   - command: What the reader sent.
    ///   - answer: What came back, or `nil` for silence.
    ///   - begin: When the reader was told to send, since the beginning of the run.
    ///   - end: When its answer was here.
    public mutating func takeDown(_ command: AirFrame, answer: AirFrame?, from begin: Duration, to end: Duration) {
        log.exchangeCount += 1
        field.now = max(now, begin)
        log.trace.record(.command(command), at: now, source: nil, isMeasured: true)
        field.now = max(now, end)
        let kind: TraceEvent.Kind =
            answer.map { .answer($0, card: Self.outsideCard, state: "", slot: nil) } ?? .silence(states: [])
        log.trace.record(kind, at: now, source: nil, isMeasured: true)
    }
}
