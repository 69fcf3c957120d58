import TapCards
import TapWire

/// Where in an exchange a fault is injected, and its effect.
package enum FaultEffect: Sendable {
    /// Cards come and go, or power changes.
    case field(
        at: @Sendable (FaultArguments) -> FieldMoment, @Sendable (inout World, FaultInjection) -> Void)
    /// The cards hear something else, or silence.
    case command(@Sendable (inout CommandOnAir, FaultInjection) -> Void)
    /// Cards are in another state before they answer.
    case card(@Sendable (inout any CardEngine, FaultInjection) -> Void)
    /// The reader receives something else, later, or silence.
    case answer(@Sendable (inout AnswerOnAir, FaultInjection) -> Void)
    /// The reader receives other data: inside a session what an encrypted answer says.
    case content(@Sendable (inout AnswerOnAir, FaultInjection) -> Void)
    /// Cards have held something else since the beginning of the run.
    case image(@Sendable (inout any CardEngine, FaultInjection) -> Void)
    /// Several of these.
    case all([FaultEffect])
    /// A reader model mishandles the command of its host that the exchange belongs to.
    case reader(@Sendable (FaultArguments) -> ReaderFault)
    /// The PC/SC service mishandles a call.
    case transport(@Sendable (FaultArguments) -> TransportFault)
    /// A phone, or a person, disturbs a session or a call of an app.
    case phone(@Sendable (FaultArguments) -> PhoneFault)

    /// The layer in a word, for lists.
    public var layer: String {
        switch self {
        case .field: "field"
        case .command: "command"
        case .card: "card"
        case .answer, .content: "answer"
        case .image: "image"
        case .all(let parts):
            parts.map(\.layer).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
                .joined(separator: " and ")
        case .reader: "reader"
        case .transport: "transport"
        case .phone: "phone"
        }
    }

    package var parts: [FaultEffect] {
        if case .all(let parts) = self { parts.flatMap(\.parts) } else { [self] }
    }

    /// Whether it needs the answer of a card.
    public var needsAnswer: Bool {
        parts.allSatisfy { part in
            switch part {
            case .answer, .content, .card: true
            default: false
            }
        }
    }

    /// Whether it only changes commands and answers, so that its change can be seen.
    var showsInFrames: Bool {
        parts.allSatisfy { part in
            switch part {
            case .command, .answer, .content: true
            default: false
            }
        }
    }

    public var changesAnswers: Bool {
        changesContent || parts.contains { if case .answer = $0 { true } else { false } }
    }

    /// Whether it changes what an answer says, which the card can give a valid MAC.
    public var changesContent: Bool {
        parts.contains { if case .content = $0 { true } else { false } }
    }
}

/// When in an exchange a fault of the field is injected; the words are those of the parameter `point`.
public enum FieldMoment: String, Hashable, Sendable, CaseIterable {
    /// Before the reader begins to send.
    case beforeCommand = "before_command"
    /// When the command has been heard and not yet carried out.
    case afterCommand = "after_command"
    /// While the answer is on air, of which the reader receives a part.
    case insideAnswer = "inside_answer"
    /// When the answer has been received.
    case afterAnswer = "after_answer"
}

/// A fault that is injected now; an object, since the world keeps some and is copied.
public final class FaultInjection: Sendable {
    public let fault: Fault
    /// The command as the reader sent it; empty for a call of PC/SC and an event of a phone.
    public let command: AirFrame
    /// Counted from 1.
    public let exchange: Int
    public let source: SourceReference?
    let time: Duration
    let entry: Int

    init(
        _ fault: Fault, _ command: AirFrame, exchange: Int, source: SourceReference? = nil, time: Duration = .zero,
        entry: Int = 0
    ) {
        self.fault = fault
        self.command = command
        self.exchange = exchange
        self.source = source
        self.time = time
        self.entry = entry
    }

    public var arguments: FaultArguments { fault.arguments }

    subscript<Value>(key: FaultKey<Value>) -> Value { arguments[key] }

    func actsOnField(at moment: FieldMoment) -> Bool {
        fault.kind.effect.parts.contains { part in
            if case .field(let at, _) = part { at(arguments) == moment } else { false }
        }
    }
}

public struct CommandOnAir: Hashable, Sendable {
    /// What the cards hear; `nil` if it does not reach them.
    public var frame: AirFrame?
}

public struct AnswerOnAir: Hashable, Sendable {
    /// As the reader sent it.
    public let command: AirFrame
    /// What the reader receives; `nil` for silence.
    public var frame: AirFrame?
    /// Counted from the end of the command.
    public var after: Duration
    /// The longest time the card may take, by its PMm or its data sheet.
    public let deadline: Duration
    /// The answer the reader received before this one, if any.
    public let previous: AirFrame?
    /// What arrives in place of the next answer, besides this one.
    public var late: AirFrame?
    /// Whether an answer after the reader has given up replaces the next one; otherwise it is lost.
    public var comesWithNext = false
    /// What is added to the transaction number of an answer inside a session.
    public var numberOffset: UInt16 = 0
}

/// What faults leave behind for later exchanges.
struct FaultAftermath: Sendable {
    /// A late answer, which arrives in place of the next one.
    var late: AirFrame?
    /// The last answer; kept only if a plan may need it.
    var previous: AirFrame?
    /// Delay of answers that a transport has not yet passed on to its client.
    var unpaidDelay: Duration = .zero
    /// A field that is too weak, until it recovers.
    var weakField: WeakField?
    /// Power lost before the answer of this exchange.
    var tear: Tear?
    /// Whether programming fails in this exchange.
    var hasFailedMemory = false
    private(set) var stuckCells: [FaultyCell] = []
    /// Cells that will flip.
    private var wornCells: [FaultyCell] = []

    /// Power lost during a write, since cards leave.
    struct Tear {
        /// `nil` if the cards stay away.
        let backAfter: Duration?
        let source: SourceReference?
    }

    /// As many as the largest card here has.
    private static let maximumCells = 65_536

    mutating func addStuck(_ cell: FaultyCell) {
        if stuckCells.count < Self.maximumCells { stuckCells.append(cell) }
    }

    mutating func addWorn(_ cell: FaultyCell) {
        if wornCells.count < Self.maximumCells { wornCells.append(cell) }
    }

    /// Takes the cells that flip by an exchange.
    mutating func takeWorn(by exchange: Int) -> [FaultyCell] {
        guard !wornCells.isEmpty else { return [] }
        defer { wornCells.removeAll { $0.turnsAt <= exchange } }
        return wornCells.filter { $0.turnsAt <= exchange }
    }

    /// Takes the late answer that arrives now; one of another technology is lost.
    mutating func takeLate(for command: AirFrame) -> AirFrame? {
        defer { late = nil }
        return late.flatMap { $0.technology == command.technology ? $0 : nil }
    }

    /// Keeps a late answer for later, and the delay that a transport owes to its client.
    ///
    /// - Parameters:
    ///   - punctual: When the answer would have begun; `nil` where no card answered.
    ///   - waiting: How long the reader waits.
    mutating func settle(_ answer: AnswerOnAir, punctualAt punctual: Duration?, _ waiting: Duration?) {
        late = answer.late
        guard let frame = answer.frame, let punctual else { return }
        let end = waiting ?? answer.after
        unpaidDelay += max(.zero, min(answer.after, end) - punctual)
        if answer.after > end, answer.comesWithNext { late = frame }
    }
}

/// A field in which answers are lost and damaged by a pattern.
struct WeakField: Sendable {
    enum Harm {
        case lost
        case damaged
    }

    let injection: FaultInjection
    private let lostEvery: Int
    private let damagedEvery: Int
    private var exchangesLeft: Int?
    private var exchanges = 0

    init(_ injection: FaultInjection, lostEvery: Int, damagedEvery: Int, exchanges: Int?) {
        self.injection = injection
        self.lostEvery = lostEvery
        self.damagedEvery = damagedEvery
        exchangesLeft = exchanges
    }

    var isOver: Bool { exchangesLeft == 0 }

    /// The harm to the next answer; the first is lost.
    mutating func next() -> Harm? {
        defer {
            exchanges += 1
            exchangesLeft = exchangesLeft.map { $0 - 1 }
        }
        if exchanges % lostEvery == 0 { return .lost }
        return exchanges % damagedEvery == 0 ? .damaged : nil
    }
}
