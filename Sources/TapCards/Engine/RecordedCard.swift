import TapWire

/// What a card was once asked and what it answered, in order.
public struct CardRecording: Hashable, Sendable {
    public enum Level: String, Hashable, Sendable, CaseIterable {
        /// What a reader sent to the card and heard of it.
        case frame
        /// What a program sent to a PC/SC reader with a card, and what that answered.
        case apdu
    }

    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// The same commands in the same order.
        case strict
        /// Each command wherever it comes; the same command twice is answered in the recorded order.
        case any
    }

    /// What happens to a command that was not recorded, or not there.
    public enum Mismatch: String, Hashable, Sendable, CaseIterable {
        case fail
        /// The card answers as its definition has it.
        case engine
    }

    public enum Timing: String, Hashable, Sendable, CaseIterable {
        /// As fast as the card's definition allows.
        case asap
        /// After the time that the recorded card took, where that is known.
        case recorded
    }

    public struct Exchange: Hashable, Sendable {
        /// An APDU, or a frame without CRC; FeliCa frames begin with LEN.
        public var command: [UInt8]
        /// The code of an `SCardControl`; `nil` for what goes to the card.
        public var controlCode: UInt32?
        /// `nil` for silence, or for a call that failed.
        public var answer: Answer?
        /// From the end of the command to the beginning of the answer; `nil` where it is not known.
        public var delay: Duration?
        /// How often it may come, at least and at most.
        public var repeats = 1...1
        /// Whether the card left the field after it; what follows belongs to its next visit.
        public var endsVisit = false

        public init(_ command: [UInt8], _ answer: Answer?) {
            self.command = command
            self.answer = answer
        }
    }

    public struct Answer: Hashable, Sendable {
        /// Like the command.
        public var bytes: [UInt8]
        /// 4 for an acknowledgement of a Type 2 Tag.
        public var bitCount: Int

        public init(_ bytes: [UInt8], bitCount: Int? = nil) {
            self.bytes = bytes
            self.bitCount = bitCount ?? bytes.count * 8
        }
    }

    public var level = Level.frame
    /// The ATR that the reader shows for the card; `nil` for the one that it makes up itself.
    public var atr: [UInt8]?
    public var exchanges: [Exchange]
    public var order = Order.strict
    public var mismatch = Mismatch.fail
    public var timing = Timing.asap

    public init(_ exchanges: [Exchange]) {
        self.exchanges = exchanges
    }
}

/// A card that answers as another did when it was recorded.
///
/// It is found as its definition has it: selection, and a Polling that is not the next command of the recording, are
/// answered by the card that it wraps, which also tells when answers begin. In a recording of APDUs that card answers all
/// frames, and the reader asks for what the recording has.
public struct RecordedCard: CardEngine {
    /// A command that the recording does not have there.
    public struct Mismatch: Hashable, Sendable {
        /// The index of the exchange that should have come; `nil` behind the last.
        public let index: Int?
        public let sent: [UInt8]
    }

    public let recording: CardRecording
    /// How often each exchange has come.
    public private(set) var counts: [Int]
    /// The first command that was not recorded; `nil` where the card's definition may answer such.
    public private(set) var mismatch: Mismatch?
    private var card: any CardEngine
    /// The exchange that comes next in strict order, or comes again.
    private var next = 0
    /// Whether the last exchange of a visit has come, so that the card has to leave.
    public private(set) var hasEndedVisit = false

    public init(_ recording: CardRecording, foundAs card: any CardEngine) {
        self.recording = recording
        self.card = card
        counts = Array(repeating: 0, count: recording.exchanges.count)
    }

    /// The first exchange that came too rarely; `nil` if the recording was played to its end.
    public var firstLeft: Int? {
        recording.exchanges.indices.first { counts[$0] < recording.exchanges[$0].repeats.lowerBound }
    }

    /// Whether the card leaves: its visit has ended, or nothing is left of it but a call that failed for want of a card.
    public var isLeaving: Bool { hasEndedVisit || isFailureLeft }

    /// Whether exchanges of another visit follow.
    public var comesBack: Bool { next + (isFailureLeft ? 2 : 1) < recording.exchanges.count }

    private var isFailureLeft: Bool {
        guard !hasEndedVisit, recording.level == .apdu, next + 1 < recording.exchanges.count, counts[next] > 0 else {
            return false
        }
        return recording.exchanges[next + 1].endsVisit && recording.exchanges[next + 1].answer == nil
    }

    public func hears(_ technology: Technology) -> Bool { card.hears(technology) }

    /// The card is placed on a reader again: what is left of its last visit comes no more.
    public mutating func beginVisit() {
        if isFailureLeft { next += 2 }
        hasEndedVisit = false
    }

    public mutating func fieldRose() { card.fieldRose() }
    public mutating func fieldFell() { card.fieldFell() }

    public mutating func answer(
        _ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        let reply = card.answer(frame, bitCount: bitCount, integrity: integrity, context: &context, into: &buffer)
        let command = frame.indices.map { frame[$0] }
        guard recording.level == .frame, integrity == .good, bitCount == command.count * 8 else { return reply }
        if let exchange = take(command) {
            context.hasEndedVisit = hasEndedVisit
            return play(exchange, reply, into: &buffer)
        }
        if isFinding(command) || recording.mismatch == .engine { return reply }
        buffer.removeAll()
        return .silence
    }

    /// Answers what a program sends to the reader, in a recording of APDUs.
    ///
    /// - Parameter controlCode: The code of an `SCardControl`; `nil` for what goes to the card.
    /// - Returns: `nil` where the reader answers as it would without a recording.
    public mutating func answer(apdu: [UInt8], controlCode: UInt32?) -> HostReply? {
        guard recording.level == .apdu else { return nil }
        guard let exchange = take(apdu, controlCode) else {
            return recording.mismatch == .engine ? nil : HostReply(outcome: .failed)
        }
        let failure: HostReply.Outcome = exchange.endsVisit ? .noCard : .failed
        return HostReply(
            outcome: exchange.answer.map { .answer($0.bytes) } ?? failure,
            delay: recording.timing == .recorded ? exchange.delay ?? .zero : .zero)
    }

    /// What comes of an APDU or an escape command.
    public struct HostReply: Hashable, Sendable {
        public enum Outcome: Hashable, Sendable {
            case answer([UInt8])
            /// The call failed.
            case failed
            /// It failed since the card had left.
            case noCard
        }

        public let outcome: Outcome
        /// How long it takes.
        public var delay: Duration = .zero
    }

    /// Counts a command; `nil` where the recording does not have it there.
    private mutating func take(_ command: [UInt8], _ controlCode: UInt32? = nil) -> CardRecording.Exchange? {
        guard let index = index(of: command, controlCode) else {
            let isFree = recording.mismatch == .engine || recording.level == .frame && isFinding(command)
            if !isFree, mismatch == nil { mismatch = Mismatch(index: firstLeft, sent: command) }
            return nil
        }
        counts[index] += 1
        next = index
        hasEndedVisit = recording.exchanges[index].endsVisit
        return recording.exchanges[index]
    }

    private mutating func play(
        _ exchange: CardRecording.Exchange, _ reply: CardReply, into buffer: inout FrameBuffer
    ) -> CardReply {
        buffer.removeAll()
        guard let answer = exchange.answer else { return .silence }
        buffer.append(answer.bytes)
        buffer.trim(toBits: answer.bitCount)
        if answer.isRefusal {
            // A refusal ends the selection, whatever the definition would have said.
            card.fieldFell()
            card.fieldRose()
        }
        if recording.timing == .recorded, let delay = exchange.delay { return .frame(after: delay) }
        return reply == .silence ? .frame(after: Self.usualDelay) : reply
    }

    /// When an answer begins where the definition gives none.
    private static let usualDelay = Duration.milliseconds(1)

    /// The exchange that a command is; `nil` where the recording has no such one there.
    private func index(of command: [UInt8], _ controlCode: UInt32?) -> Int? {
        let exchanges = recording.exchanges
        let isSame = { (index: Int) in
            exchanges[index].command == command && exchanges[index].controlCode == controlCode
        }
        // After a mismatch nothing is as it was, and a card that is about to leave is asked no more.
        guard mismatch == nil, !hasEndedVisit else { return nil }
        guard recording.order == .strict else {
            let same = exchanges.indices.filter(isSame)
            return same.first { counts[$0] < exchanges[$0].repeats.upperBound } ?? same.last
        }
        for index in exchanges.indices.dropFirst(next) {
            if isSame(index), counts[index] < exchanges[index].repeats.upperBound { return index }
            if counts[index] < exchanges[index].repeats.lowerBound { return nil }
        }
        return nil
    }

    /// Whether a command looks for a card, which readers do as often as they like.
    private func isFinding(_ command: [UInt8]) -> Bool {
        let technology: Technology = card.hears(.typeA106) ? .typeA106 : .felica212
        let name = CommandName(of: AirFrame(technology, command))
        return name?.layer == .selection || name?.feliCaCode == .polling
    }

    public var stateName: String { card.stateName }

    public func hasSameMemory(as other: RecordedCard) -> Bool { Self.haveSameMemory(card, other.card) }

    private static func haveSameMemory<Card: CardEngine>(_ one: Card, _ other: any CardEngine) -> Bool {
        (other as? Card).map(one.hasSameMemory) ?? false
    }

    public func longestDelay(answering command: Span<UInt8>) -> Duration { card.longestDelay(answering: command) }

    public func cells(writtenBy command: Span<UInt8>) -> [Range<Int>] { card.cells(writtenBy: command) }

    public subscript(cell cell: Int) -> UInt8 {
        get { card[cell: cell] }
        set { card[cell: cell] = newValue }
    }

    public func withAnotherIdentifier() -> RecordedCard {
        RecordedCard(recording, foundAs: card.withAnotherIdentifier())
    }

    public static func == (one: RecordedCard, other: RecordedCard) -> Bool {
        one.recording == other.recording && one.counts == other.counts && one.mismatch == other.mismatch
            && one.next == other.next && one.hasEndedVisit == other.hasEndedVisit
            && AnyHashable(one.card) == AnyHashable(other.card)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(counts)
        hasher.combine(AnyHashable(card))
    }
}

extension CardRecording.Answer {
    /// Whether it is a NAK of a Type 2 Tag.
    fileprivate var isRefusal: Bool {
        bitCount == Acknowledgement.bitCount && bytes.first.map { !Acknowledgement($0).isAck } ?? false
    }
}
