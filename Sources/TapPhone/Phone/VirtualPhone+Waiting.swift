import TapDoors
import TapField

/// What tests wait for, and the time that they let pass.
extension VirtualPhone {
    /// Waits until one more session has ended and its app has been told.
    ///
    /// - Parameter wait: How long to wait.
    /// - Returns: What became of the session, each one once, in the order they began; nothing if none ended in time.
    public func nextEnd(_ wait: PhoneWait) -> SessionRecord? {
        wait.value { state in
            guard state.taken < state.records.count, state.records[state.taken].isTold else { return nil }
            state.taken += 1
            return state.records[state.taken - 1]
        }
    }

    /// Waits until the session that began last is as wanted.
    ///
    /// - Parameters:
    ///   - wait: How long to wait.
    ///   - isMet: Whether a session is as wanted; called again each time something has happened to one.
    /// - Returns: The session as it was then, or nothing if that did not come about in time.
    public func session(_ wait: PhoneWait, until isMet: (SessionRecord) -> Bool) -> SessionRecord? {
        var seen: Int?
        while true {
            let change = wait.value { state in
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
