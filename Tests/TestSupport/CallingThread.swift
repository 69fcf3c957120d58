import Foundation

/// Runs asynchronous work on the calling thread, which waits for it.
///
/// Tests run on as many threads as there are processors.
///
/// A test that only waited for a task on one of these threads could wait forever.
public enum CallingThread {
    /// Returns the result of the work.
    public static func value<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        guard #available(macOS 15, iOS 18, *) else { fatalError("these tests need macOS 15") }
        let executor = WaitingExecutor()
        let result = Result<Value>()
        Task(executorPreference: executor) {
            result.value = await work()
            executor.finish()
        }
        executor.run()
        guard let value = result.value else { fatalError("the work ended without a value") }
        return value
    }

    /// Written by the work, and read after the work ends.
    private final class Result<Value>: @unchecked Sendable {
        var value: Value?
    }
}

@available(macOS 15, iOS 18, *)
private final class WaitingExecutor: TaskExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var isFinished = false

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    func finish() {
        condition.withLock {
            isFinished = true
            condition.signal()
        }
    }

    /// Runs arriving jobs until ``finish()``.
    func run() {
        while let job = next() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func next() -> UnownedJob? {
        condition.withLock {
            while jobs.isEmpty, !isFinished { condition.wait() }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }
}
