import TapFuzz
import TapJudge
import TapPhone
import Testing

/// Runs a campaign in a test and reports each cause at its line.
enum FuzzScope {
    /// The selection of faults and runs for a campaign.
    struct Choice {
        let only: [String]
        let except: [String]
        var known: KnownCauses = []
        let guidedRuns: Int
    }

    /// - Returns: The report; `nil` if a trait or a pattern is wrong or the client fails without faults, which is reported.
    static func run(
        _ traits: [PhoneTrait], _ choice: Choice, at location: SourceLocation, reporting reporter: Reporter,
        _ perform: (PhonePlan, Campaign.Settings) async throws -> FuzzReport
    ) async throws -> FuzzReport? {
        guard let plan = PhoneScope.plan(traits.map(\.part), at: location, reporter) else { return nil }
        // A test with a phone already holds the turn.
        let isInside = VirtualPhone.current != nil
        if !isInside { try await Turns.ofPhones.take() }
        defer { if !isInside { Turns.ofPhones.giveBack() } }
        do {
            let settings = try Campaign.Settings(
                only: choice.only, except: choice.except, known: choice.known, guidedRuns: choice.guidedRuns)
            let report = try await perform(plan, settings)
            for warning in report.warnings { reporter.report(Finding(warning, at: location)) }
            for issue in report.issues { reporter.report(Finding(visible: issue, at: location)) }
            return report
        } catch let error as FuzzError {
            reporter.report(Finding(error.description, at: location))
            return nil
        }
    }
}

/// Fuzzes a client that reads over a `TagLink`: tries every fault once at every exchange, and then what looks worth
/// trying.
///
/// A run with a fault has to return what the run without faults returns, or to throw. Each cause of another outcome fails the
/// test at the line of this call, with the run that shows it and the lines for a scenario file.
///
/// ```swift
/// try await fuzzTagLink(.card(.suica(balance: 3120))) { link in try await Balance.read(from: &link) }
/// ```
///
/// - Parameters:
///   - traits: The cards, a scenario, a seed; faults among them are ignored.
///   - only: Patterns for the names of faults and runs, such as `rf.*` and `rf.silence@7`. Default: all faults.
///   - except: Patterns for faults and runs to skip.
///   - known: Causes that do not fail the test, as an issue names them after `cause:`, or `.plausible`.
///   - guidedRuns: The number of further runs with several faults, drawn from the seed and guided by what the client did in
///     other runs.
///   - patience: The real time for which the client may neither end nor reach its card.
///   - fileID: The module and file of the call, where issues are reported.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - client: Called once per run; the return values are compared, as lists, properties and texts.
/// - Returns: The report; `nil` if a trait or a pattern is wrong or the client fails without faults, which is reported.
@discardableResult
public func fuzzTagLink<Value>(
    _ traits: PhoneTrait..., only: [String] = [], except: [String] = [], known: KnownCauses = [],
    guidedRuns: Int = 0, patience: Duration = Fuzzing.patience, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line,
    _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
) async throws -> FuzzReport? {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
    let choice = FuzzScope.Choice(only: only, except: except, known: known, guidedRuns: guidedRuns)
    return try await Reporter.throwing(of: "fuzzTagLink") { reporter in
        try await FuzzScope.overLink(traits, choice, patience, at: location, reporting: reporter, client)
    }
}

extension FuzzScope {
    static func overLink<Value>(
        _ traits: [PhoneTrait], _ choice: Choice, _ patience: Duration, at location: SourceLocation,
        reporting reporter: Reporter, _ client: @escaping @Sendable (inout FuzzedLink) async throws -> Value
    ) async throws -> FuzzReport? {
        try await run(traits, choice, at: location, reporting: reporter) { plan, settings in
            try await Fuzzing.report(plan.scenarioCase, settings, patience: patience, client)
        }
    }
}
