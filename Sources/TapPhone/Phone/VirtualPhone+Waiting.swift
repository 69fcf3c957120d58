import TapDoors
import TapField

/// What tests wait for, and the time that they let pass.
extension VirtualPhone {
    /// Waits until one more session has ended and its app has been told.
    ///
    /// - Parameter patience: For how long nothing may happen where time is virtual, else how long to wait, by the
    ///   clock of the machine.
    /// - Returns: What became of the session, each one once, in the order they began; nothing if none ended in time.
    public func nextEnd(waiting patience: Duration) -> SessionRecord? {
        wait(patience) { state in
            guard state.taken < state.records.count, state.records[state.taken].isTold else { return nil }
            state.taken += 1
            return state.records[state.taken - 1]
        }
    }

    /// Waits until the session that began last is as wanted.
    ///
    /// - Parameters:
    ///   - patience: As in ``nextEnd(waiting:)``.
    ///   - isMet: Whether a session is as wanted; called again each time something has happened to one.
    /// - Returns: The session as it was then, or nothing if that did not come about in time.
    public func session(waiting patience: Duration, until isMet: (SessionRecord) -> Bool) -> SessionRecord? {
        var seen: Int?
        while true {
            let change = wait(patience) { state in
                state.changes == seen ? nil : (state.changes, state.records.last)
            }
            guard let change else { return nil }
            seen = change.0
            // Outside of the lock, since it may ask the phone.
            if let last = change.1, isMet(last) { return last }
        }
    }

    /// Lets time pass in the field; a session whose time is over ends, and what the timeline holds happens.
    ///
    /// Where time is that of the machine it passes by itself, and this does nothing.
    public func pass(_ time: Duration) {
        guard settings.clock == .virtual else { return }
        submit { $0.pass(time) }
    }

    /// Waits until the phone has done what was asked of it before, such as a beginning or an end, and has seen the
    /// field as it is.
    public func catchUp() {
        let isDone = Condition(false)
        let isTaken = submit { work in
            work.moveOn()
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
