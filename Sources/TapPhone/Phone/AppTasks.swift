import TapSystem

/// The tasks that an app starts in callbacks of a session, such as `Task { @MainActor in … }` in a delegate method.
///
/// Each task inherits this object as a task-local value, as do its own tasks, and holds it until it ends. When the last
/// reference is gone, all tasks have ended.
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

    /// Lets ``VirtualPhone/awaitTasks(_:)`` wait for the tasks that still run.
    public func sessionHasEnded() {
        isAwaited.withLock { $0 = true }
        state.withLock { $0.endedSessionsAtWork += 1 }
    }
}

extension VirtualPhone {
    public func makeAppTasks() -> AppTasks { AppTasks(state) }

    public func awaitTasks(_ wait: PhoneWait) {
        _ = wait.value { $0.endedSessionsAtWork == 0 ? true : nil }
    }

    /// Waits until the thread on which the app ended its session is idle.
    ///
    /// After that an app may pass on what it read, on its own queue.
    public func awaitEndingThread(_ wait: PhoneWait) {
        guard let thread = state.withLock({ $0.endingThread }), thread != .current else { return }
        while thread.isAtWork, wait.isActive { BlockingThread.sleep(until: .now + .milliseconds(1)) }
    }
}
