import TapDocument
import TapField
import TapScenario

public struct Verdict: Hashable, Sendable {
    /// The failures: first the end of the client, then in the order of the file.
    public let failures: [Failure]
    public let warnings: [Warning]

    public init(_ failures: [Failure], warnings: [Warning] = []) {
        self.failures = failures
        self.warnings = warnings
    }

    public var isPassed: Bool { failures.isEmpty }
}

/// Something that a person should know about a run although it is not a failure.
public struct Warning: Hashable, Sendable {
    /// A few words, the same in every run if possible.
    public let text: String
    /// A cause or the next step, a sentence.
    public let hint: String?

    public init(_ text: String, hint: String? = nil) {
        self.text = text
        self.hint = hint
    }
}

public struct Failure: Hashable, Sendable {
    /// The keys in the file, such as `expect.result  /trips/length`, or `client` for the end of the client.
    public let path: String
    /// The line that states the expectation; `nil` for an expectation on every run.
    public let source: SourceReference?
    /// The text that follows the word `expected`.
    public let expected: String
    /// The text that follows the word `got`.
    public let got: String
    /// The exchange to look at, from 1.
    public let nearest: Int?
    /// A cause or the next step, a sentence.
    public let hint: String?
    /// Lines that show both sides, one below the other.
    public let comparison: [String]

    public init(
        path: String, source: SourceReference? = nil, expected: String, got: String, nearest: Int? = nil,
        hint: String? = nil, comparison: [String] = []
    ) {
        self.path = path
        self.source = source
        self.expected = expected
        self.got = got
        self.nearest = nearest
        self.hint = hint
        self.comparison = comparison
    }

    /// Text such as `expect.result  /trips/length   expected 20, got 0`.
    public var text: String { "\(path)   expected \(expected), got \(got)" }
}

/// The outcome of a run, with its place and reason.
public struct OutcomeFinding: Hashable, Sendable, CustomStringConvertible {
    public let outcome: Outcome
    /// The exchange to look at, from 1; `nil` if no exchange shows the finding.
    public let exchange: Int?
    /// A sentence without its full stop.
    public let reason: String
    /// A text that is the same wherever the client does the same: ``reason`` without the parts that differ from run to run.
    let sign: String
    /// A Boolean value that indicates whether ``sign`` identifies the location in the client's code, or what it did to whom.
    let isPlaced: Bool
    /// A line that may report the failure, if the client printed one.
    public var report: UnstatedReport?

    public init(_ outcome: Outcome, at exchange: Int? = nil, _ reason: String) {
        self.init(outcome, at: exchange, reason, sign: Sign.general(reason))
    }

    init(_ outcome: Outcome, at exchange: Int?, _ reason: String, sign: String, isPlaced: Bool = false) {
        self.outcome = outcome
        self.exchange = exchange
        self.reason = reason
        self.sign = sign
        self.isPlaced = isPlaced
    }

    public func with(reason: String) -> OutcomeFinding {
        var copy = OutcomeFinding(outcome, at: exchange, reason, sign: sign, isPlaced: isPlaced)
        copy.report = report
        return copy
    }

    func reporting(_ report: UnstatedReport?) -> OutcomeFinding {
        var copy = self
        copy.report = report
        return copy
    }

    /// Returns the finding for a client that did not do the same when the run was repeated.
    public func flaky(_ reason: String) -> OutcomeFinding {
        OutcomeFinding(
            .flaky, at: exchange, reason, sign: "\(outcome.rawValue) in some of several runs of the same seed")
    }

    /// Returns whether the finding is only a consequence of another finding in its run: a client that dies releases nothing.
    public func follows(from other: OutcomeFinding) -> Bool {
        outcome == .leak && [.crash, .hang, .livelock].contains(other.outcome)
    }

    /// Returns the other findings of a run with this finding: problems that do not follow from it.
    public func alone(among findings: [OutcomeFinding]) -> [OutcomeFinding] {
        findings.filter { $0 != self && !$0.outcome.isOK && !$0.follows(from: self) }
    }

    /// Text such as `silent loss at exchange 7: /trips has 12 of 20 items`.
    public var description: String {
        let place = exchange.map { " at exchange \($0)" } ?? ""
        return "\(outcome.rawValue)\(place): \(reason)"
    }
}

extension Warning: OutputModel {
    package static let output = OutputTable<Self>(
        "warning", "A warning",
        .always("warning", "The problem", \.text), .maybe("hint", "A hint", \.hint))
}

extension Failure: OutputModel {
    package static let output = OutputTable<Self>(
        "unmet", "An unmet expectation",
        .always("path", "Its key", \.path), .maybe("file", "The file that states it", \.source?.file),
        .maybe("line", "The line, from 1", \.source?.line), .always("expected", "The expected result", \.expected),
        .always("got", "The actual result", \.got), .maybe("exchange", "The exchange to look at", \.nearest),
        .maybe("hint", "A hint", \.hint),
        .filled("comparison", "Both sides, one below the other", \.comparison))
}

extension OutcomeFinding: OutputModel {
    package static let output = OutputTable<Self>(
        "finding", "The outcome for a client",
        .always("outcome", "A verdict of `tapsim explain`", \.outcome.rawValue),
        .maybe("exchange", "The exchange to look at", \.exchange),
        .always("reason", "The reason", \.reason))
}
