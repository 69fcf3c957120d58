import TapWire

/// What faults have left behind for the exchanges after theirs.
struct FaultAftermath: Sendable {
    /// What comes too late and arrives in place of the next answer.
    var late: AirFrame?
    /// What the reader received last; kept only where a plan may want it.
    var previous: AirFrame?
    /// How long answers were delayed that a door has not yet let its client wait for.
    var unpaidDelay: Duration = .zero
    /// A field that has become too weak, until it is strong again.
    var weakField: WeakField?

    /// A tear that strikes in this exchange.
    var tear: FaultStrike?
    /// Whether a fault lets programming fail in this exchange.
    var hasFailedMemory = false
    /// Cells that take no writes.
    var stuckCells: [FaultyCell] = []
    /// Cells that will turn over.
    var wornCells: [FaultyCell] = []

    /// Most cells of one kind that are looked after, as many as the largest card here has.
    static let maximumCells = 65_536

    /// Takes what arrives in place of the answer to a command; what was sent at another technology is lost.
    mutating func takeLate(for command: AirFrame) -> AirFrame? {
        defer { late = nil }
        return late.flatMap { $0.technology == command.technology ? $0 : nil }
    }
}

/// A field in which answers are lost and damaged again and again, by a pattern.
struct WeakField: Sendable {
    /// What happens to an answer.
    enum Harm {
        case lost
        case damaged
    }

    /// The fault that made it weak.
    let strike: FaultStrike
    private let lostEvery: Int
    private let damagedEvery: Int
    private var exchangesLeft: Int?
    private var exchanges = 0

    init(_ strike: FaultStrike) {
        self.strike = strike
        lostEvery = strike.arguments.integer("lost_every") ?? 1
        damagedEvery = strike.arguments.integer("damaged_every") ?? 1
        exchangesLeft = strike.arguments.integer("exchanges")
    }

    /// Whether it is strong again.
    var isOver: Bool { exchangesLeft == 0 }

    /// What happens to the next answer; the first is lost.
    mutating func next() -> Harm? {
        defer {
            exchanges += 1
            exchangesLeft = exchangesLeft.map { $0 - 1 }
        }
        if exchanges % lostEvery == 0 { return .lost }
        return exchanges % damagedEvery == 0 ? .damaged : nil
    }
}

extension World {
    /// Lets a weak field harm an answer.
    mutating func weaken(_ answer: inout AnswerOnAir) {
        guard var field = aftermath.weakField else { return }
        let isFirst = field.strike.exchange == exchangeCount
        let harm = field.next()
        aftermath.weakField = field.isOver ? nil : field
        guard let harm, answer.frame != nil else { return }
        // The strike itself is in the trace already.
        if !isFirst { record(.fault(field.strike.fault), source: field.strike.source) }
        switch harm {
        case .lost: answer.frame = nil
        case .damaged: answer.frame?.damage(answering: answer.command)
        }
    }
}
