import TapDoors
import TapField

/// What tests wait for, and the time that they let pass.
extension VirtualPhone {
    /// Waits until the session that began last is as wanted.
    ///
    /// - Parameters:
    ///   - patience: How long to wait, by the clock of the machine.
    ///   - isMet: Whether a session is as wanted; called again each time something has happened to it.
    /// - Returns: The session as it was then, or nothing if that did not come about in time.
    public func session(waiting patience: Duration, until isMet: (SessionRecord) -> Bool) -> SessionRecord? {
        let deadline = ContinuousClock.now + patience
        return state.waitUntilDone { state in
            if let last = state.records.last, isMet(last) { return .done(last) }
            return ContinuousClock.now >= deadline ? .done(nil) : .wait(until: deadline)
        }
    }

    /// Lets time pass in the field; a session whose time is over ends, and what the timeline holds happens.
    ///
    /// Where time is that of the machine it passes by itself, and this does nothing.
    public func pass(_ time: Duration) {
        guard settings.clock == .virtual else { return }
        submit { $0.pass(time) }
    }

    /// Waits until the phone has done what was asked of it before, such as a beginning or an end.
    public func catchUp() {
        let isDone = Condition(false)
        let isTaken = submit { _ in
            isDone.withLock { $0 = true }
            isDone.wakeAll()
        }
        guard isTaken else { return }
        isDone.waitUntilDone { $0 ? .done(()) : .wait(until: nil) }
    }
}

extension PhoneWork {
    /// Lets virtual time pass, as far as the end of a session at once.
    fileprivate mutating func pass(_ time: Duration) {
        var left = max(.zero, time)
        while left > .zero {
            let (now, presence) = host.perform { ($0.now, $0.presenceCount) }
            let limit = open.map { $0.began + settings.sessionLimit - now } ?? left
            let step = min(left, max(.nanoseconds(1), limit))
            host.perform { $0.advance(by: step) }
            left -= step
            if host.perform({ $0.presenceCount }) != presence { fieldHasChanged() }
            moveOn()
        }
    }
}
