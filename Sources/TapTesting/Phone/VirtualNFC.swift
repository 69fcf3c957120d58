import Foundation
import TapDoors
import TapPhone

/// The phone of a test: what tests wait for, look at and disturb.
public enum VirtualNFC {
    /// The phone of the test.
    ///
    /// - Throws: ``VirtualNFCError`` if the test has none.
    public static var phone: VirtualPhone {
        get throws(VirtualNFCError) {
            guard let phone = VirtualPhone.inEffect else { throw .noPhone }
            return phone
        }
    }

    /// Waits until one more session has ended, its app was told, and what the app does with that has had its turn: on
    /// the queue of the session, on the main queue, and in tasks that it began in calls of the session.
    ///
    /// - Parameter timeout: How long to wait, by the clock of the machine. Without it a session has all its time, and
    ///   where none is open nothing may happen for 15 seconds.
    /// - Returns: What became of the session, each one once, in the order they began.
    /// - Throws: ``VirtualNFCError`` if no session began or ended in time, and `CancellationError` if the test was
    ///   cancelled, as its `.timeLimit` does.
    public static func sessionEnd(timeout: Duration? = nil) async throws -> SessionEnd {
        let phone = try phone
        let wait = PhoneWait(phone, timeout: timeout)
        let record = try await wait.value { phone.settledEnd(wait) }
        guard let end = record.flatMap({ SessionEnd($0, of: phone) }) else { throw phone.missingEnd(wait) }
        return end
    }
}

extension VirtualPhone {
    /// For how long nothing may happen while tasks of the app go on: some sleep, or never end.
    private static let taskSilence = Duration.seconds(1)
    /// How long they may go on at most.
    private static let longestTasks = Duration.seconds(2)
    /// How many turns the queues have one after another.
    ///
    /// More than an app hands on: on a busy machine a turn may come while another thread still stands in what came before.
    private static let rounds = 20

    /// Waits until one more session has ended and what its app does with that has had its turn.
    func settledEnd(_ wait: PhoneWait) -> SessionRecord? {
        guard let end = nextEnd(wait) else { return nil }
        awaitTasks(wait.narrowed(to: Self.longestTasks, silence: Self.taskSilence))
        for _ in 0..<Self.rounds {
            guard wait.turn({ hasCome in Task.detached { hasCome() } }),
                wait.turn({ hasCome in DispatchQueue.main.async { hasCome() } })
            else { break }
        }
        return end
    }

    /// Why no session has ended.
    func missingEnd(_ wait: PhoneWait) -> VirtualNFCError {
        let seconds = wait.text
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

extension PhoneWait {
    /// Waits on a thread of its own; a task that is cancelled waits no longer.
    func value<Value: Sendable>(of work: @escaping @Sendable () -> Value) async throws -> Value {
        let value = try await withTaskCancellationHandler {
            try await BlockingThread.value(of: work)
        } onCancel: {
            cancel()
        }
        try Task.checkCancellation()
        return value
    }

    /// How long it took, for sentences.
    var text: String { "\(timeout.map { $0 / .seconds(1) } ?? (elapsed / .seconds(1)).rounded()) s" }
}
