extension BlockingThread {
    /// Carries out work that blocks on a thread of its own, so that no thread of the concurrency runtime waits for it.
    ///
    /// - Throws: ``SystemError`` if the system gives no thread.
    public static func value<Value: Sendable>(
        of work: @escaping @Sendable () -> Value
    ) async throws(SystemError) -> Value {
        let result: Result<Value, SystemError> = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                _ = try BlockingThread { continuation.resume(returning: .success(work())) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }
}
