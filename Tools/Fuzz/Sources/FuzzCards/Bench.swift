import FuzzSupport

@testable import TapCards
@testable import TapWire

/// The frames sent to a family of cards.
protocol CardFrames {
    associatedtype Card: CardEngine

    /// Performs the next step with a card.
    static func step(_ bench: inout Bench<Card>, _ choices: inout Choices)

    /// Checks the properties that every answer of the family has.
    static func check(_ answer: borrowing FrameBuffer, to command: [UInt8])
}

/// A card and the next frame for it; frames share one buffer.
struct Bench<Card: CardEngine>: ~Copyable {
    private(set) var card: Card
    /// The frame under construction.
    var frame: [UInt8] = []
    private var context = CardContext(random: SeededGenerator(seed: 1))
    private var buffer = FrameBuffer()
    /// A digest of all answers, to compare two runs.
    private var digest: UInt64 = 0
    private var check: (borrowing FrameBuffer, [UInt8]) -> Void = { _, _ in }

    init(_ card: Card) {
        self.card = card
        self.card.fieldRose()
        frame.reserveCapacity(FrameBuffer.capacity)
    }

    /// Performs steps until the choices are used up.
    consuming func run<Frames: CardFrames>(
        _: Frames.Type, _ choices: Choices
    ) -> (card: Card, digest: UInt64) where Frames.Card == Card {
        var choices = choices
        check = Frames.check
        while !choices.isAtEnd { Frames.step(&self, &choices) }
        return (card, digest)
    }

    /// Sends the frame to the card.
    ///
    /// - Returns: `true` if the card answered; ``answer(_:)`` returns the bytes of the answer.
    @discardableResult
    mutating func send(bitCount: Int? = nil, integrity: FrameIntegrity = .good) -> Bool {
        Fuzzer.countExchange()
        let heard = frame
        let bits = bitCount ?? heard.count * 8
        let reply = card.answer(
            heard.span, bitCount: bits, integrity: integrity, context: &context, into: &buffer)
        guard reply != .silence else {
            digest = digest &* 31
            return false
        }
        expect(buffer.count > 0, "an answer has bytes")
        check(buffer, heard)
        digest = digest &* 31 &+ UInt64(buffer.bitCount) << 16 &+ UInt64(buffer[0]) << 8
        digest = digest &+ UInt64(buffer[buffer.count - 1])
        return true
    }

    /// Sends bytes to the card.
    mutating func send(_ bytes: [UInt8]) {
        frame.removeAll(keepingCapacity: true)
        frame += bytes
        send()
    }

    /// Returns a byte of the last answer.
    func answer(_ offset: Int) -> UInt8 { offset < buffer.count ? buffer[offset] : 0 }

    mutating func switchField(on: Bool) { on ? card.fieldRose() : card.fieldFell() }

    /// Makes the memory fail, or the power during a write.
    mutating func disturb(_ choices: inout Choices) {
        context.isMemoryFailing = choices.oneIn(2)
        context.power = choices.oneIn(2) ? PowerBudget(percent: choices.number(below: 101)) : nil
    }

    /// Changes a byte of memory, whatever a reader can access.
    mutating func damage(_ choices: inout Choices) {
        let cell = choices.number(below: 2_048)
        card[cell: cell] ^= choices.byte()
    }
}
