import TapWire

/// A card: a value that hears frames and answers them, byte for byte and state for state.
///
/// A card shares its template until it is written to. ``answer(_:bitCount:integrity:context:into:)`` is its hot call:
/// synchronous, without allocation, clock or randomness. A card never throws or traps; what it does not answer is
/// silence.
public protocol CardEngine: Sendable, Hashable {
    func hears(_ technology: Technology) -> Bool

    /// Power reaches the card: volatile state is as after power-on.
    mutating func fieldRose()

    /// Power is gone: volatile state is lost, memory stays.
    mutating func fieldFell()

    /// Hears a frame and answers it into `buffer`.
    ///
    /// - Parameters:
    ///   - frame: The bytes without CRC; FeliCa frames begin with LEN.
    ///   - bitCount: Number of bits on air without CRC and parity, least significant bit of each byte first.
    ///   - integrity: What the check of parity and CRC gave.
    ///   - context: Chance and the state of the silicon.
    ///   - buffer: Emptied, then filled with the answer; its content means nothing after silence.
    /// - Returns: Silence, or when the answer in `buffer` begins.
    mutating func answer(
        _ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply

    /// In the words of the card's manual, such as `ACTIVE` or `Mode0`.
    var stateName: String { get }

    /// Whether everything that survives power-off is the same.
    func hasSameMemory(as other: Self) -> Bool

    /// The longest time the card says it may take until its answer to a command begins.
    func longestDelay(answering command: Span<UInt8>) -> Duration

    /// The cells a command would write, page by page or block by block; empty if it writes none.
    func cells(writtenBy command: Span<UInt8>) -> [Range<Int>]

    /// What an answer that the card has just given says, if a key of the card protects it; `nil` for other answers.
    func opened(answer: [UInt8], to command: [UInt8]) -> ProtectedAnswer?

    /// What a command or answer of the card's session says, as the packet without encryption that says the same, for whoever
    /// reads a trace; `nil` for other packets, and those that the session does not open.
    func plain(_ packet: [UInt8]) -> [UInt8]?

    /// A byte of memory, whatever a reader may access; outside the memory, zero and ignored.
    subscript(cell cell: Int) -> UInt8 { get set }

    /// The card as made, but with another IDm or UID.
    func withAnotherIdentifier() -> Self

    /// What the card assumes about something; `nil` where a source tells it of the IC, or the definition of the card.
    func assumption(about fact: CardFact) -> CardAssumption?
}

extension CardEngine {
    public func assumption(about fact: CardFact) -> CardAssumption? { nil }
}

/// An answer that a key of its card protects, as the packet without encryption that says the same.
public struct ProtectedAnswer: Sendable {
    /// LEN, code, IDm, status flags and data of a plain answer.
    public var packet: [UInt8]
    /// What is added to the transaction number of a session.
    public var numberOffset: UInt16 = 0

    private let seal: @Sendable (_ answer: ProtectedAnswer, _ isFixed: Bool) -> [UInt8]

    init(_ packet: [UInt8], seal: @escaping @Sendable (_ answer: ProtectedAnswer, _ isFixed: Bool) -> [UInt8]) {
        self.packet = packet
        self.seal = seal
    }

    /// The answer as it is sent: with the MAC that it had, or `isFixed` with that of what it says now.
    public func sealed(isFixed: Bool) -> [UInt8] { seal(self, isFixed) }
}

extension CardEngine {
    public func opened(answer: [UInt8], to command: [UInt8]) -> ProtectedAnswer? { nil }
    public func plain(_ packet: [UInt8]) -> [UInt8]? { nil }
}

public enum CardReply: Hashable, Sendable {
    case silence
    /// Sends what is in the buffer, beginning `after` the end of the command.
    case frame(after: Duration)
    /// Answers a Polling in a time slot, beginning `after` the end of the command.
    case slot(UInt8, after: Duration)
}

/// Outside conditions of an answer: chance, and whether the silicon works.
public struct CardContext: Hashable, Sendable {
    /// The generator for time slots.
    public var random: SeededGenerator
    public var isMemoryFailing: Bool
    /// The power left while the memory is programmed; `nil` for enough.
    public var power: PowerBudget?
    /// What the answers since it was last emptied rest on.
    public var leaning = CardLeaning()
    /// Whether the card leaves the field with the answer, as one does whose recording says so.
    public var hasEndedVisit = false

    public init(random: SeededGenerator, isMemoryFailing: Bool = false, power: PowerBudget? = nil) {
        self.random = random
        self.isMemoryFailing = isMemoryFailing
        self.power = power
    }
}

/// Power that fails while a card programs its memory, so that a write is torn.
public struct PowerBudget: Hashable, Sendable {
    /// The percentage of a programming for which it lasts.
    public let percent: Int

    /// - Parameter percent: 100 is a complete programming without the answer.
    public init(percent: Int) {
        self.percent = max(0, min(percent, 100))
    }

    /// How many of equal steps happen before power fails.
    func steps(of count: Int) -> Int { count * percent / 100 }
}

/// An answer as a value, for callers that do not mind one allocation.
public struct CardAnswer: Hashable, Sendable {
    public let bytes: [UInt8]
    /// Number of bits, least significant bit of each byte first.
    public let bitCount: Int
    public let reply: CardReply
}

extension CardEngine {
    /// Hears a frame of whole bytes, or of `bitCount` bits, and answers it; `nil` for silence.
    public mutating func answer(
        _ frame: [UInt8], bitCount: Int? = nil, integrity: FrameIntegrity = .good, context: inout CardContext
    ) -> CardAnswer? {
        let bits = max(0, min(bitCount ?? frame.count * 8, frame.count * 8))
        return FrameBuffer.withTemporary { buffer in
            let slice = frame[...]
            let reply = answer(slice.span, bitCount: bits, integrity: integrity, context: &context, into: &buffer)
            guard reply != .silence else { return nil }
            return CardAnswer(bytes: buffer.bytes, bitCount: buffer.bitCount, reply: reply)
        }
    }
}
