import TapDocument
import TapFuzz
import TapWire

/// The run times of a case, which differ between campaigns.
struct CampaignSpeed: OutputModel {
    /// The number of runs, without repeats of findings.
    let count: Int
    let time: Duration
    /// The time of a baseline run, start of the client included; `nil` for a client in this process.
    let runTime: Duration?
    /// The time to start the client, if copies made it necessary only once; otherwise the reason why not.
    let startTime: Result<Duration, NoQuickRunner>

    /// A sentence such as `468 runs in 14s (33 per second); a run without faults takes 87ms, 41ms of it to start the client`;
    /// `nil` if nothing was run.
    var sentence: String? {
        guard count > 0, time > .zero else { return nil }
        let rate = Self.words(Double(count) / (time / .seconds(1)))
        let head = "\(CountText.of(count, "run")) in \(DurationText.of(Self.rounded(time))) (\(rate) per second)"
        guard let runTime else { return head }
        let one = "\(head); a run without faults takes \(DurationText.of(Self.rounded(runTime)))"
        return switch startTime {
        case .success(let start): "\(one), \(DurationText.of(Self.rounded(start))) of it to start the client"
        case .failure(let error): "\(one). The client was started for each run: \(error)"
        }
    }

    /// The number of baseline runs, performed one after another and each with a start of the client, that would take the time
    /// of one run here.
    private var gain: Double? {
        guard count > 0, time > .zero, let runTime else { return nil }
        return Double(count) * (runTime / time)
    }

    static let output = OutputTable<Self>(
        "campaign-speed", "Times of a campaign",
        .always("milliseconds", "The time of all runs") { milliseconds($0.time) },
        .maybe("baseline_run_milliseconds", "The time of a baseline run, including the start of the client") {
            $0.runTime.map(milliseconds)
        },
        .maybe(
            "start_milliseconds", "The part of that time needed only once, if copies of the client performed the runs"
        ) { (try? $0.startTime.get()).map(milliseconds) },
        .maybe(
            "times_baseline_run",
            "The speed relative to separate baseline runs, each with its own start, one after another"
        ) { $0.gain.map { ($0 * 100).rounded() / 100 } })

    /// Formats a number with one decimal below ten and two below one.
    private static func words(_ number: Double) -> String {
        let hundredths = Int((min(number, 1) * 100).rounded())
        guard hundredths >= 100 else { return hundredths < 10 ? "0.0\(hundredths)" : "0.\(hundredths)" }
        let tenths = Int((min(number, 1e12) * 10).rounded())
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
    }

    private static func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }

    private static func rounded(_ time: Duration) -> Duration {
        time < .seconds(10) ? .milliseconds(max(1, milliseconds(time))) : .seconds(time.components.seconds)
    }
}
