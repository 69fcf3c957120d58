import Dispatch
import Foundation

/// Where work can be sent to be done in order.
///
/// Apple's protocol also tells the time and starts work later; no publisher here does either.
public protocol Scheduler<SchedulerOptions> {
    /// What may be said about a piece of work.
    associatedtype SchedulerOptions

    /// Does a piece of work after those sent before.
    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
}

extension Scheduler {
    /// Does a piece of work after those sent before.
    public func schedule(_ action: @escaping () -> Void) {
        schedule(options: nil, action)
    }
}

/// Work that is handed to another thread by a scheduler; that order is kept is the scheduler's part.
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

/// Does work at once, where it is.
public struct ImmediateScheduler: Scheduler {
    public typealias SchedulerOptions = Never

    public static let shared = Self()

    /// Does the work before it returns.
    public func schedule(options: Never?, _ action: @escaping () -> Void) {
        action()
    }
}
