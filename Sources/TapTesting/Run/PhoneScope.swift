import TapDoors
import TapPhone
import TapScenario
import Testing

/// The life of a phone around a test.
enum PhoneScope {
    /// The test whose phone was begun in this task.
    @TaskLocal static var test: Test?

    /// Runs a test before the phone that its traits make, then judges what happened.
    ///
    /// - Parameters:
    ///   - parts: What the traits say.
    ///   - location: Where the test stands.
    ///   - reporter: Who is told what is wrong.
    ///   - body: The test, where its caller runs; it says whether it has failed without having thrown. It does not run
    ///     where a trait is wrong.
    /// - Throws: What the test throws, `CancellationError` if it was cancelled before its turn, or
    ///   ``TapDoors/SystemError`` if the system gives no thread for the phone.
    static func run(
        _ parts: [PlanPart], at location: SourceLocation, reporting reporter: Reporter,
        _ body: () async throws -> Bool
    ) async throws {
        guard let plan = plan(parts, at: location, reporter) else { return }
        // Who has a phone and takes another for a while has the turn already.
        let isInside = VirtualPhone.current != nil
        if !isInside { try await Turns.ofPhones.take() }
        defer { if !isInside { Turns.ofPhones.giveBack() } }
        let phone = try VirtualPhone(plan.scenarioCase, plan.settings)
        let before = VirtualPhone.processDefault
        setProcessDefault(phone)
        defer { VirtualPhone.processDefault = before }
        let hasFailed: Bool
        do {
            hasFailed = try await VirtualPhone.$current.withValue(phone) { try await body() }
        } catch {
            try await close(phone)
            // What else was not met follows from the error, which alone is told.
            reporter.attach(TraceText(phone, of: plan.scenarioCase).text)
            throw error
        }
        let verdict = PhoneVerdict(plan, phone, at: location)
        let open = try await BlockingThread.value { verdict.sessionLeftOpen }
        try await close(phone)
        tell([open].compactMap(\.self) + verdict.unmet, of: phone, plan, reporter, hasFailed: hasFailed)
    }

    /// Makes a phone that of the process, for code on the queues of an app; a test that has none does not get it.
    static func setProcessDefault(_ phone: VirtualPhone) {
        VirtualPhone.lendsProcessDefault = { Test.current == nil }
        VirtualPhone.processDefault = phone
    }

    /// Tells what was found, and keeps the trace of a test that fails.
    static func tell(
        _ findings: [Finding], of phone: VirtualPhone, _ plan: PhonePlan, _ reporter: Reporter, hasFailed: Bool
    ) {
        for finding in findings { reporter.report(finding) }
        if hasFailed || !findings.isEmpty { reporter.attach(TraceText(phone, of: plan.scenarioCase).text) }
    }

    /// The plan of a test, or nothing if its traits are wrong, which is reported.
    static func plan(_ parts: [PlanPart], at location: SourceLocation, _ reporter: Reporter) -> PhonePlan? {
        var diagnostics = Diagnostics()
        let plan = PhonePlan.make(parts, at: location, into: &diagnostics)
        for diagnostic in diagnostics.sorted { reporter.report(Finding(diagnostic, of: location)) }
        return plan
    }

    private static func close(_ phone: VirtualPhone) async throws(SystemError) {
        _ = try await BlockingThread.value { phone.close() }
    }
}
