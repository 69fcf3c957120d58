import TapDoors
import TapField
import TapPhone
import TapWire

/// What became of a session that has ended.
public struct SessionEnd: Sendable {
    /// Texts on the sheet, in order; one that stays the same is there once, and no text is none.
    public let alerts: [String]
    /// The text with which the app ended the session as failed, if it did.
    public let errorMessage: String?
    /// What the delegate was told: number and text of `NFCReaderError`, and what happened here.
    public let error: PhoneError
    /// Commands that the app sent, by their names such as `felica.read`, in order; what the phone did by itself is not
    /// among them.
    public let commands: [String]
    /// Tags found, in order; one that was found again is there again.
    public let tags: [PhoneTag]
    /// The names of the cards they belong to.
    public let cards: [String]
    /// What the phone had to assume or would do otherwise on a device, sentences.
    public let notes: [String]
    /// All exchanges of the session, those of the phone itself among them.
    public let exchanges: [Exchange]
    /// What happened in the field during the session.
    public let trace: SessionTrace
    /// How long it was open, in the time it is counted in.
    public let duration: Duration

    /// The number of the error, as `NFCReaderError.errorCode` has it.
    public var errorCode: Int { error.code.rawValue }
    /// The text of the error, as `localizedDescription` has it.
    public var errorText: String { error.text }

    /// Takes what a phone has recorded.
    init?(_ record: SessionRecord, of phone: VirtualPhone) {
        guard let error = record.error else { return nil }
        alerts = record.alerts
        errorMessage = record.errorMessage
        self.error = error
        commands = record.commands
        tags = record.tags
        cards = record.cards
        notes = record.notes
        exchanges = record.exchanges
        trace = SessionTrace(record.exchanges, in: phone.host.snapshot.trace)
        duration = record.duration
    }
}

extension SessionEnd: CustomStringConvertible {
    /// What was shown, sent and told, in a few lines, for tests that fail.
    public var description: String {
        let end = errorMessage.map { "the app ended it with \"\($0)\"" } ?? "\(error)"
        let shown = alerts.isEmpty ? "nothing" : alerts.map { "\"\($0)\"" }.joined(separator: ", ")
        let sent = commands.isEmpty ? "none" : commands.joined(separator: ", ")
        return "a session: \(end); shown: \(shown); commands: \(sent)"
    }
}

/// What happened in the field during a session.
public struct SessionTrace: Sendable, CustomStringConvertible {
    /// The events from the first exchange of the session to the last.
    public let events: [TraceEvent]

    /// The events in words, a line for each.
    public var text: String { TraceText(events[...]).text }
    /// The events in words, a line for each.
    public var description: String { text }

    init(_ exchanges: [Exchange], in trace: Trace) {
        guard let first = exchanges.first?.number, let last = exchanges.last?.number else {
            events = []
            return
        }
        var count = 0
        events = trace.events.filter { event in
            if case .command = event.kind { count += 1 }
            return count >= first && count <= last
        }
    }
}
