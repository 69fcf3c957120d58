import TapDoors
import Testing

/// Finds out whether a test of Swift Testing fails, which the library tells nobody who asks.
enum FailureWatch {
    /// Runs a test.
    ///
    /// - Returns: Whether it has failed without having thrown.
    static func run(
        _ test: Test, _ testCase: Test.Case?, _ body: @concurrent @Sendable () async throws -> Void
    ) async throws -> Bool {
        let hasFailed = Lock(false)
        let watcher: IssueHandlingTrait = .compactMapIssues { issue in
            if issue.isFailure { hasFailed.withLock { $0 = true } }
            return issue
        }
        try await watcher.provideScope(for: test, testCase: testCase, performing: body)
        return hasFailed.withLock { $0 }
    }
}
