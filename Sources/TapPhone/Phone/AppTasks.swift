import TapDoors

/// The tasks that an app begins in the calls of a session, such as `Task { @MainActor in … }` in a method of its
/// delegate.
///
/// Each of them inherits this object as a task-local value and holds it until it ends, and so do those that it begins.
/// When nobody holds it any more, all of them are done.
public final class AppTasks: Sendable {
    @TaskLocal private static var current: AppTasks?

    private let state: Condition<VirtualPhone.State>
    private let isAwaited = Lock(false)

    init(_ state: Condition<VirtualPhone.State>) {
        self.state = state
    }

    deinit {
        guard isAwaited.withLock({ $0 }) else { return }
        state.withLock { $0.endedSessionsAtWork -= 1 }
        state.wakeAll()
    }

    public func hold<Result>(_ call: () -> Result) -> Result {
        Self.$current.withValue(self, operation: call)
    }

    /// The session has ended: what goes on from now on is what ``VirtualPhone/awaitTasks(_:)`` waits for.
    public func sessionHasEnded() {
        isAwaited.withLock { $0 = true }
        state.withLock { $0.endedSessionsAtWork += 1 }
    }
}

extension VirtualPhone {
    public func makeAppTasks() -> AppTasks { AppTasks(state) }

    /// Waits until the tasks of sessions that have ended are done.
    public func awaitTasks(_ wait: PhoneWait) {
        _ = wait.value { $0.endedSessionsAtWork == 0 ? true : nil }
    }

    /// Waits until the thread rests on which the app ended its session.
    ///
    /// An app may hand on what it has read after it has ended the session, on a queue of its own.
    public func awaitEndingThread(_ wait: PhoneWait) {
        guard let thread = state.withLock({ $0.endingThread }), thread != .current else { return }
        while thread.isAtWork, wait.goesOn { BlockingThread.sleep(until: .now + .milliseconds(1)) }
    }
}
