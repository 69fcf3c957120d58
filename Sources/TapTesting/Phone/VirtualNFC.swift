import Foundation
import TapDoors
import TapPhone

/// The phone of a test: what tests wait for, look at and disturb.
public enum VirtualNFC {
    /// For how long nothing may happen while a test waits, where it says nothing else and time is virtual.
    ///
    /// Longer than the silence after which virtual time jumps to the end of a session.
    public static let usualTimeout = Duration.seconds(15)

    /// The phone of the test.
    ///
    /// - Throws: ``VirtualNFCError`` if the test has none.
    public static var phone: VirtualPhone {
        get throws(VirtualNFCError) {
            guard let phone = VirtualPhone.inEffect else { throw .noPhone }
            return phone
        }
    }

    /// Waits until one more session has ended and its app was told.
    ///
    /// What the delegate put on the main queue in its last call is done as well then.
    ///
    /// - Parameter timeout: With virtual time for how long nothing may happen, while a session that is open ends soon
    ///   after the app does nothing any more; with real time how long to wait, and a session takes up to 60 seconds.
    /// - Returns: What became of the session, each one once, in the order they began.
    /// - Throws: ``VirtualNFCError`` if no session began or ended in time.
    public static func sessionEnd(timeout: Duration? = nil) async throws -> SessionEnd {
        let phone = try phone
        let patience = timeout ?? phone.usualTimeout
        let record = try await BlockingThread.value { phone.nextEnd(waiting: patience) }
        guard let end = record.flatMap({ SessionEnd($0, of: phone) }) else { throw phone.missingEnd(patience) }
        await mainQueue()
        return end
    }

    /// Waits until what stands in the main queue now is done.
    static func mainQueue() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
    }
}

extension VirtualPhone {
    /// How long a test waits for the end of a session.
    var usualTimeout: Duration {
        switch settings.clock {
        case .virtual: max(VirtualNFC.usualTimeout, settings.idle * 3)
        case .real: settings.sessionLimit + VirtualNFC.usualTimeout
        }
    }

    /// Why no session has ended.
    func missingEnd(_ patience: Duration) -> VirtualNFCError {
        let seconds = "\(patience / .seconds(1)) s"
        guard let open = sessions.first(where: { !$0.isTold }) else {
            let before = sessions.isEmpty ? "no session has begun" : "no further session has begun"
            return VirtualNFCError(
                "\(before) within \(seconds); make the app call begin() before, and see that it does so where this test's "
                    + "phone is in effect")
        }
        guard open.error == nil else {
            return VirtualNFCError(
                "a session has ended and its delegate was not told within \(seconds); its queue is blocked: do not wait for "
                    + "a handler on the queue of the session")
        }
        return VirtualNFCError(
            "a session has not ended within \(seconds), \(SessionProgress(open).text); let the app call invalidate(), or "
                + "end it with `VirtualNFC.cancel()`")
    }
}
