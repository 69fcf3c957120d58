import TapReaders

/// The card's side of one connection with the vpcd driver, from the insertion of a card to its removal, without any
/// input or output.
///
/// A card is taken away by not answering the next request for its ATR: the driver then ends the connection, and pcscd
/// has seen a slot without a card before another comes in. A command before that breaks the connection off.
public struct VpcdCore: Sendable {
    /// How often pcscd may ask for the ATR of a card it has just found before it gives it power: twice, and once more
    /// while it starts.
    public static let requestsBeforePower = 3
    /// The longest ATR.
    ///
    /// Source: ISO/IEC 7816-3, section 8.2.1.
    public static let maximumATRLength = 33

    private let card: SlotCard
    private var input: [UInt8] = []
    private var position = 0
    private var reaction: VpcdAction?
    private var requests = 0
    private var wasPowered = false

    /// Begins a connection for a card; nothing if its ATR is one no driver can carry.
    public init?(_ content: SlotContent) {
        guard case .card(let card) = content, (1...Self.maximumATRLength).contains(card.atr.count) else { return nil }
        self.card = card
    }

    /// Takes bytes from the driver.
    public mutating func receive(_ bytes: ArraySlice<UInt8>) {
        input.append(contentsOf: bytes)
    }

    /// What is to be done next, or nothing until more bytes come; a look and a command are finished before that.
    public mutating func next() -> VpcdAction? {
        if let action = reaction {
            reaction = nil
            return action
        }
        switch nextMessage() {
        case nil: return nil
        case .powerOff: return .powerDown
        case .powerOn, .reset:
            wasPowered = true
            return .reset
        case .sendATR: return .look
        case .command(let command): return .transmit(command)
        }
    }

    /// Takes what the slot holds after a look.
    public mutating func finish(_ content: SlotContent) {
        reaction = isHere(content) && isWanted() ? .send(Self.message(card.atr)) : .hangUp
    }

    /// Takes the answer to a command, and what the slot holds after it where that matters.
    ///
    /// The protocol has no word for an exchange that failed. While the card is there, the status word 6F00, "no precise
    /// diagnosis", stands for it.
    public mutating func finish(_ answer: ReaderAnswer, _ content: @autoclosure () -> SlotContent) {
        // To the driver an empty answer is a card that went.
        if case .answer(let response) = answer, !response.isEmpty, let message = VpcdMessage.framed(response) {
            reaction = .send(message)
        } else {
            reaction = isHere(content()) ? .send(Self.message([0x6F, 0x00])) : .breakOff
        }
    }

    /// The next whole message, taken from the input.
    private mutating func nextMessage() -> VpcdMessage? {
        let header = VpcdMessage.headerLength
        while input.count - position >= header {
            let length = Int(input[position]) << 8 | Int(input[position + 1])
            let end = position + header + length
            guard input.count >= end else { break }
            let payload = input[position + header..<end]
            position = end
            // The driver sends no empty message, and none is owed an answer.
            if !payload.isEmpty { return VpcdMessage(payload: payload) }
        }
        if position == input.count {
            input.removeAll(keepingCapacity: true)
        } else {
            input.removeFirst(position)
        }
        position = 0
        return nil
    }

    /// Whether the slot holds the card of this connection, in the same visit.
    private func isHere(_ content: SlotContent) -> Bool {
        guard case .card(let found) = content else { return false }
        return found.card == card.card && found.visit == card.visit
    }

    /// Whether pcscd knows that this card is a new one.
    ///
    /// When a client asked for a reset just after the card before was taken away, the driver spoke of that to the
    /// client alone: pcscd then takes this card for the other, and never gives it power. It has to miss it once.
    private mutating func isWanted() -> Bool {
        requests += 1
        return wasPowered || requests <= Self.requestsBeforePower
    }

    /// A message short enough to be one.
    private static func message(_ payload: [UInt8]) -> [UInt8] {
        VpcdMessage.framed(payload) ?? []
    }
}

/// What the core of the vpcd door wants done.
public enum VpcdAction: Hashable, Sendable {
    /// Look what the slot holds and finish with it.
    case look
    /// Take power from the slot.
    case powerDown
    /// Power the slot up or reset it.
    case reset
    /// Send a command to the card of this connection and finish with the answer and what the slot then holds.
    case transmit([UInt8])
    /// Send bytes to the driver.
    case send([UInt8])
    /// End the connection: the card is gone.
    case hangUp
    /// Begin an answer and end the connection as a crash would: the driver then tells its client that the exchange
    /// failed, while for an orderly end it would report an empty answer.
    case breakOff
}
