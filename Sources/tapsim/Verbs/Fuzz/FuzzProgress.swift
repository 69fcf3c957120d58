import TapDoors
import TapFuzz

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
        let now = count.withLock { count in
            count.done += 1
            if entry.finding != nil { count.findings += 1 }
            return count
        }
        console.showProgress("\(now.done) of \(total) runs, \(now.findings) findings")
    }

    /// Takes the line away.
    func clear() { console.showProgress("") }
}
