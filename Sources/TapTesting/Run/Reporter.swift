import Testing

/// A receiver of findings and of the trace of a failing test.
struct Reporter: Sendable {
    let report: @Sendable (Finding) -> Void
    let attach: @Sendable (String) -> Void
    /// Returns the number of failures of the test so far, if known.
    var failureCount: @Sendable () -> Int = { 0 }

    static let traceName = "tapsim-trace.txt"

    /// The reporter for the running Swift Testing test.
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
