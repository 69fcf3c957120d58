import TapCards
import TapWire

/// What crossed the air between a reader and cards, frame by frame, and what exchanges are in it.
///
/// Selection of type A cards tells whose UID it is and is no exchange: the card of a replay is selected as its definition
/// has it. Neither is a Polling that is not answered, or answered as that definition answers it.
struct AirConversation {
    var sessions = SessionCollector(.frame)
    private var command: (frame: AirFrame, line: LogLine, end: Duration?)?
    private var parts: [CascadePart] = []

    /// The frame that waits for its answer.
    var sent: AirFrame? { command?.frame }

    /// A frame of the reader, and when it began and ended.
    mutating func send(_ frame: AirFrame, at line: LogLine, from start: Duration? = nil, to end: Duration? = nil) {
        answer(nil, at: line)
        command = (frame, line, end)
        time = start
    }

    /// When the command began.
    private var time: Duration?

    /// What came back; `nil` for silence.
    mutating func answer(_ answer: AirFrame?, at line: LogLine, from start: Duration? = nil) {
        guard let (command, place, end) = command else {
            if answer != nil { sessions.list(line, "no command comes before the answer") }
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

    /// The card is gone.
    mutating func leave(at line: LogLine) {
        answer(nil, at: line)
        sessions.leave()
    }

    mutating func finish(at line: LogLine?) {
        if let line { answer(nil, at: line) }
        sessions.finish()
    }

    private mutating func addFeliCa(_ command: AirFrame, _ answer: AirFrame?, _ line: LogLine, _ times: ExchangeTime) {
        if let request = try? Polling.Request(parsing: command.bytes.span) {
            guard let answer else { return }
            if sessions.found(answer.bytes, by: request) { return }
        }
        sessions.addFeliCa(command.bytes, answer?.bytes, at: line, times)
    }

    /// Takes a command to a type A card, of which selection is no exchange.
    mutating func addTypeA(_ command: AirFrame, _ answer: AirFrame?, _ line: LogLine, _ times: ExchangeTime) {
        if CommandName(of: command)?.layer == .selection { return select(command, answer) }
        guard command.bitCount == command.bytes.count * 8 else {
            return sessions.list(line, "a recording has no frames of \(command.bitCount) bits")
        }
        guard let answer else { return sessions.add(.init(command.bytes, nil, times), at: line) }
        guard answer.bitCount % 8 == 0 || answer.bitCount == Acknowledgement.bitCount else {
            return sessions.list(line, "a recording has no answers of \(answer.bitCount) bits")
        }
        sessions.add(.init(command.bytes, .init(answer.bytes, bitCount: answer.bitCount), times), at: line)
    }

    private mutating func select(_ command: AirFrame, _ answer: AirFrame?) {
        guard let answer, let request = try? Select.Request(parsing: command.bytes.span) else { return }
        if request.level == .first { parts = [] }
        parts.append(request.part)
        guard let sak = SAK(receivedAs: answer), sak.isUIDComplete else { return }
        if let uid = try? UID(cascadeParts: parts) { sessions.find(.typeA(uid: uid)) }
        parts = []
    }
}

extension SessionCollector {
    /// Takes the answer to a Polling by a reader; false where it has to be an exchange: it is that of another system than the
    /// card was found by.
    mutating func found(_ answer: [UInt8], by request: Polling.Request) -> Bool {
        guard let found = try? Polling.Response(parsing: answer.span) else { return false }
        find(RecordedSession.Identity(found, asked: request))
        guard case .felica(let idm, let pmm, let system) = current.card else { return false }
        return idm == found.idm && pmm == found.pmm && system.map(request.systemCode.matches) ?? true
    }
}
