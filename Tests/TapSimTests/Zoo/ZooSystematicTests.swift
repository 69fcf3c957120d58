import TestSupport
import Testing

/// Every fault once at every exchange, with buggy and correct clients.
@Suite struct `The zoo under every fault` {
    /// The fault families for correct clients.
    private static let families = ["rf", "a3", "felica", "ntag", "mem", "reader", "pcsc", "app"]

    @Test(arguments: ZooProgram.all.filter { $0.tested.contains { !$0.needsNoFault } })
    func `shows each mistake with its verdict and location`(program: ZooProgram) throws {
        var table: [String] = []
        for mistake in program.tested where !mistake.needsNoFault {
            // A client that never ends needs no long timeout.
            let timeout = ["hang", "livelock"].contains(mistake.verdict) ? "1s" : "3s"
            let grid = try ZooGrid(program, mistake.name, ["--only", mistake.runs], timeout: timeout)
            let found = grid.runs.first { run in
                run.verdict == mistake.verdict && run.place == mistake.place && run.nth == mistake.nth
            }
            #expect(found != nil, "\(mistake.name) was not found; findings: \(grid.runs.filter { !$0.isOK })")
            table.append(Self.row(program, mistake, found))
        }
        print(table.joined(separator: "\n"))
    }

    @Test(arguments: ZooProgram.all)
    func `lets the correct client pass`(program: ZooProgram) throws {
        let share = TestScale.isLong ? [] : ["--shard", "1/\(program.share)"]
        let families = Self.families.flatMap { ["--only", "\($0).*"] }
        let grid = try ZooGrid(program, ZooProgram.correct, share + families + program.except)
        #expect(!grid.runs.isEmpty)
        #expect(grid.runs.filter { !$0.isOK }.isEmpty)
    }

    @Test(arguments: [
        // The same byte of the Request Service answer, in both readings of a client that reads twice.
        (ZooProgram.felica, "rf.bytes@5+reader.bytes@9"),
        // A block other than the requested one, with a valid MAC from the card.
        (.named("lite_zoo"), "felica.repeat_block:fix=mac@6"),
        // A wait that fails while the reader reports a change.
        (.named("lite_zoo"), "pcsc.spurious_event@c2+pcsc.return_code@c2"),
    ])
    func `does not blame a correct client for what it cannot know`(program: ZooProgram, name: String) throws {
        let grid = try ZooGrid(program, ZooProgram.correct, ["--only", name])
        #expect(grid.runs.isEmpty)
    }

    /// A line of the table of found and missed bugs.
    private static func row(_ program: ZooProgram, _ mistake: ZooMistake, _ found: ZooGrid.Run?) -> String {
        let place = "\(mistake.place) \(mistake.nth)"
        let columns = [
            (found == nil ? "missed" : "found", 8), (program.name, 16), (mistake.name, 23), (mistake.verdict, 17),
            (mistake.fault, 24), (place, 30),
        ]
        return columns.map { $0.0.padded(to: $0.1) }.joined() + (found?.reason ?? "")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
