import TapWire

/// The trace of a run, its counters and its watches.
struct RunLog: Sendable {
    var trace: Trace
    var exchangeCount = 0
    var exchangeLimit = Int.max
    var isExhausted = false
    /// The gain from all frames, whoever sent them.
    var rfReading = HostReading()
    var hostReading = HostReading()
    var traffic = World.Traffic()
    /// A Boolean value that indicates whether no card was in reach when the last frame began; known only if the timeline
    /// follows exchanges.
    var hasMetNoCard = false
    var callCount = 0
    /// The number of frames that neither look for cards nor check whether one is still present; `nil` if not requested.
    var workCount: Int?
    /// Counts retries; `nil` without a limit.
    var retries: RetryWatch?
    /// Detects a client that only waits for the cards to leave; `nil` if cards stay in that case.
    var presence: PresenceWatch?

    init(_ trace: Trace) {
        self.trace = trace
    }
}

extension RunLog {
    var stuckAfter: Int? { retries?.isOver == true ? retries?.limit : nil }

    /// Returns whether readers may send another frame.
    mutating func takesFrame() -> Bool {
        guard exchangeCount >= exchangeLimit else { return stuckAfter == nil }
        if !isExhausted { callCount += 1 }
        isExhausted = true
        return false
    }

    /// - Parameter isCardInReach: Whether a card was on the reader that met silence.
    mutating func count(_ command: RFFrame, _ received: FieldAnswer, isCardInReach: Bool) {
        let gain = HostGain(command, received, isCardInReach: isCardInReach)
        rfReading.add(gain)
        if gain == .answer { traffic.count(command) }
        if retries != nil {
            retries?.count(command, received)
            if stuckAfter != nil { callCount += 1 }
        }
        guard workCount != nil || presence != nil else { return }
        let discovery = DiscoveryFrame(command)
        if let workCount, discovery == nil { self.workCount = workCount + 1 }
        presence?.count(discovery, received)
    }
}

/// Counts how many times in a row readers send the same command without progress.
///
/// Progress is an undamaged answer that differs from the previous one. Frames that find and select cards neither count nor
/// reset the count, because readers select again between two attempts.
struct RetryWatch: Sendable {
    let limit: Int
    private var command: RFFrame?
    private var answer: RFFrame?
    private var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    var isOver: Bool { count > limit }

    mutating func count(_ frame: RFFrame, _ received: FieldAnswer) {
        guard !isOver, !Self.isSearch(frame) else { return }
        let heard: RFFrame? =
            if case .frame(let answer, _) = received, answer.integrity == .good { answer } else { nil }
        if frame != command || (heard != nil && heard != answer) {
            command = frame
            count = 0
            answer = nil
        }
        answer = heard ?? answer
        count += 1
    }

    private static func isSearch(_ frame: RFFrame) -> Bool { CommandName(of: frame)?.isOfSearch ?? false }
}

/// Counts how many times in a row readers only check whether a card is present.
///
/// It counts answered frames of the kind a waiting program repeats. Damaged answers and frames that select a card do not count.
/// A reader that fails to select a card has not found it, and the count restarts.
struct PresenceWatch: Sendable {
    /// The number of checks in a row that shows that a client is waiting: clients check for a card a few times before reading
    /// it.
    static let limit = 10

    /// A Boolean value that indicates whether the cards have left because of this watch.
    let hasLeft: Bool
    private var count = 0

    init(hasLeft: Bool = false) {
        self.hasLeft = hasLeft
    }

    var isOver: Bool { count >= Self.limit }

    mutating func count(_ frame: DiscoveryFrame?, _ received: FieldAnswer) {
        guard !hasLeft else { return }
        switch frame {
        case .check?: if Self.shows(received) { count += 1 }
        case .selection?: if !Self.shows(received) { count = 0 }
        case .release?: break
        case nil: count = 0
        }
    }

    private static func shows(_ received: FieldAnswer) -> Bool {
        switch received {
        case .silence: false
        case .frame(let answer, _): answer.integrity == .good
        case .slots, .collision: true
        }
    }
}

/// A frame by which readers find cards and check that they are still present, as libnfc and nfcpy do.
enum DiscoveryFrame {
    /// REQA, WUPA, Polling, Request Response, or READ of page 0.
    case check
    /// A frame that selects a detected card.
    case selection
    /// A frame that releases a selected card and gets no answer.
    case release

    init?(_ frame: RFFrame) {
        switch CommandName(of: frame)?.rawValue {
        case "a3.reqa", "a3.wupa", "felica.polling", "felica.request_response": self = .check
        case "ntag.read" where frame.bytes.dropFirst().first == 0: self = .check
        case "a3.anticollision", "a3.select": self = .selection
        case "a3.hlta": self = .release
        default: return nil
        }
    }
}
