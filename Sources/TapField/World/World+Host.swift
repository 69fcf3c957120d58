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
