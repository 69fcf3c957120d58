import TapCards
import TapField
import TapWire

/// A contactless reader as presented by its PC/SC driver: one slot that finds cards automatically, APDUs in, answers out.
///
/// A value that reaches cards through exchanges in a world passed to it. Commands that a model cannot pass through are answered
/// as by the real reader. It never blocks: time is card time or a delay of the world, which its host waits for.
public protocol PCSCReader: Sendable {
    /// The driver's name for the reader, without the two numbers the PC/SC service appends.
    var name: String { get }

    /// A Boolean value that indicates whether the reader looks for cards automatically; a host can switch that off and on.
    var isLooking: Bool { get }

    /// Looks for a card, as the reader's own polling does; called whenever the field may have changed.
    ///
    /// A card found earlier is not reselected while it stays.
    mutating func look(in world: inout World) -> SlotContent

    /// Powers the slot up, or resets it: the card is reselected and loses its volatile state.
    ///
    /// - Returns: The content of the slot afterwards.
    mutating func reset(in world: inout World) -> SlotContent

    /// Powers the slot down: the card loses its volatile state.
    mutating func powerDown(in world: inout World)

    /// Sends an APDU to the slot, as `SCardTransmit` does.
    mutating func transmit(_ command: [UInt8], in world: inout World) -> ReaderAnswer

    /// Sends data to the reader itself under a control code, with or without a card, as `SCardControl` does.
    mutating func control(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer

    /// Returns an attribute, as `SCardGetAttrib` does; `nil` if the driver does not know it. The service itself answers the
    /// ATR, the name and the channel.
    func attribute(_ id: UInt32) -> [UInt8]?
}

public enum SlotContent: Hashable, Sendable {
    case empty
    case card(SlotCard)
}

public struct SlotCard: Hashable, Sendable {
    /// Its index into the cards of the world.
    public let card: Int
    /// The visit of the card, which distinguishes a card that left and returned from one that stayed.
    public let visit: Int
    /// The ATR the reader generates for the card, at most 33 bytes (PC/SC part 3, section 3.1.3.2.3).
    public let atr: [UInt8]

    public init(card: Int, visit: Int, atr: [UInt8]) {
        self.card = card
        self.visit = visit
        self.atr = atr
    }
}

/// A reader's reaction to a command.
public enum ReaderAnswer: Hashable, Sendable {
    /// The answer. Answers to APDUs have a status word, except for the few that a reader sends without one.
    case answer([UInt8])
    /// The driver does not know the command.
    case unsupported
    case noCard
    /// The exchange failed, and the reader has no answer for this case.
    case failed
}

extension PCSCReader {
    public var isLooking: Bool { true }

    /// Sends an APDU to the slot; faults injected during the call change the answer.
    public mutating func carry(_ command: [UInt8], in world: inout World) -> ReaderAnswer {
        let before = world.rfCount
        let recorded = world.recordedReply(to: command).map(ReaderAnswer.init)
        var answer = recorded ?? transmit(command, in: &world)
        if world.isDisturbed { answer = answer.disturbed(in: &world) }
        world.noteHost(
            since: before, gaining: answer.gain(from: command, isRecorded: recorded != nil),
            HostCall(.apdu, command, answer.outcome))
        return answer
    }

    /// Sends a command to the reader itself; faults injected during the call change the answer.
    public mutating func carry(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer {
        let before = world.rfCount
        let reply = ControlCode(code).isEscape ? world.recordedReply(to: data, controlCode: code) : nil
        let recorded = reply.map(ReaderAnswer.init)
        var answer = recorded ?? control(code, data, in: &world)
        if world.isDisturbed { answer = answer.disturbed(in: &world) }
        world.noteHost(
            since: before, gaining: answer.gain(from: data, isRecorded: recorded != nil),
            HostCall(.control(code), data, answer.outcome))
        return answer
    }
}

extension SlotContent {
    /// Returns the content as reported to programs: a card that replays a recording has the ATR of the recording.
    package func shown(in world: World) -> SlotContent {
        guard case .card(let card) = self,
            let atr = (world.cards[card.card].engine as? RecordedCard)?.recording.atr
        else { return self }
        return .card(SlotCard(card: card.card, visit: card.visit, atr: atr))
    }
}

extension ReaderAnswer {
    fileprivate init(_ reply: RecordedCard.HostReply) {
        switch reply.outcome {
        case .answer(let bytes): self = .answer(bytes)
        case .failed: self = .failed
        case .noCard: self = .noCard
        }
    }

    fileprivate var outcome: HostCall.Outcome {
        switch self {
        case .answer(let bytes): .answer(bytes)
        case .unsupported: .unsupported
        case .noCard: .noCard
        case .failed: .failed
        }
    }

    /// Returns the gain of the host; `nil` if it equals the gain of the frames.
    fileprivate func gain(from command: [UInt8], isRecorded: Bool) -> HostGain? {
        let header = Array(command.prefix(4)) + [UInt8](repeating: 0, count: max(0, 4 - command.count))
        // Readers know the data for get data since they found the card.
        let isGetData = header[0] == CommandAPDU.reader && header[1] == Instruction.getData.rawValue
        guard case .answer(let bytes) = self, !isError else {
            return isGetData || Self.isForReader(header) ? .nothing : .refusal
        }
        if isGetData { return bytes.count > StatusWord.length ? .identity : .nothing }
        return isRecorded ? .answer : nil
    }

    /// A Boolean value that indicates whether the whole answer is a status word that reports an error.
    private var isError: Bool {
        guard case .answer(let bytes) = self, bytes.count == StatusWord.length else { return false }
        return StatusWord(bytes[0], bytes[1]).isError
    }

    /// Returns whether a command is for the reader itself: its lights, its sounds, its settings.
    ///
    /// Source: ACS, ACR122U API 2.04, "pseudo APDUs for peripherals control"; later ACS readers use `E0`.
    private static func isForReader(_ header: [UInt8]) -> Bool {
        header[0] == 0xE0 || header[0] == CommandAPDU.reader && header[1] == 0 && header[2] != 0
    }
}

extension ReaderAnswer {
    fileprivate func disturbed(in world: inout World) -> ReaderAnswer {
        let previous = world.previousReaderAnswer
        if case .answer(let bytes) = self { world.previousReaderAnswer = bytes }
        return world.takeReaderFaults(ofChip: false).reduce(self) { $0.changed(by: $1, previous) }
    }

    private func changed(by fault: ReaderFault, _ previous: [UInt8]?) -> ReaderAnswer {
        switch fault {
        case .noCard: return .noCard
        case .failed, .chipStatus: return .failed
        case .statusWord(let word, keepsData: true): return changed { data, _ in data + word.bytes }
        case .statusWord(let word, keepsData: false): return .answer(word.bytes)
        case .otherBytes(let edit, _):
            guard case .answer(var bytes) = self else { return self }
            edit.apply(to: &bytes)
            return .answer(bytes)
        case .previousAnswer: return previous.map { .answer($0) } ?? self
        case .noStatusWord: return changed { data, _ in data }
        case .noData: return changed { _, status in status }
        case .cutData(let count): return changed { data, status in data.dropLast(count) + status }
        case .extraData(let bytes): return changed { data, status in data + bytes + status }
        }
    }

    /// Returns the answer with its data and its status word rearranged.
    private func changed(_ body: (_ data: [UInt8], _ status: [UInt8]) -> [UInt8]) -> ReaderAnswer {
        guard case .answer(let bytes) = self, bytes.count >= StatusWord.length else { return self }
        return .answer(body(bytes.dropLast(StatusWord.length), Array(bytes.suffix(StatusWord.length))))
    }
}
