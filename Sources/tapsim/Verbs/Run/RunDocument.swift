import TapReport
import TapScenario

/// A run as a program reads it: one JSON document, written while the run goes on.
struct RunDocument {
    private let console: Console
    private var stream: JSONWriter.Stream?
    /// The scenario whose cases are being written.
    private var scenario: (name: String, file: String)?

    /// Begins nothing yet: a run that fails before its first case leaves no output.
    init(_ console: Console) {
        self.console = console
    }

    /// Writes a case of a scenario.
    mutating func add(_ result: CaseResult, of selected: SelectedScenario) {
        begin()
        if let scenario, scenario != (selected.name, selected.file) { endScenario() }
        if scenario == nil {
            stream?.beginMap()
            stream?.add(.text(selected.name), "name")
            stream?.add(.text(selected.file), "file")
            stream?.add(.number(selected.seed), "seed")
            stream?.beginList("cases")
            scenario = (selected.name, selected.file)
        }
        stream.mutate { result.write(to: &$0) }
    }

    /// Writes the end of a run: what it came to.
    mutating func end(_ tally: RunTally) {
        begin()
        end(tally, error: nil)
    }

    /// Writes the end of a run that cannot go on, if it has begun, so that what is there can be read.
    mutating func breakOff(_ tally: RunTally, _ error: any Error) {
        guard stream != nil else { return }
        end(tally, error: (error as? VerbError)?.message ?? "\(error)")
    }

    private mutating func begin() {
        guard stream == nil else { return }
        let console = console
        stream = JSONWriter.Stream(.pretty) { console.printAsIs($0) }
        stream?.add(.text(TapSimCommand.version), "tapsim")
        stream?.beginList("scenarios")
    }

    private mutating func endScenario() {
        stream?.end()
        stream?.end()
        scenario = nil
    }

    private mutating func end(_ tally: RunTally, error: String?) {
        if scenario != nil { endScenario() }
        stream?.end()
        stream?.add(.number(tally.passedCount), "passed")
        stream?.add(.number(tally.failedCount), "failed")
        stream?.add(.number(tally.skippedCount), "skipped")
        if let error { stream?.add(.text(error), "error") }
        stream?.end()
        console.printAsIs("\n")
    }
}

extension Optional {
    /// Changes what is there, in its place.
    fileprivate mutating func mutate(_ change: (inout Wrapped) -> Void) {
        guard var value = take() else { return }
        change(&value)
        self = value
    }
}
