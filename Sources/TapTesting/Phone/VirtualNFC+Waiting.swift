import TapDoors
import TapPhone

/// What tests wait for besides the end of a session.
extension VirtualNFC {
    /// Waits until the session that began last is as wanted, such as with a command sent or a text shown.
    ///
    /// ```swift
    /// try await VirtualNFC.wait { $0.commands.contains("felica.read") }
    /// ```
    ///
    /// - Parameters:
    ///   - timeout: How long to wait, by the clock of the machine; without it until nothing has happened for 15 seconds.
    ///   - isMet: Whether the session is as wanted; called on another thread.
    /// - Returns: The session as it was then.
    /// - Throws: ``VirtualNFCError`` if that did not come about in time.
    @discardableResult
    public static func wait(
        timeout: Duration? = nil, until isMet: @escaping @Sendable (SessionRecord) -> Bool
    ) async throws -> SessionRecord {
        let phone = try phone
        let wait = PhoneWait(phone, timeout: timeout)
        let met = try await wait.value { phone.session(wait, until: isMet) }
        guard let met else { throw phone.missingEvent(wait) }
        return met
    }

    /// Lets virtual time pass in the field.
    ///
    /// Cards come and go by the timeline, and a session whose 60 seconds are over ends. Real time passes by itself, so
    /// the test sleeps as long.
    public static func pass(_ time: Duration) async throws {
        let phone = try phone
        guard phone.settings.clock == .virtual else { return try await Task.sleep(for: time) }
        phone.pass(time)
        _ = try await BlockingThread.value { phone.catchUp() }
    }
}

extension VirtualPhone {
    /// Why a session is not as a test wants it.
    fileprivate func missingEvent(_ wait: PhoneWait) -> VirtualNFCError {
        let seconds = wait.text
        guard let last = sessions.last else {
            return VirtualNFCError("no session has begun within \(seconds); make the app call begin() before")
        }
        let state = last.error.map { "it has ended: \($0)" } ?? SessionProgress(last).text
        return VirtualNFCError("the session was not as the test wants it within \(seconds); \(state)")
    }
}
