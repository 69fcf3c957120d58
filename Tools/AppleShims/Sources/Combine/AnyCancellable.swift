import Foundation

/// A cancellable that cancels automatically when its last reference goes away.
public final class AnyCancellable: Cancellable, Hashable {
    private let lock = NSLock()
    private var action: (() -> Void)?

    /// Creates a cancellable that calls `cancel` once, at the latest when it is deallocated.
    public init(_ cancel: @escaping () -> Void) {
        action = cancel
    }

    /// Creates a cancellable that cancels another one, at the latest when it is deallocated.
    public init(_ canceller: some Cancellable) {
        action = canceller.cancel
    }

    deinit {
        action?()
    }

    /// Cancels now; further calls do nothing.
    public func cancel() {
        let taken = lock.withLock {
            defer { action = nil }
            return action
        }
        taken?()
    }

    /// Returns `true` if both are the same object.
    public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool {
        one === other
    }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
