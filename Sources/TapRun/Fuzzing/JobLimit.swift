import TapFuzz
import TapSystem

/// A limit of the pieces of work under way at a time, which follows how busy the processors are.
public final class JobLimit: Sendable {
    private struct State {
        var count: Int
        var seen = ContinuousClock.now
        var times = Processors.times
    }

    /// How long processors are watched before the limit changes.
    private static let window = Duration.milliseconds(250)
    /// Most jobs for each processor: each may be a program of 20 MB.
    private static let mostForProcessor = 24
    /// The share of time without work from which more jobs can be taken, and that below which there are too many.
    private static let (muchIdle, littleIdle) = (0.25, 0.05)

    private let state: Lock<State>

    /// At first two for each processor, then as many as keep processors at work: most clients wait for most of the time.
    public init() {
        state = Lock(State(count: 2 * Processors.count))
    }

    /// The number now.
    var count: Int {
        state.withLock { state in
            guard ContinuousClock.now - state.seen >= Self.window, let before = state.times,
                let now = Processors.times, now.total > before.total
            else { return state.count }
            let idle = Double(now.idle - before.idle) / Double(now.total - before.total)
            (state.seen, state.times) = (.now, now)
            let most = min(Processors.count * Self.mostForProcessor, Processors.maximumJobs)
            state.count = Self.count(after: state.count, idle: idle, atLeast: Processors.count, atMost: most)
            return state.count
        }
    }

    /// The next number of jobs: as many more as there was time without work, and twice as many where nearly all was.
    static func count(after count: Int, idle: Double, atLeast least: Int, atMost most: Int) -> Int {
        if idle > muchIdle {
            return min(count + max(1, Int(Double(count) * min(1, idle / (1 - min(idle, 0.9))))), most)
        }
        return idle < littleIdle ? max(count - 1, least) : count
    }

    /// Pieces of work, as many at a time as this allows.
    public var jobs: Jobs { Jobs { self.count } }
}
