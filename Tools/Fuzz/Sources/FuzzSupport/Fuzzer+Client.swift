import Dispatch

extension Fuzzer {
    /// Runs a client to its end; one that waits for something other than its link is waited for.
    ///
    /// - Returns: What it returned, or the error it threw.
    public static func finish<Value: Sendable>(
        _ client: @escaping @Sendable () async throws -> Value
    ) -> Result<Value, any Error> {
        let outcome = Outcome<Value>()
        let hasEnded = DispatchSemaphore(value: 0)
        // Begins at once on this thread, and ends on it where the client waits for its link alone.
        Task.immediate {
            do { outcome.result = .success(try await client()) } catch { outcome.result = .failure(error) }
            hasEnded.signal()
        }
        hasEnded.wait()
        guard let result = outcome.result else { fatalError("a client that has ended has a result") }
        return result
    }
}

/// How a client ended; the semaphore parts writing from reading.
private final class Outcome<Value>: @unchecked Sendable {
    var result: Result<Value, any Error>?
}
