import TapDoors
import TapPhone
import Testing

extension PhoneScope {
    /// Runs a test that does not suspend before the phone that its traits make, then judges what happened.
    static func runBlocking(
        _ parts: [PlanPart], at location: SourceLocation, reporting reporter: Reporter, _ body: () throws -> Void
    ) throws {
        guard let plan = plan(parts, at: location, reporter) else { return }
        let isInside = VirtualPhone.current != nil
        if !isInside { Turns.ofPhones.takeBlocking() }
        defer { if !isInside { Turns.ofPhones.giveBack() } }
        let phone = try VirtualPhone(plan.scenarioCase, plan.settings)
        let (before, failures) = (VirtualPhone.processDefault, reporter.failureCount())
        setProcessDefault(phone)
        defer { VirtualPhone.processDefault = before }
        do {
            try VirtualPhone.$current.withValue(phone) { try body() }
        } catch {
            phone.close()
            reporter.attach(TraceText(phone, of: plan.scenarioCase).text)
            throw error
        }
        let verdict = PhoneVerdict(plan, phone, at: location)
        let open = RunLoopWait.value { verdict.sessionLeftOpen }
        phone.close()
        tell(
            [open].compactMap(\.self) + verdict.unmet, of: phone, plan, reporter,
            hasFailed: reporter.failureCount() > failures)
    }
}
