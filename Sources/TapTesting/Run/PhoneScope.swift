import TapHost
import TapDocument
import TapSystem
import TapField
import TapJudge
import TapPhone
import TapReport
import TapScenario
import TapServe
import TapWire
import Testing

enum PhoneScope {
    @TaskLocal static var test: Test?

    /// Runs a test with the phone of its traits, then judges what happened.
    ///
    /// - Parameter body: Returns whether the test failed without throwing. It does not run if a trait is wrong.
    /// - Throws: The test's errors, `CancellationError` if it was cancelled before its turn, or ``TapSystem/SystemError`` if
    ///   the system provides no thread for the phone.
    static func run(
        _ parts: [PlanPart], at location: SourceLocation, reporting reporter: Reporter,
        _ body: () async throws -> Bool
    ) async throws {
        guard let plan = plan(parts, at: location, reporter) else { return }
        // A test that changes its phone temporarily already holds the turn.
        let isInside = VirtualPhone.current != nil
        if !isInside { try await Turns.ofPhones.take() }
        defer { if !isInside { Turns.ofPhones.giveBack() } }
        let phone = try VirtualPhone(plan)
        let before = VirtualPhone.processDefault
        setProcessDefault(phone)
        defer { VirtualPhone.processDefault = before }
        let hasFailed: Bool
        do {
            hasFailed = try await VirtualPhone.$current.withValue(phone) { try await body() }
        } catch {
            try await close(phone)
            // Other failures follow from the error, so only the error is reported.
            reporter.attach(phone.text(of: plan.scenarioCase))
            throw error
        }
        let verdict = PhoneVerdict(plan, phone, at: location)
        let open = try await BlockingThread.value { verdict.sessionLeftOpen }
        try await close(phone)
        report([open].compactMap(\.self) + verdict.unmet, of: phone, plan, reporter, hasFailed: hasFailed)
    }

    /// Makes a phone the process's phone, for code on an app's queues; tests without a phone do not get it.
    static func setProcessDefault(_ phone: VirtualPhone) {
        VirtualPhone.lendsProcessDefault = { Test.current == nil }
        VirtualPhone.processDefault = phone
    }

    /// Reports findings, and attaches the trace to a failing test.
    static func report(
        _ findings: [Finding], of phone: VirtualPhone, _ plan: PhonePlan, _ reporter: Reporter, hasFailed: Bool
    ) {
        for finding in findings { reporter.report(finding) }
        if hasFailed || !findings.isEmpty { reporter.attach(phone.text(of: plan.scenarioCase)) }
    }

    /// Returns the plan; `nil` if a trait is wrong, which is reported.
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

extension PhoneScope {
    /// Like `run`, but for a test that does not suspend.
    static func runBlocking(
        _ parts: [PlanPart], at location: SourceLocation, reporting reporter: Reporter, _ body: () throws -> Void
    ) throws {
        guard let plan = plan(parts, at: location, reporter) else { return }
        let isInside = VirtualPhone.current != nil
        if !isInside { Turns.ofPhones.takeBlocking() }
        defer { if !isInside { Turns.ofPhones.giveBack() } }
        let phone = try VirtualPhone(plan)
        let (before, failures) = (VirtualPhone.processDefault, reporter.failureCount())
        setProcessDefault(phone)
        defer { VirtualPhone.processDefault = before }
        do {
            try VirtualPhone.$current.withValue(phone) { try body() }
        } catch {
            phone.close()
            reporter.attach(phone.text(of: plan.scenarioCase))
            throw error
        }
        let verdict = PhoneVerdict(plan, phone, at: location)
        let open = RunLoopWait.value { verdict.sessionLeftOpen }
        phone.close()
        report(
            [open].compactMap(\.self) + verdict.unmet, of: phone, plan, reporter,
            hasFailed: reporter.failureCount() > failures)
    }
}

struct PhoneVerdict: Sendable {
    /// The time without activity that is allowed while a session ends.
    private static let grace = Duration.seconds(1)
    /// The longest wait, in real time.
    private static let longestGrace = Duration.seconds(5)

    private let plan: PhonePlan
    private let phone: VirtualPhone
    private let location: SourceLocation

    init(_ plan: PhonePlan, _ phone: VirtualPhone, at location: SourceLocation) {
        self.plan = plan
        self.phone = phone
        self.location = location
    }

    /// A finding if a session is still open.
    ///
    /// A session that is ending is waited for, on this thread.
    var sessionLeftOpen: Finding? {
        phone.catchUp()
        guard !plan.leavesSessionOpen else { return nil }
        let wait = PhoneWait(phone, timeout: Self.longestGrace, silence: Self.grace)
        while phone.sessions.contains(where: { !$0.isReported }), phone.nextEnd(wait) != nil {}
        guard let open = phone.sessions.first(where: { $0.error == nil }) else { return nil }
        return Finding(
            "a session is still open at the end of the test, \(SessionProgress(open).text); "
                + "wait for `VirtualNFC.sessionEnd()`, or allow it with `.leavesSessionOpen()`", at: location)
    }

    /// The unmet expectations and unused faults; the phone must be closed.
    var unmet: [Finding] {
        let world = phone.host.snapshot
        var record = RunRecord(world: world, client: ClientReport(end: .elsewhere))
        record.phone = PhoneReport(phone.sessions.map(\.report))
        return Judge.judge(plan.scenarioCase, record).failures.map { Finding($0, of: location) }
    }
}

/// A problem and its location.
struct Finding: Hashable, Sendable {
    /// The message, without a full stop; foreign text in it cannot drive a terminal.
    let text: String
    /// The line of a trait, a scenario or the test.
    let location: SourceLocation
    var isWarning = false

    init(_ text: String, at location: SourceLocation) {
        self.init(visible: PrintableText.visible(text), at: location)
    }

    /// - Parameter text: Lines that are safe to print.
    init(visible text: String, at location: SourceLocation) {
        self.text = text
        self.location = location
    }

    init(_ warning: Warning, at location: SourceLocation) {
        self.init([warning.text, warning.hint].compactMap(\.self).joined(separator: ". "), at: location)
        isWarning = true
    }

    /// Creates a finding from a problem in a document; a problem without a location is reported at the test.
    init(_ diagnostic: Diagnostic, of test: SourceLocation) {
        let place = diagnostic.place
        let trait = place.range.flatMap { TraitSource.holds($0) ? "\(PrintableText.line($0.text)): " : nil } ?? ""
        let hint = diagnostic.hint.isEmpty ? "" : "; \(diagnostic.hint)"
        text = trait + PrintableText.visible(diagnostic.message + hint)
        location =
            place.file.map { file in
                test.moved(to: file.name, line: place.range?.line ?? 1, column: place.range?.column ?? 1)
            } ?? test
        isWarning = diagnostic.severity == .warning
    }

    init(_ failure: Failure, of test: SourceLocation) {
        text = PrintableText.visible(failure.text + (failure.hint.map { "; \($0)" } ?? ""))
        location = failure.source.map { test.moved(to: $0.file, line: $0.line, column: 1) } ?? test
    }
}

extension SourceLocation {
    fileprivate func moved(to path: String, line: Int, column: Int) -> SourceLocation {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let id = path == filePath ? fileID : "\(moduleName)/\(name)"
        return SourceLocation(fileID: id, filePath: path, line: max(1, line), column: max(1, column))
    }
}

extension VirtualPhone {
    /// Returns the notes of the phone's sessions, the expectations that were not judged, and the whole trace.
    func text(of scenarioCase: ScenarioCase) -> String {
        var remarks: [String] = []
        for note in sessions.flatMap(\.notes) where !remarks.contains(note) { remarks.append(note) }
        let all = remarks + scenarioCase.droppedExpectations.lines + TraceText(host.snapshot.trace).lines
        return all.isEmpty ? "nothing happened on the phone\n" : all.joined(separator: "\n") + "\n"
    }
}

/// The progress of a session as text.
struct SessionProgress {
    private let record: SessionRecord

    init(_ record: SessionRecord) {
        self.record = record
    }

    /// A clause that says what was shown, found and sent so far.
    var text: String {
        let found = record.tags.isEmpty ? "no tag was found yet" : "the last tag was found"
        let sent = record.commands.last.map { "the last command was \($0)" } ?? "no command was sent"
        let shown = record.alerts.last.flatMap { $0.isEmpty ? nil : "its sheet says \"\($0)\"" }
        return ([shown, found, sent].compactMap(\.self)).joined(separator: ", ")
    }
}

/// Detects whether a Swift Testing test fails, which the library does not expose.
enum FailureWatch {
    static func run(
        _ test: Test, _ testCase: Test.Case?, _ body: @concurrent @Sendable () async throws -> Void
    ) async throws -> Bool {
        let hasFailed = Lock(false)
        let watcher: IssueHandlingTrait = .compactMapIssues { issue in
            if issue.isFailure { hasFailed.withLock { $0 = true } }
            return issue
        }
        try await watcher.provideScope(for: test, testCase: testCase, performing: body)
        return hasFailed.withLock { $0 }
    }
}

extension VirtualPhone {
    fileprivate convenience init(_ plan: PhonePlan) throws(SystemError) {
        try self.init(plan.scenarioCase, plan.settings, observer: plan.order?.observer())
    }
}
