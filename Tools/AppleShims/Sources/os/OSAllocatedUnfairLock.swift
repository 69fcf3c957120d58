import Foundation

/// A lock with the value it guards.
public final class OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State

    public init(uncheckedState initialState: State) {
        state = initialState
    }

    public init(initialState: State) where State: Sendable {
        state = initialState
    }

    /// Runs a closure with exclusive access to the value.
    public func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&state) }
    }
}
