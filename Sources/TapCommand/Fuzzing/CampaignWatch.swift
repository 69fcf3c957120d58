import TapDocument
import TapSystem
import TapJudge
import TapReport
import TapScenario
import TapWire

/// Follows a campaign: tells of causes as they are found, and ends it early where that is asked for.
final class CampaignWatch: Sendable {
    /// Why a campaign ended before all of its runs were made.
    enum Stop: String {
        case causes, time, interrupt

        /// Behind "stopped by".
        var words: String {
            switch self {
            case .causes: "--stop-after"
            case .time: "--time"
            case .interrupt: "an interrupt"
            }
        }
    }

    private struct State {
        var total = 0
        var done = 0
        /// Runs made before those that count for the time left.
        var start = 0
        var began = ContinuousClock.now
        var ended = ContinuousClock.now
        var keys: Set<String> = []
        /// Causes of this case that need no fault.
        var clean: Set<String> = []
        var stop: Stop?
        /// When the guided phase under way is to end.
        var guidedEnd: ContinuousClock.Instant?
    }

    static let options: [Option] = [
        .value("--stop-after", "N", "End after so many causes that are not known."),
        .value(
            "--time", "TIME",
            "End after this time, such as 5m, a fifth of it for making findings simpler."),
        .value(
            "--budget", "TIME",
            "Go on with each case for this time, such as 5m: pairs of faults, and combinations that take the client further."
        ),
    ]
    private static let mostCauses = 1_000_000

    private let console: Console
    private let isQuiet: Bool
    private let known: KnownCauses
    private let mostNew: Int?
    /// When all is over, what is under way as well.
    let deadline: ContinuousClock.Instant?
    /// When no run begins but those that make findings simpler, if there are any.
    private let searchDeadline: ContinuousClock.Instant?
    /// How long the guided phase of each case takes; `nil` for none.
    let budget: Duration?
    private let state = Lock(State())

    init(_ arguments: Arguments, known: KnownCauses, _ console: Console) throws {
        self.console = console
        self.known = known
        isQuiet = arguments.isGiven("--json")
        mostNew = try arguments.number("--stop-after")
        if let mostNew, !(1...Self.mostCauses).contains(mostNew) {
            throw UsageError("`--stop-after` needs a number from 1 to \(Self.mostCauses)")
        }
        budget = try arguments.duration("--budget", what: "a guided phase")
        let time = try arguments.duration("--time", what: "a campaign")
        deadline = time.map { .now + $0 }
        searchDeadline = time.map { .now + $0 * 4 / 5 }
        EndRequest.take()
    }

    /// Counts the runs of one more case.
    func begin(_ count: Int, clean: Set<String>) {
        state.withLock { state in
            state.clean = clean
            state.total += count
            (state.start, state.began, state.ended) = (state.done, .now, .now)
        }
    }

    /// Begins a guided phase, which ends by the clock.
    func beginGuided(_ time: Duration) {
        state.withLock { $0.guidedEnd = .now + time }
    }

    func endGuided() {
        state.withLock { state in
            state.guidedEnd = nil
            state.total = state.done
        }
    }

    func add(_ entry: VerdictGrid.Entry) {
        // Printed under the lock, so that counts never go back.
        state.withLock { state in
            state.done += 1
            state.ended = .now
            if let finding = entry.finding, let key = entry.cause, !known.contains(key), !state.clean.contains(key),
                state.keys.insert(key).inserted
            {
                tell(finding, of: entry)
            }
            let runs = state.guidedEnd == nil ? "\(state.done) of \(state.total)" : "\(state.done)"
            console.showProgress("\(runs) runs, \(CountText.of(state.keys.count, "cause"))\(Self.timeLeft(state))")
        }
    }

    /// How many runs of this case were made, and how long that took.
    var made: (count: Int, time: Duration) {
        state.withLock { ($0.done - $0.start, $0.ended - $0.began) }
    }

    /// Whether no further run is to begin.
    var isOver: Bool {
        state.withLock { state in
            if state.stop == nil {
                if EndRequest.isMade {
                    state.stop = .interrupt
                } else if let end = state.keys.isEmpty ? deadline : searchDeadline, ContinuousClock.now >= end {
                    state.stop = .time
                } else if let mostNew, state.keys.count >= mostNew {
                    state.stop = .causes
                }
            }
            return state.stop != nil
        }
    }

    /// Whether a guided phase has had its time.
    var isGuidedOver: Bool { isOver || state.withLock { $0.guidedEnd.map { ContinuousClock.now >= $0 } ?? false } }

    /// Whether nothing at all is to be run any more.
    var isInterrupted: Bool { EndRequest.isMade }

    /// Whether what was found is kept as it is, neither made once more nor made simpler.
    var isLate: Bool { isInterrupted || isTimeOver }

    /// A Boolean value that indicates whether the time of the whole campaign is over.
    var isTimeOver: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

    /// Why the campaign is over before its end.
    var stop: Stop? { state.withLock { $0.stop } }

    /// Reports a baseline run that begins; a client that waits for cards takes a while.
    func beginClean(_ number: Int, of count: Int) {
        console.showProgress("baseline run \(number) of \(count)")
    }

    func clear() { console.showProgress("") }

    private func tell(_ finding: OutcomeFinding, of entry: VerdictGrid.Entry) {
        guard !isQuiet else { return }
        console.showProgress("")
        let words = PrintableText.visible("\(entry.run.name): \(finding.reason)")
        console.printError("  \(console.errorStyle.severity(finding.outcome.rawValue, .error))  \(words)")
    }

    private static func timeLeft(_ state: State) -> String {
        if let end = state.guidedEnd { return ", \(text(of: end - .now)) left" }
        let (made, left) = (state.done - state.start, state.total - state.done)
        guard made > 0, left > 0 else { return "" }
        return ", about \(text(of: (ContinuousClock.now - state.began) / made * left)) left"
    }

    private static func text(of time: Duration) -> String {
        DurationText.of(.seconds(max(1, time.components.seconds)))
    }
}
