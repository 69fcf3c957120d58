import TapDoors
import TapPhone
import TapScenario
import Testing

/// What was not met when a test has ended.
struct PhoneVerdict: Sendable {
    /// For how long nothing may happen to an end that is under way.
    private static let grace = Duration.seconds(1)
    /// How long it may take, by the clock of the machine.
    private static let longestGrace = Duration.seconds(5)

    private let plan: PhonePlan
    private let phone: VirtualPhone
    private let location: SourceLocation

    /// Takes a test that has ended, its phone not closed yet.
    init(_ plan: PhonePlan, _ phone: VirtualPhone, at location: SourceLocation) {
        self.plan = plan
        self.phone = phone
        self.location = location
    }

    /// A session that is open although the test has ended; one that is just ending is waited for, on this thread.
    var sessionLeftOpen: Finding? {
        phone.catchUp()
        guard !plan.leavesSessionOpen else { return nil }
        let wait = PhoneWait(phone, timeout: Self.longestGrace, silence: Self.grace)
        while phone.sessions.contains(where: { !$0.isTold }), phone.nextEnd(wait) != nil {}
        guard let open = phone.sessions.first(where: { $0.error == nil }) else { return nil }
        return Finding(
            "a session is still open at the end of the test, \(SessionProgress(open).text); "
                + "wait for `VirtualNFC.sessionEnd()`, or allow it with `.leavesSessionOpen()`", at: location)
    }

    /// Expectations that were not met and faults that never struck; the phone is closed.
    var unmet: [Finding] {
        let world = phone.host.snapshot
        var record = RunRecord(world: world, client: ClientReport(end: .elsewhere))
        record.phone = PhoneReport(phone.sessions.map(\.report))
        return Judge.judge(plan.scenarioCase, record).failures.map { Finding($0, of: location) }
    }
}
