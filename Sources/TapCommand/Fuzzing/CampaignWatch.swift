import TapDocument
import TapFuzz
import TapSystem
import TapJudge
import TapScenario
import TapWire

/// The progress of a campaign on standard error, and each new cause as it is found.
final class CampaignWatch {
    static let options: [Option] = [
        .value("--stop-after", "N", "Stop after N new causes").in(.runs),
        .value("--time", "TIME", "Stop after this long, such as 5m, a fifth of it spent simplifying findings").in(
            .runs),
        .value("--budget", "TIME", "Then try combinations of faults for this long per case, such as 5m").in(.runs),
    ]
    fileprivate static let mostCauses = 1_000_000

    private let console: Console
    private let isQuiet: Bool
    private var causeCount = 0
    private var total = 0
    private var done = 0
    /// The number of runs performed before those that count for the estimate of the time left.
    private var start = 0
    private var began = ContinuousClock.now
    private var ended = ContinuousClock.now
    /// The scheduled end of the current guided phase.
    private var guidedEnd: ContinuousClock.Instant?

    init(_ arguments: Arguments, _ console: Console) {
        self.console = console
        isQuiet = arguments.isGiven("--json")
    }

    /// The number of runs of this case so far, and the time they took.
    var performed: (count: Int, time: Duration) { (done - start, ended - began) }

    func take(_ event: CampaignEvent) {
        switch event {
        case .baselineRun(let number):
            // Baseline runs of a client that waits for cards take a while.
            console.showProgress("baseline run \(number) of \(Baseline.runCount)")
        case .faults(let planned):
            total += planned
            (start, began, ended) = (done, .now, .now)
        case .judged(let run, let isNew): add(run.entry, isNew)
        case .guided(let end): guidedEnd = end
        case .guidedEnd: (guidedEnd, total) = (nil, done)
        case .controlCards, .shown: break
        }
    }

    func clear() { console.showProgress("") }

    private func add(_ entry: VerdictGrid.Entry, _ isNew: Bool) {
        done += 1
        ended = .now
        if isNew, let finding = entry.finding {
            causeCount += 1
            show(finding, of: entry)
        }
        let runs = guidedEnd == nil ? "\(done) of \(total)" : "\(done)"
        console.showProgress("\(runs) runs, \(CountText.of(causeCount, "cause"))\(timeLeft)")
    }

    private func show(_ finding: OutcomeFinding, of entry: VerdictGrid.Entry) {
        guard !isQuiet else { return }
        console.showProgress("")
        let words = PrintableText.visible("\(entry.run.name): \(finding.reason)")
        console.printError("  \(console.errorStyle.severity(finding.outcome.rawValue, .error))  \(words)")
    }

    private var timeLeft: String {
        if let end = guidedEnd { return ", \(Self.text(of: end - .now)) left" }
        let (made, left) = (done - start, total - done)
        guard made > 0, left > 0 else { return "" }
        return ", about \(Self.text(of: (ContinuousClock.now - began) / made * left)) left"
    }

    private static func text(of time: Duration) -> String {
        DurationText.of(.seconds(max(1, time.components.seconds)))
    }
}

extension CampaignLimits {
    /// - Throws: ``UsageError`` for an invalid limit.
    init(_ arguments: Arguments) throws {
        let mostCauses: Int? = try arguments.number("--stop-after")
        if let mostCauses, !(1...CampaignWatch.mostCauses).contains(mostCauses) {
            throw UsageError("`--stop-after` needs a number from 1 to \(CampaignWatch.mostCauses)")
        }
        let time = try arguments.duration("--time", what: "a campaign")
        EndRequest.take()
        self.init(time: time, mostCauses: mostCauses) { EndRequest.isMade }
    }
}

extension CampaignLimits.Stop {
    /// The text after "stopped by".
    var words: String {
        switch self {
        case .causes: "--stop-after"
        case .time: "--time"
        case .interrupt: "an interrupt"
        }
    }
}
