import TapWire

/// A card: a value that receives frames and answers them, byte for byte and state for state.
///
/// A card shares its template until it is written to. ``answer(_:bitCount:integrity:context:into:)`` is its hot path:
/// synchronous, without allocation, clock or randomness. A card never throws or traps; where it does not answer, it returns
/// silence.
public protocol CardEngine: Sendable, Hashable {
    func hears(_ technology: Technology) -> Bool

    /// Powers the card: volatile state is as after power-on.
    mutating func fieldRose()

    /// Removes power: volatile state is lost, memory is kept.
    mutating func fieldFell()

    /// Receives a frame and writes the answer to `buffer`.
    ///
    /// - Parameters:
    ///   - frame: The bytes without CRC; FeliCa frames begin with LEN.
    ///   - bitCount: Number of bits over the air without CRC and parity, least significant bit of each byte first.
    ///   - integrity: The result of the parity and CRC checks.
    ///   - context: The random generator and the state of the silicon.
    ///   - buffer: Cleared, then filled with the answer; its content is undefined after silence.
    /// - Returns: Silence, or the time at which the answer in `buffer` begins.
    mutating func answer(
        _ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply

    /// The state in the terms of the card's manual, such as `ACTIVE` or `Mode0`.
    var stateName: String { get }

    /// Returns whether everything that survives power-off is equal.
    func hasSameMemory(as other: Self) -> Bool

    /// The longest time the card says it may take before its answer to a command begins.
    func longestDelay(answering command: Span<UInt8>) -> Duration

    /// The cells a command would write, page by page or block by block; empty if it writes nothing.
    func cells(writtenBy command: Span<UInt8>) -> [Range<Int>]

    /// The content of the answer the card has just given, if one of the card's keys protects it; `nil` for other answers.
    func opened(answer: [UInt8], to command: [UInt8]) -> ProtectedAnswer?

    /// Decrypts a command or answer of the card's session into the equivalent unencrypted packet, for readers of a trace; `nil`
    /// for other packets and for packets the session cannot decrypt.
    func plain(_ packet: [UInt8]) -> [UInt8]?

    /// A byte of memory, regardless of access rights. Outside the memory, reads give zero and writes are ignored.
    subscript(cell cell: Int) -> UInt8 { get set }

    /// Returns the card as issued, but with a different IDm or UID.
    func withAnotherIdentifier() -> Self

    /// The card's assumption about a fact; `nil` if a source documents it for the IC or the card's definition sets it.
    func assumption(about fact: CardFact) -> CardAssumption?
}

extension CardEngine {
    public func assumption(about fact: CardFact) -> CardAssumption? { nil }
}

/// An answer protected by a key of its card, as the equivalent unencrypted packet.
public struct ProtectedAnswer: Sendable {
    /// LEN, code, IDm, status flags and data of a plain answer.
    public var packet: [UInt8]
    /// An offset added to the transaction number of a session.
    public var numberOffset: UInt16 = 0

    private let seal: @Sendable (_ answer: ProtectedAnswer, _ isFixed: Bool) -> [UInt8]

    init(_ packet: [UInt8], seal: @escaping @Sendable (_ answer: ProtectedAnswer, _ isFixed: Bool) -> [UInt8]) {
        self.packet = packet
        self.seal = seal
    }

    /// The answer as sent: with its original MAC, or, if `isFixed`, with a MAC recomputed for the current content.
    public func sealed(isFixed: Bool) -> [UInt8] { seal(self, isFixed) }
}

extension CardEngine {
    public func opened(answer: [UInt8], to command: [UInt8]) -> ProtectedAnswer? { nil }
    public func plain(_ packet: [UInt8]) -> [UInt8]? { nil }
}

public enum CardReply: Hashable, Sendable {
    case silence
    /// Sends the content of the buffer, starting `after` the end of the command.
    case frame(after: Duration)
    /// Answers a Polling in a time slot, starting `after` the end of the command.
    case slot(UInt8, after: Duration)
}

/// External conditions of an answer: randomness, and the state of the silicon.
public struct CardContext: Hashable, Sendable {
    /// The generator for time slots.
    public var random: SeededGenerator
    public var isMemoryFailing: Bool
    /// The power left while the memory is programmed; `nil` if there is enough.
    public var power: PowerBudget?
    /// The facts that answers have relied on since this was last cleared.
    public var reliance = CardReliance()
    /// A Boolean value that indicates whether the card leaves the field with this answer, as a recording can require.
    public var hasEndedVisit = false

    public init(random: SeededGenerator, isMemoryFailing: Bool = false, power: PowerBudget? = nil) {
        self.random = random
        self.isMemoryFailing = isMemoryFailing
        self.power = power
    }
}

/// Power that fails while a card programs its memory, which tears a write.
public struct PowerBudget: Hashable, Sendable {
    /// The percentage of the programming that completes before power fails.
    public let percent: Int

    /// - Parameter percent: 100 means complete programming, but no answer.
    public init(percent: Int) {
        self.percent = max(0, min(percent, 100))
    }

    /// The number of equal steps that complete before power fails.
    func steps(of count: Int) -> Int { count * percent / 100 }
}

/// An answer as a value, for callers that can afford one allocation.
public struct CardAnswer: Hashable, Sendable {
    public let bytes: [UInt8]
    /// Number of bits, least significant bit of each byte first.
    public let bitCount: Int
    public let reply: CardReply
}

extension CardEngine {
    /// Receives a frame of whole bytes, or of `bitCount` bits, and returns the answer; `nil` for silence.
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
