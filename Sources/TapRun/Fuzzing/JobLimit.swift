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
    /// The share of used time below which clients only wait, and the share of idle time that this counts as.
    private static let (littleUse, idleWhileWaiting) = (0.1, 0.5)

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
            let idle = Self.idle(Double(now.idle - before.idle) / total, using: Double(used - state.used) / total)
            (state.seen, state.times, state.used) = (.now, now, used)
            let most = min(Processors.count * Self.mostForProcessor, Processors.maximumJobs)
            state.count = Self.count(after: state.count, idle: idle, atLeast: Processors.count, atMost: most)
            return state.count
        }
    }

    /// The share of idle time that the limit follows.
    ///
    /// - Parameter use: The share of time that this process and its clients have used.
    static func idle(_ idle: Double, using use: Double) -> Double {
        use < littleUse ? max(idle, idleWhileWaiting) : idle
    }

    /// Returns the next limit: it grows in proportion to the idle time, and shrinks by one if there is almost none.
    static func count(after count: Int, idle: Double, atLeast least: Int, atMost most: Int) -> Int {
        if idle > muchIdle {
            return min(count + max(1, Int(Double(count) * min(1, idle / (1 - min(idle, 0.9))))), most)
        }
        return idle < littleIdle ? max(count - 1, least) : count
    }

    public var jobs: Jobs { Jobs { self.count } }
}
