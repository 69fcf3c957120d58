import Dispatch
import Foundation

/// A context that performs work in order.
///
/// Apple's protocol also provides the time and delayed work; no publisher here needs either.
public protocol Scheduler<SchedulerOptions> {
    /// The options for a piece of work.
    associatedtype SchedulerOptions

    /// Performs work after all work scheduled before.
    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
}

extension Scheduler {
    /// Performs work after all work scheduled before.
    public func schedule(_ action: @escaping () -> Void) {
        schedule(options: nil, action)
    }
}

/// Work that a scheduler hands to another thread; the scheduler is responsible for the order.
private struct Work: @unchecked Sendable {
    let action: () -> Void
}

extension DispatchQueue: Scheduler {
    public struct SchedulerOptions: Sendable {}

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = Work(action: action)
        async { work.action() }
    }
}

extension RunLoop: Scheduler {
    public struct SchedulerOptions: Sendable {}

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = Work(action: action)
        perform { work.action() }
    }
}

extension OperationQueue: Scheduler {
    public struct SchedulerOptions: Sendable {}

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = Work(action: action)
        addOperation { work.action() }
    }
}

/// Performs work at once, on the current thread.
public struct ImmediateScheduler: Scheduler {
    public typealias SchedulerOptions = Never

    public static let shared = Self()

    /// Performs the work before it returns.
    public func schedule(options: Never?, _ action: @escaping () -> Void) {
        action()
    }
}
