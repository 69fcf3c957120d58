import Foundation
import TapSystem

/// Waits for another thread; on the main thread the run loop goes on, since apps use it.
enum RunLoopWait {
    /// Seconds between two looks.
    private static let interval = 0.005

    static func value<Value: Sendable>(of work: @escaping @Sendable () -> Value?) -> Value? {
        guard Thread.isMainThread else { return work() }
        let result = Lock<(isDone: Bool, value: Value?)>((false, nil))
        let isStarted = try? BlockingThread {
            let value = work()
            // After what the delegate has put on the main queue.
            DispatchQueue.main.async { result.withLock { $0 = (true, value) } }
        }
        guard isStarted != nil else { return work() }
        while !result.withLock({ $0.isDone }) {
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: interval))
        }
        return result.withLock { $0.value }
    }
}
