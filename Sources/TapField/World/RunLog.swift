import TapWire

/// The trace of a run, counts, and watches.
struct RunLog: Sendable {
    var trace: Trace
    var exchangeCount = 0
    var exchangeLimit = Int.max
    var isExhausted = false
    /// The gain of all frames, whoever sent them.
    var airReading = HostReading()
    var hostReading = HostReading()
    /// The answered reads and writes.
    var traffic = World.Traffic()
    /// A Boolean value that indicates whether no card was in reach when the last frame began; known only where the
    /// timeline follows exchanges.
    var hasMetNoCard = false
    var callCount = 0
    /// The number of frames that neither look for cards nor check whether one is still there; `nil` if nobody asks for it.
    var workCount: Int?
    /// Counts retries; `nil` without a limit.
    var retries: RetryWatch?
    /// Detects a client that only waits for the cards to leave; `nil` if they stay all the same.
    var presence: PresenceWatch?

    init(_ trace: Trace) {
        self.trace = trace
    }
}

extension RunLog {
    var stuckAfter: Int? { retries?.isOver == true ? retries?.limit : nil }

    /// Whether readers may send one more frame.
    mutating func takesFrame() -> Bool {
        guard exchangeCount >= exchangeLimit else { return stuckAfter == nil }
        if !isExhausted { callCount += 1 }
        isExhausted = true
        return false
    }

    /// - Parameter isCardInReach: Whether a card lay on the reader that met silence.
    mutating func count(_ command: AirFrame, _ received: FieldAnswer, isCardInReach: Bool) {
        let gain = HostGain(command, received, isCardInReach: isCardInReach)
        airReading.add(gain)
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

/// Counts how often in a row readers send the same command without progress.
///
/// Progress is an undamaged answer that differs from the previous one. Frames that look for cards and select them neither
/// count nor interrupt the count, since readers select again between two tries.
struct RetryWatch: Sendable {
    let limit: Int
    private var command: AirFrame?
    private var answer: AirFrame?
    private var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    var isOver: Bool { count > limit }

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

/// Counts how often in a row readers only check whether a card is present.
///
/// It counts answered frames that a waiting program repeats. Damaged answers and frames that select a card do not count. A
/// reader that tries to select a card and fails has not found it, and starts anew.
struct PresenceWatch: Sendable {
    /// How many in a row show that a client waits: clients check for a card a few times before they read it.
    static let limit = 10

    /// Whether the cards have left because of this watch.
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

/// A frame by which readers find cards and check that they are still there, as libnfc and nfcpy do.
enum DiscoveryFrame {
    /// REQA, WUPA, Polling, Request Response, or READ of page 0.
    case check
    /// A frame that selects a card that was found.
    case selection
    /// A frame that releases a selected card, and is not answered.
    case release

    init?(_ frame: AirFrame) {
        switch CommandName(of: frame)?.rawValue {
        case "a3.reqa", "a3.wupa", "felica.polling", "felica.request_response": self = .check
        case "ntag.read" where frame.bytes.dropFirst().first == 0: self = .check
        case "a3.anticollision", "a3.select": self = .selection
        case "a3.hlta": self = .release
        default: return nil
        }
    }
}
