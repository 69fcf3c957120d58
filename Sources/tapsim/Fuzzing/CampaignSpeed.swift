import TapDocument
import TapReport
import TapRun
import TapWire

/// How long the runs of a case took, which no two campaigns agree in.
struct CampaignSpeed {
    /// How many runs were made, those that repeat a finding left out.
    let count: Int
    let time: Duration
    let prepared: FuzzCampaign.Prepared

    /// `468 runs in 14 s, 33 a second; the client takes 87 ms, and 41 ms of that was done once`; nil where nothing was run.
    var sentence: String? {
        guard count > 0, time > .zero else { return nil }
        let rate = Int((Double(count) / (time / .seconds(1)) * 10).rounded())
        let words = rate < 100 ? "\(rate / 10).\(rate % 10)" : "\(rate / 10)"
        let head = "\(CountText.of(count, "run")) in \(DurationText.of(Self.rounded(time))), \(words) a second"
        guard let runTime = prepared.runTime else { return head }
        let client = "\(head); the client takes \(DurationText.of(Self.rounded(runTime)))"
        return switch prepared.startTime {
        case .success(let start): "\(client), and \(DurationText.of(Self.rounded(start))) of that was done once"
        case .failure(let error): "\(client), and was started for each: \(error)"
        }
    }

    var node: Node {
        .map([
            "milliseconds": .number(Self.milliseconds(time)),
            "clean_run_milliseconds": prepared.runTime.map { .number(Self.milliseconds($0)) },
            "start_milliseconds": (try? prepared.startTime.get()).map { .number(Self.milliseconds($0)) },
        ])
    }

    private static func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }

    private static func rounded(_ time: Duration) -> Duration {
        time < .seconds(10) ? .milliseconds(max(1, milliseconds(time))) : .seconds(time.components.seconds)
    }
}
