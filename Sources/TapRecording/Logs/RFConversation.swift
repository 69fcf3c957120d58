import TapCards
import TapWire

/// A conversation over the air between a reader and cards, frame by frame, from which exchanges are extracted.
///
/// The selection of type A cards reveals the UID but is not an exchange: in a replay, the card is selected according to its
/// definition. The same applies to a Polling that is unanswered, or answered as the definition would answer it.
struct RFConversation {
    var sessions = SessionCollector(.frame)
    private var command: (frame: RFFrame, line: LogLine, end: Duration?)?
    private var parts: [CascadePart] = []

    /// The frame that waits for its answer.
    var sent: RFFrame? { command?.frame }

    /// Adds a frame of the reader, with the times of its beginning and end.
    mutating func send(_ frame: RFFrame, at line: LogLine, from start: Duration? = nil, to end: Duration? = nil) {
        answer(nil, at: line)
        command = (frame, line, end)
        time = start
    }

    private var time: Duration?

    /// Adds the answer, or `nil` for silence.
    mutating func answer(_ answer: RFFrame?, at line: LogLine, from start: Duration? = nil) {
        guard let (command, place, end) = command else {
            if answer != nil { sessions.list(line, "there is no command before the answer") }
            return
        }
        self.command = nil
        var times = ExchangeTime(time: time)
        if let start, let end, start > end { times.took = start - end }
        guard command.integrity == .good, answer?.integrity ?? .good == .good else {
            return sessions.list(place, "the frame or its answer is damaged")
        }
        if command.technology.isFeliCa {
            addFeliCa(command, answer, place, times)
        } else {
            addTypeA(command, answer, place, times)
        }
    }

    mutating func leave(at line: LogLine) {
        answer(nil, at: line)
        sessions.leave()
    }

    mutating func finish(at line: LogLine?) {
        if let line { answer(nil, at: line) }
        sessions.finish()
    }

    private mutating func addFeliCa(_ command: RFFrame, _ answer: RFFrame?, _ line: LogLine, _ times: ExchangeTime) {
        if let request = try? Polling.Request(parsing: command.bytes.span) {
            guard let answer else { return }
            if sessions.found(answer.bytes, by: request) { return }
        }
        sessions.addFeliCa(command.bytes, answer?.bytes, at: line, times)
    }

    /// Adds a command to a type A card, unless it is part of selection.
    mutating func addTypeA(_ command: RFFrame, _ answer: RFFrame?, _ line: LogLine, _ times: ExchangeTime) {
        if CommandName(of: command)?.layer == .selection { return select(command, answer) }
        guard command.bitCount == command.bytes.count * 8 else {
            return sessions.list(line, "a recording cannot contain frames of \(command.bitCount) bits")
        }
        guard let answer else { return sessions.add(.init(command.bytes, nil, times), at: line) }
        guard answer.bitCount % 8 == 0 || answer.bitCount == Acknowledgement.bitCount else {
            return sessions.list(line, "a recording cannot contain answers of \(answer.bitCount) bits")
        }
        sessions.add(.init(command.bytes, .init(answer.bytes, bitCount: answer.bitCount), times), at: line)
    }

    private mutating func select(_ command: RFFrame, _ answer: RFFrame?) {
        guard let answer, let request = try? Select.Request(parsing: command.bytes.span) else { return }
        if request.level == .first { parts = [] }
        parts.append(request.part)
        guard let sak = SAK(receivedAs: answer), sak.isUIDComplete else { return }
        if let uid = try? UID(cascadeParts: parts) { sessions.find(.typeA(uid: uid)) }
        parts = []
    }
}

extension SessionCollector {
    /// Notes the answer to a reader's Polling.
    ///
    /// Returns `false` if it must be an exchange, because it is from another system than the one the card was found in.
    mutating func found(_ answer: [UInt8], by request: Polling.Request) -> Bool {
        guard let found = try? Polling.Response(parsing: answer.span) else { return false }
        find(RecordedSession.Identity(found, asked: request))
        guard case .felica(let idm, let pmm, let system) = current.card else { return false }
        return idm == found.idm && pmm == found.pmm && system.map(request.systemCode.matches) ?? true
    }
}
