import TapField
import TapWire

/// What became of a lie that cards told a test suite.
public struct LieResult: Sendable {
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// The suite passed although it heard it.
        case unnoticed = "not noticed"
        /// The suite failed.
        case noticed
        /// No exchange fitted, or nothing of it reached a client.
        case neverTold = "never told"
        /// The suite failed although it did not hear it.
        case flaky
    }

    public let lie: Lie
    public let verdict: Verdict
    /// How the suite ended, without a full stop; `nil` if it was not run, since nothing in its baseline run fits.
    public let end: String?
    /// The time the suite ran, by the clock; `nil` if it was not run.
    public let wall: Duration?

    /// - Parameter isHeard: Whether the lie was told, and a client received what it did not without it.
    public init(_ lie: Lie, _ suite: SuiteEnd, isHeard: Bool) {
        self.lie = lie
        end = suite.text
        wall = suite.wall
        verdict = isHeard ? (suite.isPassed ? .unnoticed : .noticed) : (suite.isPassed ? .neverTold : .flaky)
    }

    /// A lie that nothing in the baseline run fits.
    public init(untold lie: Lie) {
        self.lie = lie
        verdict = .neverTold
        (end, wall) = (nil, nil)
    }

    /// The lie as a failure of the suite; `nil` unless it went unnoticed.
    public var failure: Failure? {
        guard verdict == .unnoticed else { return nil }
        return Failure(
            path: "audit  \(lie.name)", expected: "a test to fail", got: "all of them pass: \(end ?? "")",
            hint: lie.unseen)
    }
}

/// How a run of a test suite ended.
public struct SuiteEnd: Hashable, Sendable {
    /// Whether it exited with 0.
    public let isPassed: Bool
    /// Without a full stop.
    public let text: String
    /// The error on its standard error, behind a colon; else empty.
    public let lastWords: String
    /// The time it ran, by the clock.
    public let wall: Duration?

    public init(_ record: RunRecord) {
        let end = record.end
        wall = record.client.wall
        lastWords = record.client.lastWords
        isPassed = end.complaint == nil && end.exit == 0
        text = end.complaint?.reason ?? end.exit.map { "exit \($0)" } ?? end.line
    }
}

/// What an audit of one test suite came to.
public struct AuditReport: Sendable {
    /// How the suite ended without a lie.
    public let clean: SuiteEnd
    /// Whether programs of the suite made cards of their own.
    public let hasOwnCards: Bool
    /// In the order of the lies; fewer than planned where the audit ended early.
    public let results: [LieResult]
    public let plannedCount: Int
    /// Names of lies that are already known.
    public let known: Set<String>

    public init(
        clean: SuiteEnd, hasOwnCards: Bool, _ results: [LieResult], of plannedCount: Int, known: Set<String> = []
    ) {
        self.clean = clean
        self.hasOwnCards = hasOwnCards
        self.results = results
        self.plannedCount = plannedCount
        self.known = known
    }

    public func results(_ verdict: LieResult.Verdict) -> [LieResult] { results.filter { $0.verdict == verdict } }

    /// Lies that went unnoticed and are news.
    public var findings: [LieResult] { results(.unnoticed).filter { !known.contains($0.lie.name) } }

    /// Whether the suite heard any lie, so that the audit says something about it.
    public var hasToldLies: Bool { results.contains { [.noticed, .unnoticed].contains($0.verdict) } }
}
