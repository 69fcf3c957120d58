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
