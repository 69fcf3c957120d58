import TapSystem

/// A gate that blocks a reader until the test opens it.
final class Gate: Sendable {
    private let isOpen = Condition(false)

    func pass() { isOpen.waitUntilDone { $0 ? .done(()) : .wait(until: nil) } }

    func open() {
        isOpen.withLock { isOpen in
            isOpen = true
            self.isOpen.wakeAll()
        }
    }
}
