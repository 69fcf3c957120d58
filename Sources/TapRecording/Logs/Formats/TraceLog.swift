import TapDocument
import TapField
import TapReport
import TapWire

/// The frames of a TapSim trace, without the other events.
///
/// Each line is parsed separately, so that a truncated line does not affect others.
struct TraceLog: LogReader {
    private var air = AirConversation()
    private var last: LogLine?
    /// The name of the card that answered last.
    private var card: String?

    var sessions: SessionCollector { air.sessions }

    static func has(_ line: LogLine) -> Bool {
        line.has("{", at: line.start) && line.place(after: "\"kind\":") != nil && line.place(after: "\"v\":") != nil
    }

    mutating func take(_ line: LogLine) {
        last = line
        guard !line.isEmpty else { return }
        guard Self.has(line) else { return air.sessions.passOver(line) }
        do throws(TraceReader.Problem) {
            let trace = try TraceReader.trace(SourceFile(name: "trace", bytes: line.bytes))
            for event in trace.events { take(event, line) }
        } catch {
            air.sessions.list(line, error.description)
        }
    }

    mutating func finish() { air.finish(at: last) }

    private mutating func take(_ event: TraceEvent, _ line: LogLine) {
        switch event.kind {
        case .command(let frame):
            air.send(frame, at: line, from: event.time, to: event.time + frame.commandAirTime)
        case .answer(let frame, let card, _, _):
            self.card = card
            air.answer(frame, at: line, from: event.time)
        case .silence: air.answer(nil, at: line)
        case .collision: air.sessions.list(line, "several cards answered at once")
        case .card(let name, isPresent: false) where name == card:
            card = nil
            air.leave(at: line)
        default: break
        }
    }
}
