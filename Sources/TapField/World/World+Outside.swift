import TapCards
import TapWire

/// Communication between the world and the outside.
extension World {
    /// Reports an event other than an exchange to the plan and the timeline.
    package mutating func happened(_ event: WorldEvent) {
        _ = countFaults(at: event)
        advanceTimeline(event)
    }

    /// Counts a PC/SC call; its faults are then taken by ``takeReaderFaults(ofChip:)`` and ``takeTransportFaults()``.
    package mutating func called(_ call: PCSCCall) { happened(.call(call)) }

    /// Counts a phone event; its faults are then taken by ``takePhoneFaults()``.
    package mutating func happened(_ event: PhoneEvent) { happened(.phone(event)) }

    /// Reports an event of the active reader.
    package mutating func note(_ event: ReaderEvent) { happened(.reader(event, name: readers[reader].name)) }

    package mutating func note(_ event: ClientEvent) { happened(.client(event)) }

    /// Removes and returns the faults for the phone in the current session or call.
    package mutating func takePhoneFaults() -> [PhoneFault] {
        defer { plans.hostFaults.phone = [] }
        return plans.hostFaults.phone
    }

    /// Removes and returns the faults for the PC/SC service in the current call.
    package mutating func takeTransportFaults() -> [TransportFault] {
        defer { plans.hostFaults.transport = [] }
        return plans.hostFaults.transport
    }

    /// Removes and returns the faults for the chip inside the reader, or for the reader around it, in the current command.
    package mutating func takeReaderFaults(ofChip: Bool) -> [ReaderFault] {
        defer { plans.hostFaults.reader.removeAll { $0.isOfChip == ofChip } }
        return plans.hostFaults.reader.filter { $0.isOfChip == ofChip }
    }

    /// The reader's last answer to its host; stored only if a fault may need it.
    package var previousReaderAnswer: [UInt8]? {
        get { plans.previousReaderAnswer }
        set { plans.previousReaderAnswer = newValue }
    }

    /// Removes and returns the delay that faults have added since the last call; a client outside of card time must wait this
    /// long.
    public mutating func takeUnpaidDelay() -> Duration {
        defer { plans.aftermath.unpaidDelay = .zero }
        return plans.aftermath.unpaidDelay
    }

    /// Queues a line for the standard input of the client.
    public mutating func send(_ line: String, source: SourceReference? = nil) {
        plans.linesToSend.append(line)
        log.callCount += 1
        note("sent to the client: \(line)", source: source)
    }

    /// Removes and returns the queued lines, in order.
    public mutating func takeLines() -> [String] {
        defer { plans.linesToSend = [] }
        return plans.linesToSend
    }
}

/// Clients that repeat themselves.
extension World {
    /// Limits how many times in a row readers may send the same command without progress; later frames meet silence.
    public mutating func limitRetries(_ limit: Int?) {
        log.retries = limit.map { RetryWatch(limit: $0) }
    }

    /// Starts taking the cards away as soon as a client only checks whether they are still present.
    public mutating func watchPresence() {
        log.presence = PresenceWatch()
    }

    /// Takes the cards away from a client that waits for that, if presence is watched and nothing else is planned.
    ///
    /// - Parameter reason: A clause about the client.
    public mutating func letCardsLeave(_ reason: String) {
        guard log.presence?.hasLeft == false, isTimelineOver, cards.contains(where: \.isPresent) else { return }
        note("\(reason), so it leaves")
        log.presence = PresenceWatch(hasLeft: true)
        removeAll()
    }

    /// A Boolean value that indicates whether ``letCardsLeave(_:)`` has taken the cards away.
    public var haveCardsLeft: Bool { log.presence?.hasLeft ?? false }

    /// Starts counting the frames that neither look for cards nor check whether one is still present.
    public mutating func countWork() {
        log.workCount = 0
    }

    /// The number of such frames since ``countWork()``.
    public var workCount: Int { log.workCount ?? 0 }

    /// The text in a line of the client that the next timeline step waits for, if any.
    public var awaitedLine: String? {
        guard case .event(let trigger)? = plans.timeline.remaining.first?.trigger,
            case .client(.line(let text)) = trigger.event
        else { return nil }
        return text
    }
}

extension World {
    /// The number of frames over the air and the gain from them.
    public struct RFCount: Hashable, Sendable {
        let frames: Int
        let reading: HostReading
    }

    /// The current counts, for comparison after a host command.
    public var rfCount: RFCount { RFCount(frames: log.exchangeCount, reading: log.rfReading) }

    /// The reads and writes that a card answered without refusing them.
    package struct Traffic: Hashable, Sendable {
        package private(set) var reads = 0
        package private(set) var writes = 0

        mutating func count(_ command: RFFrame) {
            // Uses the bytes, because looking up the name would cost more than the rest of the exchange.
            guard !command.technology.isFeliCa else {
                switch command.bytes.dropFirst().first {
                case CommandCode.readWithoutEncryption.first: reads += 1
                case CommandCode.writeWithoutEncryption.first: writes += 1
                default: break
                }
                return
            }
            switch command.bytes.first.map(Type2Opcode.init) {
            case .read, .fastRead: reads += 1
            case .write, .compatibilityWrite: writes += 1
            default: break
            }
        }
    }

    /// Records the result of a host command, an event that comes after the frames it led to.
    ///
    /// - Parameters:
    ///   - before: The counts before the command.
    ///   - call: The command; evaluated only if it becomes an event. `nil` for a host that sends frames itself.
    public mutating func noteHost(since before: RFCount, _ call: @autoclosure () -> HostCall? = nil) {
        noteHost(since: before, gaining: nil, call())
    }

    /// - Parameter gain: The gain of the host, if its frames do not show it.
    package mutating func noteHost(
        since before: RFCount, gaining gain: HostGain?, _ call: @autoclosure () -> HostCall? = nil
    ) {
        if let gain {
            log.hostReading.add(gain)
        } else {
            log.hostReading.add(log.rfReading, since: before.reading)
        }
        let count = log.exchangeCount - before.frames
        log.hostReading.frames += count
        // After a limit is reached, calls leave no trace, like frames.
        guard count > 0 || !isExhausted && stuckAfter == nil else { return }
        if log.trace.isOn, let call = call() { record(.call(call.leading(toExchanges: count))) }
    }

    /// Records that a host received the ATR of a card.
    package mutating func noteATR() { log.hostReading.add(.identity) }

    /// Returns a card's answer from its recording of APDUs; `nil` if the reader answers as it would without a recording.
    ///
    /// - Parameter controlCode: The code of an `SCardControl`; `nil` for commands to the card.
    package mutating func recordedReply(to apdu: [UInt8], controlCode: UInt32? = nil) -> RecordedCard.HostReply? {
        for index in cards.indices where isWithinReach(index) {
            guard var card = cards[index].engine as? RecordedCard,
                let reply = card.answer(apdu: apdu, controlCode: controlCode)
            else { continue }
            field.cards[index].engine = card
            advance(by: reply.delay)
            if card.isLeaving {
                endVisit(of: index, after: reply.outcome == .noCard ? .zero : Self.timeBetweenVisits)
            }
            return reply
        }
        return nil
    }

    /// The number of exchanges that cards have answered from recordings of APDUs.
    package var recordedReplyCount: Int {
        cards.reduce(0) { count, slot in
            guard let card = slot.engine as? RecordedCard, card.recording.level == .apdu else { return count }
            return count + card.counts.reduce(0, +)
        }
    }

    /// Records a PC/SC or Core NFC function that a program called.
    ///
    /// - Parameter command: The command the function was to send.
    package mutating func noteFunction(
        _ layer: HostCall.Layer, _ result: String, since before: RFCount? = nil, carrying command: [UInt8] = []
    ) {
        guard log.trace.isOn else { return }
        let count = before.map { log.exchangeCount - $0.frames } ?? 0
        record(.call(HostCall(layer, command, .returned(result), exchangeCount: count)))
    }

    /// Records the card that a PC/SC reader reports to programs from now on, by its ATR, or that there is none.
    package mutating func noteSlot(_ name: String, atr: [UInt8]?) { record(.slot(name, atr: atr)) }

    /// The name of a real card in the trace.
    public static let outsideCard = "card"

    /// Records an exchange between a real reader and a real card, for the trace of a run on hardware.
    ///
    /// Its times, since the start of the run, are marked as measured. `answer` is `nil` for silence.
    public mutating func takeDown(_ command: RFFrame, answer: RFFrame?, from begin: Duration, to end: Duration) {
        log.exchangeCount += 1
        field.now = max(now, begin)
        log.trace.record(.command(command), at: now, source: nil, isMeasured: true)
        field.now = max(now, end)
        let kind: TraceEvent.Kind =
            answer.map { .answer($0, card: Self.outsideCard, state: "", slot: nil) } ?? .silence(states: [])
        log.trace.record(kind, at: now, source: nil, isMeasured: true)
    }

    /// Records a search for a card by an external reader; type A selection is not visible, so it is recorded as a remark.
    ///
    /// - Parameters:
    ///   - target: The kind of card that the reader searched for.
    ///   - tag: The card found, or `nil`.
    ///   - begin: The measured time at which the search began.
    ///   - end: The measured time at which the search ended.
    public mutating func takeDown(_ target: Target, found tag: ActivatedTag?, from begin: Duration, to end: Duration) {
        switch (target, tag) {
        case (.felica(let request, let technology), let tag):
            var answer: RFFrame?
            if case .felica(let response, let technology)? = tag { answer = RFFrame(technology, response.bytes) }
            takeDown(RFFrame(technology, request.bytes), answer: answer, from: begin, to: end)
        case (.typeA, .typeA(let tag)?): note("the reader selected the card with UID \(tag.uid)")
        case (.typeA, _): note("the reader found no type A card")
        }
    }
}
