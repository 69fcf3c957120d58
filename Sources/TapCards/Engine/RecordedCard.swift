import TapWire

/// The recorded commands of a card and its answers, in order.
public struct CardRecording: Hashable, Sendable {
    public enum Level: String, Hashable, Sendable, CaseIterable {
        /// Frames between the reader and the card.
        case frame
        /// Commands from a program to a PC/SC reader with a card, and the reader's answers.
        case apdu
    }

    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// The same commands in the same order.
        case strict
        /// Each command in any position; repeats of a command are answered in the recorded order.
        case any
    }

    /// The reaction to a command that was not recorded, or not at this point.
    public enum Mismatch: String, Hashable, Sendable, CaseIterable {
        case fail
        /// The card answers according to its definition.
        case engine
    }

    public enum Timing: String, Hashable, Sendable, CaseIterable {
        /// As fast as the card's definition allows.
        case asap
        /// After the time the recorded card took, if known.
        case recorded
    }

    public struct Exchange: Hashable, Sendable {
        /// An APDU, or a frame without CRC; FeliCa frames begin with LEN.
        public var command: [UInt8]
        /// The code of an `SCardControl`; `nil` for commands to the card.
        public var controlCode: UInt32?
        /// `nil` for silence, or for a call that failed.
        public var answer: Answer?
        /// The time from the end of the command to the start of the answer; `nil` if unknown.
        public var delay: Duration?
        /// The minimum and maximum number of times the exchange may occur.
        public var repeats = 1...1
        /// A Boolean value that indicates whether the card left the field afterwards; later exchanges belong to its next visit.
        public var endsVisit = false

        public init(_ command: [UInt8], _ answer: Answer?) {
            self.command = command
            self.answer = answer
        }
    }

    public struct Answer: Hashable, Sendable {
        /// An APDU or a frame, in the same form as the command.
        public var bytes: [UInt8]
        /// 4 for an acknowledgement of a Type 2 Tag.
        public var bitCount: Int

        public init(_ bytes: [UInt8], bitCount: Int? = nil) {
            self.bytes = bytes
            self.bitCount = bitCount ?? bytes.count * 8
        }
    }

    public var level = Level.frame
    /// The ATR the reader reports for the card; `nil` to let the reader generate it.
    public var atr: [UInt8]?
    public var exchanges: [Exchange]
    public var order = Order.strict
    public var mismatch = Mismatch.fail
    public var timing = Timing.asap

    public init(_ exchanges: [Exchange]) {
        self.exchanges = exchanges
    }
}

/// A card that replays the recorded answers of another card.
///
/// Its definition controls how it is found: the wrapped card answers selection, and any Polling that is not the next recorded
/// command, and also determines when answers begin. In a recording of APDUs, the wrapped card answers all frames and the reader
/// gets the recorded answers from here.
public struct RecordedCard: CardEngine {
    /// A command that the recording does not contain at this point.
    public struct Mismatch: Hashable, Sendable {
        /// The index of the expected exchange; `nil` after the last one.
        public let index: Int?
        public let sent: [UInt8]
    }

    public let recording: CardRecording
    /// The number of times each exchange has occurred.
    public private(set) var counts: [Int]
    /// The first command that was not recorded; `nil` if the card's definition may answer such commands.
    public private(set) var mismatch: Mismatch?
    private var card: any CardEngine
    /// The exchange that comes next in strict order, or is repeated.
    private var next = 0
    /// A Boolean value that indicates whether the last exchange of a visit has occurred, so the card must leave.
    public private(set) var hasEndedVisit = false

    public init(_ recording: CardRecording, foundAs card: any CardEngine) {
        self.recording = recording
        self.card = card
        counts = Array(repeating: 0, count: recording.exchanges.count)
    }

    /// The first exchange that occurred too few times; `nil` if the recording was played to its end.
    public var firstLeft: Int? {
        recording.exchanges.indices.first { counts[$0] < recording.exchanges[$0].repeats.lowerBound }
    }

    /// A Boolean value that indicates whether the card leaves: its visit has ended, or the only exchange left is a call that
    /// failed because there was no card.
    public var isLeaving: Bool { hasEndedVisit || isFailureLeft }

    /// A Boolean value that indicates whether exchanges of another visit follow.
    public var comesBack: Bool { next + (isFailureLeft ? 2 : 1) < recording.exchanges.count }

    private var isFailureLeft: Bool {
        guard !hasEndedVisit, recording.level == .apdu, next + 1 < recording.exchanges.count, counts[next] > 0 else {
            return false
        }
        return recording.exchanges[next + 1].endsVisit && recording.exchanges[next + 1].answer == nil
    }

    public func hears(_ technology: Technology) -> Bool { card.hears(technology) }

    /// Places the card on a reader again; exchanges left over from the last visit are dropped.
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

    /// Answers a command that a program sends to the reader, in a recording of APDUs.
    ///
    /// - Parameters:
    ///   - apdu: The command.
    ///   - controlCode: The code of an `SCardControl`; `nil` for commands to the card.
    /// - Returns: `nil` if the reader answers as it would without a recording.
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

    /// The result of an APDU or an escape command.
    public struct HostReply: Hashable, Sendable {
        public enum Outcome: Hashable, Sendable {
            case answer([UInt8])
            case failed
            /// The call failed because the card had left.
            case noCard
        }

        public let outcome: Outcome
        /// The time the call takes.
        public var delay: Duration = .zero
    }

    /// Counts a command and returns its exchange; `nil` if the recording does not contain the command at this point.
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
            // A refusal ends the selection, regardless of the definition.
            card.fieldFell()
            card.fieldRose()
        }
        if recording.timing == .recorded, let delay = exchange.delay { return .frame(after: delay) }
        return reply == .silence ? .frame(after: Self.usualDelay) : reply
    }

    /// The delay of an answer if the definition gives none.
    private static let usualDelay = Duration.milliseconds(1)

    /// The index of the exchange that matches a command; `nil` if the recording has none at this point.
    private func index(of command: [UInt8], _ controlCode: UInt32?) -> Int? {
        let exchanges = recording.exchanges
        let isSame = { (index: Int) in
            exchanges[index].command == command && exchanges[index].controlCode == controlCode
        }
        // After a mismatch the card's state is unknown, and a card that is about to leave gets no more commands.
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

    /// Returns whether a command looks for a card; readers may send such commands any number of times.
    private func isFinding(_ command: [UInt8]) -> Bool {
        let technology: Technology = card.hears(.typeA106) ? .typeA106 : .felica212
        return CommandName(of: RFFrame(technology, command))?.isOfSearch ?? false
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
    /// A Boolean value that indicates whether the answer is a NAK of a Type 2 Tag.
    fileprivate var isRefusal: Bool {
        bitCount == Acknowledgement.bitCount && bytes.first.map { !Acknowledgement($0).isAck } ?? false
    }
}
