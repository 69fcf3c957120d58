import TapCards
import TapWire

/// The point in an exchange at which a fault is injected, and its effect.
package enum FaultEffect: Sendable {
    /// Cards come and go, or power changes.
    case field(
        at: @Sendable (FaultArguments) -> FieldMoment, @Sendable (inout World, FaultInjection) -> Void)
    /// The cards receive something else, or nothing.
    case command(@Sendable (inout RFCommand, FaultInjection) -> Void)
    /// Cards are in a different state before they answer.
    case card(@Sendable (inout any CardEngine, FaultInjection) -> Void)
    /// The reader receives something else, a later answer, or silence.
    case answer(@Sendable (inout RFAnswer, FaultInjection) -> Void)
    /// The reader receives different data: inside a session, the decrypted content of an answer.
    case content(@Sendable (inout RFAnswer, FaultInjection) -> Void)
    /// Cards have had different content since the start of the run.
    case image(@Sendable (inout any CardEngine, FaultInjection) -> Void)
    case all([FaultEffect])
    /// A reader model mishandles the host command that the exchange belongs to.
    case reader(@Sendable (FaultArguments) -> ReaderFault)
    /// The PC/SC service mishandles a call.
    case transport(@Sendable (FaultArguments) -> TransportFault)
    /// The phone, or its user, disturbs a session or a call of an app.
    case phone(@Sendable (FaultArguments) -> PhoneFault)

    /// The layer as a single word, for lists.
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

    /// A Boolean value that indicates whether it needs the answer of a card.
    public var needsAnswer: Bool {
        parts.allSatisfy { part in
            switch part {
            case .answer, .content, .card: true
            default: false
            }
        }
    }

    /// A Boolean value that indicates whether it changes only commands and answers, so that the change is visible.
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

    /// A Boolean value that indicates whether it changes the content of an answer, for which the card can compute a valid MAC.
    public var changesContent: Bool {
        parts.contains { if case .content = $0 { true } else { false } }
    }
}

/// The moment in an exchange when a field fault is injected; raw values are the keywords of the parameter `point`.
public enum FieldMoment: String, Hashable, Sendable, CaseIterable {
    case beforeCommand = "before_command"
    /// After the command has been received, before it is carried out.
    case afterCommand = "after_command"
    /// During the answer, of which the reader receives only a part.
    case insideAnswer = "inside_answer"
    case afterAnswer = "after_answer"
}

/// A fault that is injected now; an object, because the world stores some injections and is copied.
public final class FaultInjection: Sendable {
    public let fault: Fault
    /// The command as sent by the reader; empty for a PC/SC call or a phone event.
    public let command: RFFrame
    /// Counted from 1.
    public let exchange: Int
    public let source: SourceReference?
    let time: Duration
    let entry: Int

    init(
        _ fault: Fault, _ command: RFFrame, exchange: Int, source: SourceReference? = nil, time: Duration = .zero,
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

public struct RFCommand: Hashable, Sendable {
    /// The frame the cards receive; `nil` if it does not reach them.
    public var frame: RFFrame?
}

public struct RFAnswer: Hashable, Sendable {
    /// The command as sent by the reader.
    public let command: RFFrame
    /// The frame the reader receives; `nil` for silence.
    public var frame: RFFrame?
    /// The delay from the end of the command.
    public var after: Duration
    /// The maximum response time of the card, from its PMm or data sheet.
    public let deadline: Duration
    /// The previous answer the reader received, if any.
    public let previous: RFFrame?
    /// A frame that arrives in place of the next answer, in addition to this one.
    public var late: RFFrame?
    /// A Boolean value that indicates whether an answer that arrives after the reader has timed out replaces the next one;
    /// otherwise it is lost.
    public var comesWithNext = false
    /// An offset added to the transaction number of an answer inside a session.
    public var numberOffset: UInt16 = 0
}

/// Effects of faults on later exchanges.
struct FaultAftermath: Sendable {
    /// A late answer that arrives in place of the next one.
    var late: RFFrame?
    /// The last answer; stored only if a plan may need it.
    var previous: RFFrame?
    /// Answer delay that a transport has not yet passed on to its client.
    var unpaidDelay: Duration = .zero
    var weakField: WeakField?
    /// Power lost before the answer of this exchange.
    var tear: Tear?
    /// A Boolean value that indicates whether programming fails in this exchange.
    var hasFailedMemory = false
    private(set) var stuckCells: [FaultyCell] = []
    private var wornCells: [FaultyCell] = []

    /// Power lost during a write because cards leave.
    struct Tear {
        /// `nil` if the cards stay away.
        let backAfter: Duration?
        let source: SourceReference?
    }

    /// At least the number of cells of the largest supported card.
    private static let maximumCells = 65_536

    mutating func addStuck(_ cell: FaultyCell) {
        if stuckCells.count < Self.maximumCells { stuckCells.append(cell) }
    }

    mutating func addWorn(_ cell: FaultyCell) {
        if wornCells.count < Self.maximumCells { wornCells.append(cell) }
    }

    /// Removes and returns the cells that flip by an exchange.
    mutating func takeWorn(by exchange: Int) -> [FaultyCell] {
        guard !wornCells.isEmpty else { return [] }
        defer { wornCells.removeAll { $0.turnsAt <= exchange } }
        return wornCells.filter { $0.turnsAt <= exchange }
    }

    /// Removes and returns the late answer that arrives now; an answer of another technology is lost.
    mutating func takeLate(for command: RFFrame) -> RFFrame? {
        defer { late = nil }
        return late.flatMap { $0.technology == command.technology ? $0 : nil }
    }

    /// Stores a late answer, and the delay a transport owes its client.
    ///
    /// - Parameters:
    ///   - punctual: The time at which the answer would have begun; `nil` if no card answered.
    ///   - waiting: The reader's timeout.
    mutating func settle(_ answer: RFAnswer, punctualAt punctual: Duration?, _ waiting: Duration?) {
        late = answer.late
        guard let frame = answer.frame, let punctual else { return }
        let end = waiting ?? answer.after
        unpaidDelay += max(.zero, min(answer.after, end) - punctual)
        if answer.after > end, answer.comesWithNext { late = frame }
    }
}

/// A field in which answers are lost and damaged in a fixed pattern.
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

    /// Returns the harm to the next answer; the first answer is lost.
    mutating func next() -> Harm? {
        defer {
            exchanges += 1
            exchangesLeft = exchangesLeft.map { $0 - 1 }
        }
        if exchanges % lostEvery == 0 { return .lost }
        return exchanges % damagedEvery == 0 ? .damaged : nil
    }
}
