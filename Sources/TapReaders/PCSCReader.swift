import TapField
import TapWire

/// A contactless reader as its PC/SC driver shows it: one slot that finds cards by itself, APDUs in, answers out.
///
/// A value; it reaches cards by exchanges in the world it is given. What a model cannot pass through it answers as
/// the real one does. It never waits itself, since one thread may serve many clients: what takes time is card time or
/// a delay of the world, which its host waits for.
public protocol PCSCReader: Sendable {
    /// The name the driver gives, without the two numbers the PC/SC service appends.
    var name: String { get }

    /// Whether the reader looks for cards by itself, which a host can switch off; when it begins again, what it can see
    /// may have changed.
    var isLooking: Bool { get }

    /// Looks what lies in the field, as the reader's own polling does; called whenever that may have changed.
    ///
    /// A card found before is left as it is while it stays: it is not selected anew.
    mutating func look(in world: inout World) -> SlotContent

    /// Powers the slot up, or resets it: the card is selected anew and loses its volatile state.
    ///
    /// - Returns: What the slot holds afterwards.
    mutating func reset(in world: inout World) -> SlotContent

    /// Takes power from the slot: the card loses its volatile state.
    mutating func powerDown(in world: inout World)

    /// Sends an APDU to the slot, as `SCardTransmit` does.
    mutating func transmit(_ command: [UInt8], in world: inout World) -> ReaderAnswer

    /// Sends a command to the reader itself, card or no card, as `SCardControl` does.
    ///
    /// - Parameters:
    ///   - code: The control code.
    ///   - data: What goes with it.
    ///   - world: Where the cards are.
    mutating func control(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer

    /// An attribute as `SCardGetAttrib` gives it, or `nil` where the driver does not know it; the ATR, the name and
    /// the channel are answered by the service.
    func attribute(_ id: UInt32) -> [UInt8]?
}

/// What a reader has in its slot.
public enum SlotContent: Hashable, Sendable {
    /// No card.
    case empty
    /// A card.
    case card(SlotCard)
}

/// A card in a slot.
public struct SlotCard: Hashable, Sendable {
    /// The card, an index into the cards of the world.
    public let card: Int
    /// The visit of that card, so that one that left and came back is told from one that stayed.
    public let visit: Int
    /// The ATR the reader makes up for it, 33 bytes at most.
    ///
    /// Source: PC/SC part 3, section 3.1.3.2.3.
    public let atr: [UInt8]

    public init(card: Int, visit: Int, atr: [UInt8]) {
        self.card = card
        self.visit = visit
        self.atr = atr
    }
}

/// What a reader does with a command.
public enum ReaderAnswer: Hashable, Sendable {
    /// It answers; to an APDU with a response that ends in a status word, but for the few that reader leaves bare.
    case answer([UInt8])
    /// The driver knows no such command.
    case unsupported
    /// There is no card to send it to.
    case noCard
    /// The exchange failed in a way for which the reader has no answer.
    case failed
}

extension PCSCReader {
    /// Most readers look without end.
    public var isLooking: Bool { true }
}

extension PCSCReader {
    /// Sends an APDU to the slot, and lets faults that are injected meanwhile change what the host gets.
    public mutating func carry(_ command: [UInt8], in world: inout World) -> ReaderAnswer {
        let before = world.airCount
        var answer = transmit(command, in: &world)
        if world.isDisturbed { answer = answer.disturbed(in: &world) }
        world.noteHost(
            since: before, hasRead: answer.isCardData(for: command), HostCall(.apdu, command, answer.outcome))
        return answer
    }

    /// Sends a command to the reader itself, and lets faults that are injected meanwhile change what the host gets.
    public mutating func carry(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer {
        let before = world.airCount
        var answer = control(code, data, in: &world)
        if world.isDisturbed { answer = answer.disturbed(in: &world) }
        world.noteHost(
            since: before, hasRead: answer.isCardData(for: data), HostCall(.control(code), data, answer.outcome))
        return answer
    }
}

extension ReaderAnswer {
    /// What the host got, for the trace.
    fileprivate var outcome: HostCall.Outcome {
        switch self {
        case .answer(let bytes): .answer(bytes)
        case .unsupported: .unsupported
        case .noCard: .noCard
        case .failed: .failed
        }
    }

    /// Whether it tells something of the card without a frame: readers know what get data asks for since they found it.
    fileprivate func isCardData(for command: [UInt8]) -> Bool {
        guard case .answer(let bytes) = self, (try? CommandAPDU(parsing: command))?.ins == .getData,
            let response = try? ResponseAPDU(parsing: bytes)
        else { return false }
        return !response.data.isEmpty
    }
}

extension ReaderAnswer {
    /// What the host gets of an answer with the faults injected into it.
    fileprivate func disturbed(in world: inout World) -> ReaderAnswer {
        let previous = world.previousReaderAnswer
        if case .answer(let bytes) = self { world.previousReaderAnswer = bytes }
        return world.takeReaderFaults(ofChip: false).reduce(self) { $0.changed(by: $1, previous) }
    }

    private func changed(by fault: ReaderFault, _ previous: [UInt8]?) -> ReaderAnswer {
        switch fault {
        case .noCard: return .noCard
        case .failed, .chipStatus: return .failed
        case .statusWord(let word): return .answer(word.bytes)
        case .previousAnswer: return previous.map { .answer($0) } ?? self
        case .noStatusWord: return changed { data, _ in data }
        case .noData: return changed { _, status in status }
        case .cutData(let count): return changed { data, status in data.dropLast(count) + status }
        case .extraData(let bytes): return changed { data, status in data + bytes + status }
        }
    }

    /// The answer with its data and its status word put together anew.
    private func changed(_ body: (_ data: [UInt8], _ status: [UInt8]) -> [UInt8]) -> ReaderAnswer {
        guard case .answer(let bytes) = self, bytes.count >= StatusWord.length else { return self }
        return .answer(body(bytes.dropLast(StatusWord.length), Array(bytes.suffix(StatusWord.length))))
    }
}
