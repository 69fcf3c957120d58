import TapWire

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
