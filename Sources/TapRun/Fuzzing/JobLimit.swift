import TapFuzz
import TapSystem

/// A limit for parallel jobs that follows the load of the processors.
///
/// On a busy machine, runs whose clients only wait do not count as load.
public final class JobLimit: Sendable {
    private struct State {
        var count: Int
        var seen = ContinuousClock.now
        var times = Processors.times
        var used = Processors.used
    }

    /// The time that the load is measured before the limit changes.
    private static let window = Duration.milliseconds(250)
    /// The maximum number of jobs for each processor: each may be a program of 20 MB.
    private static let mostForProcessor = 24
    /// The share of idle time above which more jobs are possible, and below which there are too many.
    private static let (muchIdle, littleIdle) = (0.25, 0.05)
    /// The share of used time below which clients only wait.
    private static let littleUse = 0.1
    /// The part of the jobs that clients that only wait may use on a busy machine.
    ///
    /// It is small, because TapSim does not see the time of a client in a container.
    private static let waitingPart = 3

    private let state: Lock<State>

    /// Creates a limit of two jobs for each processor; it then rises until the processors are busy, because most clients
    /// mostly wait.
    public init() {
        state = Lock(State(count: 2 * Processors.count))
    }

    var count: Int {
        state.withLock { state in
            guard ContinuousClock.now - state.seen >= Self.window, let before = state.times,
                let now = Processors.times, now.total > before.total
            else { return state.count }
            let used = Processors.used
            let total = Double(now.total - before.total)
            let idle = Double(now.idle - before.idle) / total
            // A client that ended takes its time with it.
            let use = used < state.used ? 1 : Double(used - state.used) / total
            (state.seen, state.times, state.used) = (.now, now, used)
            let most = min(Processors.count * Self.mostForProcessor, Processors.maximumJobs)
            state.count = Self.count(
                after: state.count, idle: idle, use: use, atLeast: Processors.count, atMost: most)
            return state.count
        }
    }

    /// Returns the next limit: it grows in proportion to the idle time, and shrinks by one if there is almost none.
    ///
    /// If other programs keep the machine busy while the clients only wait, it grows by one.
    ///
    /// - Parameter use: The share of time that this process and its clients have used.
    static func count(after count: Int, idle: Double, use: Double = 1, atLeast least: Int, atMost most: Int) -> Int {
        if idle > muchIdle {
            return min(count + max(1, Int(Double(count) * min(1, idle / (1 - min(idle, 0.9))))), most)
        }
        if use < littleUse { return max(count, min(count + 1, most / waitingPart)) }
        return idle < littleIdle ? max(count - 1, least) : count
    }

    public var jobs: Jobs { Jobs { self.count } }
}
