import TapField

/// The result of telling one lie to a test suite.
public struct LieResult: Sendable {
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// The suite heard the lie and passed all the same.
        case unnoticed = "not noticed"
        /// The suite failed.
        case noticed
        /// No exchange matched the lie, or it never reached a client.
        case neverInjected = "never told"
        /// The suite failed without hearing the lie.
        case flaky
    }

    public let lie: Lie
    public let verdict: Verdict
    /// The way the suite ended, without a full stop; `nil` if it was not run because nothing in its baseline run matches.
    public let end: String?
    /// The wall-clock time of the suite; `nil` if it was not run.
    public let wall: Duration?
    /// The results of single tests.
    public let tests: TestResults

    /// - Parameter isReached: Whether the lie was injected and a client received something that it does not receive without the lie.
    public init(_ lie: Lie, _ suite: SuiteEnd, isReached: Bool) {
        self.lie = lie
        end = suite.text
        wall = suite.wall
        tests = suite.tests
        verdict = isReached ? (suite.isPassed ? .unnoticed : .noticed) : (suite.isPassed ? .neverInjected : .flaky)
    }

    /// Creates the result of a lie that matches nothing in the baseline run.
    public init(notReached lie: Lie) {
        self.lie = lie
        verdict = .neverInjected
        (end, wall, tests) = (nil, nil, TestResults())
    }

    /// The failure to report for the suite; `nil` unless the lie went unnoticed.
    public var failure: Failure? {
        guard verdict == .unnoticed else { return nil }
        return Failure(
            path: "audit  \(lie.name)", expected: "a test to fail", got: "all of them pass: \(end ?? "")",
            hint: lie.unseen)
    }
}

/// The end of a run of a test suite.
public struct SuiteEnd: Hashable, Sendable {
    /// A Boolean value that indicates whether the suite exited with 0.
    public let isPassed: Bool
    /// The way the suite ended, without a full stop.
    public let text: String
    /// The error from standard error, after a colon; empty if there is none.
    public let lastError: String
    public let wall: Duration?
    /// The results of single tests, as far as its output names them.
    public let tests: TestResults
}

extension SuiteEnd {
    public init(_ record: RunRecord) {
        let end = record.end
        wall = record.client.wall
        lastError = record.client.lastError
        tests = TestResults("\(record.client.standardOutput)\n\(record.client.standardError)")
        isPassed = end.complaint == nil && end.exit == 0
        text = end.complaint?.reason ?? end.exit.map { "exit \($0)" } ?? end.line
    }
}

public struct AuditReport: Sendable {
    public let baseline: SuiteEnd
    /// A Boolean value that indicates whether programs of the suite created cards of their own.
    public let hasOwnCards: Bool
    /// The results in the order of the lies; fewer than planned if the audit ended early.
    public let results: [LieResult]
    public let plannedCount: Int
    /// The names of lies that are already known.
    public let known: Set<String>

    public init(
        baseline: SuiteEnd, hasOwnCards: Bool, _ results: [LieResult], of plannedCount: Int, known: Set<String> = []
    ) {
        self.baseline = baseline
        self.hasOwnCards = hasOwnCards
        self.results = results
        self.plannedCount = plannedCount
        self.known = known
    }

    public func results(_ verdict: LieResult.Verdict) -> [LieResult] { results.filter { $0.verdict == verdict } }

    /// The unnoticed lies that are not already known.
    public var findings: [LieResult] { results(.unnoticed).filter { !known.contains($0.lie.name) } }

    /// A Boolean value that indicates whether the suite heard at least one lie, so that the audit has a result.
    public var hasReachedLies: Bool { results.contains { [.noticed, .unnoticed].contains($0.verdict) } }
}

/// A test of a suite, the lies that the suite heard while it ran, and the lies that it noticed.
public struct AuditedTest: Hashable, Sendable {
    public let name: String
    /// The names of the lies under which it ran, in their order; `nil` if the suite names only tests that fail.
    public let ran: [String]?
    /// The names of the lies under which it failed, in their order.
    public let noticed: [String]
}

extension AuditReport {
    /// The tests that the output of the suite names, in its order.
    ///
    /// A suite that stops at its first failure, crashes or hangs does not run all of its tests under each lie.
    public var tests: [AuditedTest] {
        let runs = [baseline.tests] + results.map(\.tests)
        var known: Set<String> = []
        let names = runs.flatMap(\.names).filter { known.insert($0).inserted }
        let heard = results.filter { [.noticed, .unnoticed].contains($0.verdict) }.map { result in
            (result, ran: Set(result.tests.names))
        }
        let hasPasses = !namesFailuresAlone
        return names.map { name in
            let ran = heard.filter { $0.ran.contains(name) }.map(\.0)
            let noticed = ran.filter { $0.verdict == .noticed && $0.tests.failed.contains(name) }
            return AuditedTest(
                name: name, ran: hasPasses ? ran.map(\.lie.name) : nil, noticed: noticed.map(\.lie.name))
        }
    }

    /// A Boolean value that indicates whether the suite names tests only when they fail.
    public var namesFailuresAlone: Bool { baseline.tests.names.isEmpty && results.contains { !$0.tests.names.isEmpty } }

    /// The number of lies that the suite heard.
    public var reachedCount: Int { results(.noticed).count + results(.unnoticed).count }
}
