import Foundation
import TapSystem

/// A wait for another thread; on the main thread the run loop keeps running, since apps use it.
enum RunLoopWait {
    /// The time between two checks, in seconds.
    private static let interval = 0.005

    static func value<Value: Sendable>(of work: @escaping @Sendable () -> Value?) -> Value? {
        guard Thread.isMainThread else { return work() }
        let result = Lock<(isDone: Bool, value: Value?)>((false, nil))
        let isStarted = try? BlockingThread {
            let value = work()
            // Comes after everything that the delegate has put on the main queue.
            DispatchQueue.main.async { result.withLock { $0 = (true, value) } }
        }
        guard isStarted != nil else { return work() }
        while !result.withLock({ $0.isDone }) {
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: interval))
        }
        return result.withLock { $0.value }
    }
}
