import Meters

/// What a run takes of the processor and of the system, as a line of a profile.
enum Usage {
    /// How long a run is at least, in nanoseconds: the system tells its own time apart by ticks of some milliseconds.
    private static let shortestRun = 1e9

    /// Runs something for a second or so, and tells of one round of it.
    ///
    /// Memory that is touched for the first time is a page fault, and giving the processor away a context switch; both
    /// are time in the system.
    ///
    /// - Parameters:
    ///   - who: What a round is, for people.
    ///   - resources: Whose resources are meant.
    ///   - run: Runs as many rounds as told.
    static func line(_ who: String, of resources: () -> resources = resources_used, _ run: (Int) -> Void) -> String {
        let before = resources()
        let start = monotonic_nanoseconds()
        var (rounds, next) = (0, 1)
        while monotonic_nanoseconds() - start < shortestRun {
            run(next)
            rounds += next
            next *= 2
        }
        let after = resources()
        let user = (after.user_nanoseconds - before.user_nanoseconds) / Double(rounds)
        let system = (after.system_nanoseconds - before.system_nanoseconds) / Double(rounds)
        let share = Table.number(100 * system / (user + system))
        let faults = Table.number(Double(after.page_faults - before.page_faults) / Double(rounds))
        let switches = Table.number(Double(after.context_switches - before.context_switches) / Double(rounds))
        return "\(who): \(Table.number((user + system) / 1e6)) ms of the processor, \(share) % of them in the system, "
            + "\(faults) page faults, \(switches) context switches"
    }
}
