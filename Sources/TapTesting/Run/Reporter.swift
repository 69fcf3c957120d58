import Testing

/// Who is told of findings, and what is kept of a test that fails.
struct Reporter: Sendable {
    let report: @Sendable (Finding) -> Void
    /// Keeps the trace of a test that fails, as text.
    let attach: @Sendable (String) -> Void
    /// How often the test has failed so far, where that can be asked.
    var failureCount: @Sendable () -> Int = { 0 }

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
        })
}
