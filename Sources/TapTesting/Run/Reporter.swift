import TapDoors
import Testing

/// Who is told of findings, and what is kept of a test that fails.
struct Reporter: Sendable {
    /// Tells of a finding.
    let report: @Sendable (Finding) -> Void
    /// Keeps the trace of a test that fails, as text.
    let attach: @Sendable (String) -> Void
    /// How often the test has failed so far, where that can be asked.
    var failureCount: @Sendable () -> Int = { 0 }
    /// Runs a test and says whether it has failed without having thrown.
    let watch: @Sendable (@concurrent @Sendable () async throws -> Void) async throws -> Bool

    /// The name under which a trace is kept.
    static let traceName = "tapsim-trace.txt"

    /// Swift Testing, for the test that is running.
    static let testing = Reporter(
        report: { finding in
            Issue.record(
                Comment(rawValue: finding.text), severity: finding.isWarning ? .warning : .error,
                sourceLocation: finding.location)
        },
        attach: { text in
            if let place = Test.current?.sourceLocation {
                Attachment.record(text, named: traceName, sourceLocation: place)
            } else {
                Attachment.record(text, named: traceName)
            }
        },
        watch: { body in
            guard let test = Test.current else {
                try await body()
                return false
            }
            let hasFailed = Lock(false)
            let watcher: IssueHandlingTrait = .compactMapIssues { issue in
                if issue.isFailure { hasFailed.withLock { $0 = true } }
                return issue
            }
            try await watcher.provideScope(for: test, testCase: .current, performing: body)
            return hasFailed.withLock { $0 }
        })
}
