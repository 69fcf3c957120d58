import TapDocument
import TapField
import TapReport
import TapWire

/// The frames of a TapSim trace, without the other events.
///
/// Each line is parsed separately, so that a truncated line does not affect others.
struct TraceLog: LogReader {
    private var conversation = RFConversation()
    private var last: LogLine?
    /// The name of the card that answered last.
    private var card: String?

    var sessions: SessionCollector { conversation.sessions }

    static func has(_ line: LogLine) -> Bool {
        line.has("{", at: line.start) && line.place(after: "\"kind\":") != nil && line.place(after: "\"v\":") != nil
    }

    mutating func take(_ line: LogLine) {
        last = line
        guard !line.isEmpty else { return }
        guard Self.has(line) else { return conversation.sessions.passOver(line) }
        do throws(TraceReader.Problem) {
            let trace = try TraceReader.trace(SourceFile(name: "trace", bytes: line.bytes))
            for event in trace.events { take(event, line) }
        } catch {
            conversation.sessions.list(line, error.description)
        }
    }

    mutating func finish() { conversation.finish(at: last) }

    private mutating func take(_ event: TraceEvent, _ line: LogLine) {
        switch event.kind {
        case .command(let frame):
            conversation.send(frame, at: line, from: event.time, to: event.time + frame.commandTransmissionTime)
        case .answer(let frame, let card, _, _):
            self.card = card
            conversation.answer(frame, at: line, from: event.time)
        case .silence: conversation.answer(nil, at: line)
        case .collision: conversation.sessions.list(line, "several cards answered at once")
        case .card(let name, isPresent: false) where name == card:
            card = nil
            conversation.leave(at: line)
        default: break
        }
    }
}
