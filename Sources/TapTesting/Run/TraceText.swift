import TapDoors
import TapField
import TapPhone
import TapReport
import TapScenario
import TapWire

/// The trace of a run in words, a line for each event.
struct TraceText {
    private let events: ArraySlice<TraceEvent>
    private let remarks: [String]

    /// Takes all that happened before a phone, what its sessions were told to note, and what was not judged.
    init(_ phone: VirtualPhone, of scenarioCase: ScenarioCase) {
        events = Array(phone.host.snapshot.trace.events)[...]
        let notes = phone.sessions.flatMap(\.notes)
        var told: [String] = []
        for note in notes where !told.contains(note) { told.append(note) }
        remarks = told + scenarioCase.droppedExpectations.lines
    }

    /// Takes some events.
    init(_ events: ArraySlice<TraceEvent>) {
        self.events = events
        remarks = []
    }

    var text: String {
        let lines = Lock<[String]>([])
        let printer = ExchangePrinter(style: .plain) { line in lines.withLock { $0.append(line) } }
        var command: AirFrame?
        for event in events {
            if case .command(let frame) = event.kind { command = frame }
            printer.observe(event, answering: command)
        }
        let all = remarks + lines.withLock { $0 }
        return all.isEmpty ? "nothing happened before the phone\n" : all.joined(separator: "\n") + "\n"
    }
}
