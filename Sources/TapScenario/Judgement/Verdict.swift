import TapField

/// Whether a run met its case.
public struct Verdict: Hashable, Sendable {
    /// What was not met: first how the client ended, then in the order of the file.
    public let failures: [Failure]

    /// Creates a verdict.
    public init(_ failures: [Failure]) {
        self.failures = failures
    }

    /// Whether everything was met.
    public var isPassed: Bool { failures.isEmpty }
}
