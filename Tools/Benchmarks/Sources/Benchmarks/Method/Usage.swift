import Meters

/// What a run takes of the processor and of the system, as a line of a profile.
enum Usage {
    /// Runs something and tells of one round of it.
    ///
    /// Memory that is touched for the first time is a page fault, and giving the processor away a context switch; both
    /// are time in the system.
    ///
    /// - Parameters:
    ///   - who: What is run, for people.
    ///   - rounds: How often `run` does it.
    ///   - resources: Whose resources are meant.
    static func line(
        _ who: String, rounds: Int, of resources: () -> resources = resources_used, _ run: (Int) -> Void
    ) -> String {
        let before = resources()
        run(rounds)
        let after = resources()
        let perRound = 1 / Double(rounds)
        let own = Table.number((after.user_nanoseconds - before.user_nanoseconds) * perRound / 1e6)
        let system = Table.number((after.system_nanoseconds - before.system_nanoseconds) * perRound / 1e6)
        let faults = Table.number(Double(after.page_faults - before.page_faults) * perRound)
        let switches = Table.number(Double(after.context_switches - before.context_switches) * perRound)
        return "\(who): \(own) ms of its own, \(system) ms in the system, \(faults) page faults, "
            + "\(switches) context switches"
    }
}
