import TapWire

/// What has happened in a run: the trace, counts, and what is watched for.
struct RunLog: Sendable {
    /// What has happened, event by event.
    var trace: Trace
    /// How many frames readers have sent.
    var exchangeCount = 0
    /// How many frames readers may send; what comes after meets silence and leaves no trace.
    var exchangeLimit = Int.max
    /// Whether a reader wanted more frames than the limit lets it have.
    var isExhausted = false
    /// How many frames were answered.
    var answerCount = 0
    /// Whether a host got anything of a card by what it asked for; what readers send by themselves to find cards does
    /// not count.
    var hasAnsweredHost = false
    /// How often the world has called for somebody outside: a line to send, a limit reached.
    var callCount = 0
    /// Counts retries where they have a limit.
    var retries: RetryWatch?
    /// Looks for a client that only waits for the cards to go, where they go then.
    var presence: PresenceWatch?

    init(_ trace: Trace) {
        self.trace = trace
    }
}

extension RunLog {
    /// How often in a row readers had sent the same command and got nowhere, when that was too often.
    var stuckAfter: Int? { retries?.isOver == true ? retries?.limit : nil }

    /// Whether readers may send one frame more: no limit is reached.
    mutating func takesFrame() -> Bool {
        guard exchangeCount >= exchangeLimit else { return stuckAfter == nil }
        if !isExhausted { callCount += 1 }
        isExhausted = true
        return false
    }

    /// Counts what came of an exchange.
    mutating func count(_ command: AirFrame, _ received: FieldAnswer) {
        if received != .silence { answerCount += 1 }
        if retries != nil {
            retries?.count(command, received)
            if stuckAfter != nil { callCount += 1 }
        }
        presence?.count(command, received)
    }
}

/// Counts how often in a row readers send the same command and get nowhere.
///
/// The same command is one with the same bytes. An answer that is whole and differs from the one before is progress;
/// silence and damage are none. Frames by which a reader looks for cards and selects them are no retries and do not
/// interrupt any, since readers select anew between two tries.
struct RetryWatch: Sendable {
    /// How often a command may come.
    let limit: Int
    private var command: AirFrame?
    private var answer: AirFrame?
    private var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether a command came too often.
    var isOver: Bool { count > limit }

    /// Counts an exchange.
    mutating func count(_ frame: AirFrame, _ received: FieldAnswer) {
        guard !isOver, !Self.isSearch(frame) else { return }
        let heard: AirFrame? =
            if case .frame(let answer, _) = received, answer.integrity == .good { answer } else { nil }
        if frame != command || (heard != nil && heard != answer) {
            command = frame
            count = 0
            answer = nil
        }
        answer = heard ?? answer
        count += 1
    }

    private static func isSearch(_ frame: AirFrame) -> Bool {
        guard let name = CommandName(of: frame) else { return false }
        return name.layer == .selection || name.rawValue == "felica.polling"
    }
}

/// Counts how often in a row readers do nothing but see whether a card is there.
///
/// While cards lie there it counts frames that a waiting program repeats and that a card answers: REQA, WUPA, Polling,
/// Request Response and READ of page 0, by which libnfc and nfcpy see whether a card is still there. Once the cards have
/// gone it counts frames without an answer. What selects a card says neither.
struct PresenceWatch: Sendable {
    /// How many in a row show that a client waits: clients look for a card a few times before they read it.
    static let limit = 10

    /// Whether the cards have gone because of this watch.
    let hasLeft: Bool
    private var count = 0

    init(hasLeft: Bool = false) {
        self.hasLeft = hasLeft
    }

    /// Whether there were as many as show that a client waits.
    var isOver: Bool { count >= Self.limit }

    /// Counts an exchange.
    mutating func count(_ frame: AirFrame, _ received: FieldAnswer) {
        let isAnswered = if case .silence = received { false } else { true }
        guard !hasLeft else {
            count = isAnswered ? 0 : count + 1
            return
        }
        switch CommandName(of: frame)?.rawValue {
        case "a3.reqa", "a3.wupa", "felica.polling", "felica.request_response": if isAnswered { count += 1 }
        case "ntag.read" where frame.bytes.dropFirst().first == 0: if isAnswered { count += 1 }
        case "a3.anticollision", "a3.select", "a3.hlta": break
        default: count = 0
        }
    }
}
