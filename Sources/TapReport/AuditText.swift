import TapDocument
import TapField
import TapJudge
import TapWire

/// An audit for people: the lies that went unnoticed, each with its consequence, then all others by name.
public struct AuditText {
    private let report: AuditReport
    private let style: TerminalStyle

    public init(_ report: AuditReport, style: TerminalStyle = .plain) {
        self.report = report
        self.style = style
    }

    /// - Parameters:
    ///   - reproduceCommand: Returns the command that repeats the audit with one lie.
    ///   - alone: Returns the command that tells one lie without an audit.
    ///   - folder: Returns the folder with the saved page of a run.
    public func lines(reproduceCommand: (Lie) -> [String], alone: (Lie) -> String, folder: (Lie) -> String?) -> [String]
    {
        let findings = report.findings.flatMap { result in
            let lie = result.lie
            return [
                "  \(style.severity(result.verdict.rawValue, .error))  \(style.bold(lie.name))   \(lie.summary)",
                TextTable.wrapped(lie.unseen, indent: 8),
            ] + (folder(lie).map { ["        " + LineLabel.page.line("\($0)/trace.html")] } ?? []) + [
                "        " + LineLabel.reproduce.line(ShellText.text(reproduceCommand(lie))),
                "        " + LineLabel.alone.line(alone(lie)), "",
            ]
        }
        let known = report.results(.unnoticed).filter { report.known.contains($0.lie.name) }
        let own = report.hasOwnCards ? "; its tests make cards of their own" : ""
        return ["  without a lie: \(report.baseline.text)\(own)", ""] + findings + flaky
            + named("known", known) + named("noticed", report.results(.noticed))
            + named("not reached: these programs never receive the lie", report.results(.neverInjected)) + tests + [
                summary
            ]
    }

    private var flaky: [String] {
        report.results(.flaky).map { result in
            "  \(style.severity(result.verdict.rawValue, .warning))  \(style.bold(result.lie.name))   "
                + "the suite fails although it never hears the lie: \(PrintableText.visible(result.end ?? ""))"
        }
    }

    private func named(_ title: String, _ results: [LieResult]) -> [String] {
        guard !results.isEmpty else { return [] }
        return [TextTable.wrapped("\(title): \(results.map(\.lie.name).joined(separator: ", "))", indent: 2)]
    }

    /// The most tests that are listed.
    private static let mostTests = 20

    /// The tests by how many lies they noticed, the fewest first: one that notices much hides others that notice nothing.
    ///
    /// Tests that ran under no lie come last.
    private var tests: [String] {
        let tests = report.tests.enumerated().sorted {
            ($0.element.isUntried ? 1 : 0, $0.element.noticed.count, $0.offset)
                < ($1.element.isUntried ? 1 : 0, $1.element.noticed.count, $1.offset)
        }.map(\.element)
        guard !tests.isEmpty else { return [] }
        let shown = tests.prefix(Self.mostTests)
        let lines = TextTable.lines(shown.map { ["    \(PrintableText.visible($0.name))", count($0)] })
        let rest = tests.count - shown.count
        let more = rest > 0 ? ["    and \(CountText.of(rest, "more test")); `--json` lists them all"] : []
        let hint =
            report.namesFailuresAlone
            ? ["    The suite names only tests that fail; let it name all of them to see those that notice nothing."]
            : []
        return ["", "  tests, and how many lies each noticed:"] + lines + more + hint + [""]
    }

    /// Returns how many lies a test noticed, and of how many if that is known.
    private func count(_ test: AuditedTest) -> String {
        guard let ran = test.ran else { return CountText.of(test.noticed.count, "lie") }
        guard !ran.isEmpty else { return "not run under any lie" }
        let number = test.noticed.isEmpty ? "none" : "\(test.noticed.count)"
        let part = ran.count < report.reachedCount ? " that it ran under" : ""
        let count = "\(number) of \(CountText.of(ran.count, "lie"))\(part)"
        return test.noticed.isEmpty ? style.severity(count, .warning) : count
    }

    private var summary: String {
        let counts = LieResult.Verdict.allCases.compactMap { verdict -> String? in
            let count = report.results(verdict).count
            return count > 0 ? "\(count) \(verdict.rawValue)" : nil
        }
        let whole = report.results.count < report.plannedCount ? " of \(report.plannedCount)" : ""
        return "  \(report.results.count)\(whole) \(report.plannedCount == 1 ? "lie" : "lies"): "
            + counts.joined(separator: ", ")
    }
}

extension AuditedTest {
    /// A Boolean value that indicates whether the test ran under no lie.
    fileprivate var isUntried: Bool { ran?.isEmpty == true }
}
