import TapHost
import TapSystem
import TapField
import TapFuzz
import TapJudge
import TapPhone
import TapScenario
import Testing

/// Fuzzes code that reads with Core NFC: tries every fault once at every exchange and at every call of the phone, and then
/// what looks worth trying.
///
/// A run with a fault has to return what the run without faults returns, or to report an error: it throws, its app ends the
/// session with an error message, or the phone ends the session and informs the app. Each cause of another outcome fails the
/// test at the line of this call.
///
/// ```swift
/// try await fuzzVirtualNFC(.card(.suica(balance: 3120))) {
///     let reader = BalanceReader()
///     reader.scan()
///     _ = try await VirtualNFC.sessionEnd()
///     return reader.balance
/// }
/// ```
///
/// - Parameters:
///   - traits: Traits as for a test; faults among them are ignored.
///   - only: Patterns for the names of faults and runs, such as `rf.*` and `rf.silence@7`. Default: all faults.
///   - except: Patterns for faults and runs to skip.
///   - known: Causes that do not fail the test, as an issue names them after `cause:`, or `.plausible`.
///   - guidedRuns: The number of further runs with several faults, drawn from the seed and guided by what the client did in
///     other runs.
///   - patience: The real time for which the client may neither end nor reach its card.
///   - fileID: The module and file of the call, where issues are reported.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - client: Called once per run, each time with its own phone; the return values are compared.
/// - Returns: The report; `nil` if a trait or a pattern is wrong or the client fails without faults, which is reported.
@discardableResult
public func fuzzVirtualNFC<Value>(
    _ traits: PhoneTrait..., only: [String] = [], except: [String] = [], known: KnownCauses = [],
    guidedRuns: Int = 0, patience: Duration = Fuzzing.patience, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line,
    _ client: @escaping @Sendable () async throws -> Value
) async throws -> FuzzReport? {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
    let choice = FuzzScope.Choice(only: only, except: except, known: known, guidedRuns: guidedRuns)
    return try await Reporter.throwing(of: "fuzzVirtualNFC") { reporter in
        try await FuzzScope.overPhone(traits, choice, patience, at: location, reporting: reporter, client)
    }
}

extension FuzzScope {
    /// The idle time of an app, in real time, before virtual time jumps.
    ///
    /// It is shorter than in a test, since apps are idle in many runs.
    private static let idle = Duration.milliseconds(100)

    static func overPhone<Value>(
        _ traits: [PhoneTrait], _ choice: Choice, _ patience: Duration, at location: SourceLocation,
        reporting reporter: Reporter, _ client: @escaping @Sendable () async throws -> Value
    ) async throws -> FuzzReport? {
        let isIdleGiven = traits.contains { if case .idle = $0.part.content { true } else { false } }
        return try await run(traits, choice, at: location, reporting: reporter) { plan, settings in
            var phone = plan.settings
            if !isIdleGiven { phone.idle = idle }
            return try await Fuzzing.report(
                plan.scenarioCase, settings, on: AppRunner(phone: phone, patience: patience, app: client))
        }
    }
}

/// A runner that lets an app read with its own phone in each run.
private struct AppRunner<Value>: Runner {
    let phone: PhoneSettings
    /// The real time for which the app may neither end nor reach its card.
    let patience: Duration
    let app: @Sendable () async throws -> Value

    var client: ClientKind { .app }

    func record(of run: CampaignRun) async throws -> RunRecord {
        await RunNote.shared.set(run.name)
        let (phone, app) = (try VirtualPhone(run.scenarioCase, phone), app)
        let before = VirtualPhone.processDefault
        PhoneScope.setProcessDefault(phone)
        defer { VirtualPhone.processDefault = before }
        let end = ClientEnd(patience: patience)
        var report = await end.report(progress: { phone.progress }) {
            try await VirtualPhone.$current.withValue(phone) { try await app() }
        }
        let hasReturned = report.end == .returned
        let error = try await BlockingThread.value {
            let error = hasReturned ? phone.errorOfLastSession : nil
            phone.close()
            return error
        }
        let world = phone.host.snapshot
        if world.isExhausted || world.stuckAfter != nil {
            report.end = .limit(of: world)
        } else if let error {
            report = ClientReport(end: .threw, standardError: "\(error)\n")
        }
        var record = RunRecord(world: world, client: report)
        record.readsByPhone = true
        record.phone = PhoneReport(phone.sessions.map(\.report))
        return record
    }
}

extension VirtualPhone {
    /// The real time without activity after which the phone no longer waits for an app with a result to end its session.
    private static let grace = Duration.milliseconds(100)
    private static let longestGrace = Duration.seconds(2)

    /// A number that grows with the app's activity; `nil` after it has sent more than a run may send.
    fileprivate var progress: Int? {
        let sent = host.perform { $0.isExhausted || $0.stuckAfter != nil ? nil : $0.exchangeCount }
        return sent.map { $0 + sessions.count }
    }

    /// The error of the last session, which an app may end after it has returned its result; `nil` for a session that stays
    /// open.
    fileprivate var errorOfLastSession: String? {
        catchUp()
        let wait = PhoneWait(self, timeout: Self.longestGrace, silence: Self.grace)
        while sessions.contains(where: { !$0.isReported }), nextEnd(wait) != nil {}
        return sessions.last?.reportedError
    }
}

extension SessionRecord {
    /// The error that the user sees or the app receives, if any.
    fileprivate var reportedError: String? {
        if let errorMessage { return "the session ends with \"\(errorMessage)\"" }
        return isEndedByApp ? nil : error.map { "the phone ends the session: \($0)" }
    }
}
