import TapCards
import TapWire

/// Where in an exchange a fault is injected, and what it does there.
package enum FaultEffect: Sendable {
    /// Cards come and go, or power changes, at a moment of the exchange.
    case field(
        at: @Sendable (FaultArguments) -> FieldMoment, @Sendable (inout World, FaultInjection) -> Void)
    /// The card hears something else than was sent, or nothing.
    case command(@Sendable (inout CommandOnAir, FaultInjection) -> Void)
    /// Cards that hear the command are in another state before they answer it.
    case card(@Sendable (inout any CardEngine, FaultInjection) -> Void)
    /// The reader receives something else than was answered, or nothing, or later.
    case answer(@Sendable (inout AnswerOnAir, FaultInjection) -> Void)
    /// Cards before the reader hold something else, and have held it from the beginning of the run.
    case image(@Sendable (inout any CardEngine, FaultInjection) -> Void)
    /// Several of these, each at its place in the exchange.
    case all([FaultEffect])
    /// A reader model does something wrong with the command of its host that the exchange belongs to.
    case reader(@Sendable (FaultArguments) -> ReaderFault)
    /// The PC/SC service does something wrong with a call.
    case door(@Sendable (FaultArguments) -> DoorFault)
    /// A phone does something wrong with a session or a call of an app, or a person does.
    case phone(@Sendable (FaultArguments) -> PhoneFault)

    /// The layer it is injected into, in a word for lists.
    public var layer: String {
        switch self {
        case .field: "field"
        case .command: "command"
        case .card: "card"
        case .answer: "answer"
        case .image: "image"
        case .all(let parts):
            parts.map(\.layer).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
                .joined(separator: " and ")
        case .reader: "reader"
        case .door: "door"
        case .phone: "phone"
        }
    }

    /// The effects it consists of, none of them several.
    var parts: [FaultEffect] {
        if case .all(let parts) = self { parts.flatMap(\.parts) } else { [self] }
    }

    /// Whether it does nothing where no card answers.
    public var needsAnswer: Bool {
        parts.allSatisfy { part in
            switch part {
            case .answer, .card: true
            default: false
            }
        }
    }

    /// Whether all it does is to change commands and answers, so that what it did can be seen.
    var showsInFrames: Bool {
        parts.allSatisfy { part in
            switch part {
            case .command, .answer: true
            default: false
            }
        }
    }

    /// Whether it changes answers, which can be mended afterwards.
    public var changesAnswers: Bool {
        parts.contains { if case .answer = $0 { true } else { false } }
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

/// A fault that is injected now.
///
/// An object, since the world keeps some of them and is copied.
public final class FaultInjection: Sendable {
    public let fault: Fault
    /// The command of its exchange, as the reader sent it; empty for a call of PC/SC and an event of a phone.
    public let command: AirFrame
    /// Number of that exchange, from 1.
    public let exchange: Int
    /// The line of the scenario that states it.
    public let source: SourceReference?
    /// When the command began.
    let time: Duration
    /// Its place in the plan.
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

    /// Whether it moves cards or changes their power at a moment of the exchange.
    func actsOnField(at moment: FieldMoment) -> Bool {
        fault.kind.effect.parts.contains { part in
            if case .field(let at, _) = part { at(arguments) == moment } else { false }
        }
    }
}

/// A command on its way to the cards.
public struct CommandOnAir: Hashable, Sendable {
    /// What the cards hear; `nil` if it does not reach them.
    public var frame: AirFrame?
}

/// An answer on its way to the reader.
public struct AnswerOnAir: Hashable, Sendable {
    /// The command it answers, as the reader sent it.
    public let command: AirFrame
    /// What the reader receives; `nil` for silence.
    public var frame: AirFrame?
    /// When it begins, counted from the end of the command.
    public var after: Duration
    /// The longest time the card may take for the command, by its PMm or its data sheet.
    public let deadline: Duration
    /// The answer the reader received before this one in the run, if it received any.
    public let previous: AirFrame?
    /// What arrives in place of the next answer, besides this one.
    public var late: AirFrame?
    /// Whether the answer arrives in place of the next one if it begins after the reader has given up; it is lost
    /// otherwise.
    public var comesWithNext = false
}

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
    /// Power that is gone before the answer of this exchange.
    var tear: Tear?
    /// Whether a fault lets programming fail in this exchange.
    var hasFailedMemory = false
    /// Cells that take no writes.
    private(set) var stuckCells: [FaultyCell] = []
    /// Cells that will turn over.
    private var wornCells: [FaultyCell] = []

    /// Power that is gone in the middle of a write, since cards leave.
    struct Tear {
        /// After which time the cards are back; `nil` for never.
        let backAfter: Duration?
        let source: SourceReference?
    }

    /// Most cells of one kind that are looked after, as many as the largest card here has.
    private static let maximumCells = 65_536

    mutating func addStuck(_ cell: FaultyCell) {
        if stuckCells.count < Self.maximumCells { stuckCells.append(cell) }
    }

    mutating func addWorn(_ cell: FaultyCell) {
        if wornCells.count < Self.maximumCells { wornCells.append(cell) }
    }

    /// Takes the cells that turn over by an exchange.
    mutating func takeWorn(by exchange: Int) -> [FaultyCell] {
        guard !wornCells.isEmpty else { return [] }
        defer { wornCells.removeAll { $0.turnsAt <= exchange } }
        return wornCells.filter { $0.turnsAt <= exchange }
    }

    /// Takes what arrives in place of the answer to a command; what was sent at another technology is lost.
    mutating func takeLate(for command: AirFrame) -> AirFrame? {
        defer { late = nil }
        return late.flatMap { $0.technology == command.technology ? $0 : nil }
    }

    /// Keeps what arrives later, and what a door owes to a client outside for an answer that is late.
    ///
    /// - Parameters:
    ///   - answer: The answer with its faults.
    ///   - punctual: When it would have begun; `nil` where no card answered.
    ///   - waiting: How long the reader waits.
    mutating func settle(_ answer: AnswerOnAir, punctualAt punctual: Duration?, _ waiting: Duration?) {
        late = answer.late
        guard let frame = answer.frame, let punctual else { return }
        let end = waiting ?? answer.after
        unpaidDelay += max(.zero, min(answer.after, end) - punctual)
        if answer.after > end, answer.comesWithNext { late = frame }
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
