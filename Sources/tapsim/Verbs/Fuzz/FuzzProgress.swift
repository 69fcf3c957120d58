import TapDoors
import TapFuzz
import TapWire

/// The line that tells how far a campaign is, where a person looks at standard error.
final class FuzzProgress: Sendable {
    private struct Count {
        var done = 0
        var findings = 0
    }

    private let total: Int
    private let console: Console
    private let count = Lock(Count())

    init(_ total: Int, _ console: Console) {
        self.total = total
        self.console = console
    }

    /// Counts a run that is done and shows the line anew.
    func add(_ entry: VerdictGrid.Entry) {
        // Shown under the lock, so that it never goes back.
        count.withLock { count in
            count.done += 1
            if entry.finding != nil { count.findings += 1 }
            console.showProgress("\(count.done) of \(total) runs, \(CountText.of(count.findings, "finding"))")
        }
    }

    /// Takes the line away.
    func clear() { console.showProgress("") }
}
