import TapSystem

/// Lets a reader work until a test has seen enough.
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
