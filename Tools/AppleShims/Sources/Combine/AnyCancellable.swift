import Foundation

/// A cancellable that cancels by itself when the last reference to it goes.
public final class AnyCancellable: Cancellable, Hashable {
    private let lock = NSLock()
    private var action: (() -> Void)?

    /// Calls `cancel` once, at the latest when this goes.
    public init(_ cancel: @escaping () -> Void) {
        action = cancel
    }

    /// Cancels another one, at the latest when this goes.
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

    /// Two are equal when they are the same object.
    public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool {
        one === other
    }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
