import TapCards
import TapWire

/// A conversation between a program and a card, captured at a reader or found in a log.
///
/// It usually is one visit of a card; there are several if the card left and came back.
public struct RecordedSession: Hashable, Sendable {
    public struct Exchange: Hashable, Sendable {
        /// An APDU, or a frame without CRC and, for FeliCa, without LEN.
        public var command: [UInt8]
        /// The answer in the same form, or `nil` for silence.
        public var answer: CardRecording.Answer?
        /// The time since the beginning of the session, or `nil` if unknown.
        public var time: Duration?
        /// The time from the end of the command to the start of the answer, as closely as known.
        public var took: Duration?
        /// The code of an `SCardControl`, or `nil` for a command to the card.
        public var controlCode: UInt32?
        public var note: String?
        /// A Boolean value that indicates whether the card was removed afterwards, so that a new visit follows.
        public var endsVisit = false

        public init(_ command: [UInt8], _ answer: CardRecording.Answer?) {
            self.command = command
            self.answer = answer
        }
    }

    /// The identity by which a reader found a card.
    public enum Identity: Hashable, Sendable {
        /// `pmm` and `system` are `nil` if no Polling was captured.
        case felica(idm: IDm, pmm: PMm?, system: SystemCode?)
        case typeA(uid: UID)
        case unknown
    }

    public var level: CardRecording.Level
    public var card: Identity
    /// The ATR that the reader showed for the card, or `nil` for frames.
    public var atr: [UInt8]?
    /// The PC/SC name of the reader.
    public var readerName: String?
    /// The recorded program and its arguments, or `nil` for logs.
    public var client: [String]?
    public var exchanges: [Exchange]

    public init(_ level: CardRecording.Level, _ card: Identity, _ exchanges: [Exchange] = []) {
        self.level = level
        self.card = card
        self.exchanges = exchanges
    }
}

extension RecordedSession {
    /// A Boolean value that indicates whether the card was removed after the last exchange; `false` without exchanges.
    public var hasCardLeft: Bool {
        get { exchanges.last?.endsVisit ?? false }
        set {
            if let last = exchanges.indices.last { exchanges[last].endsVisit = newValue }
        }
    }

    public mutating func add(visit: [Exchange]) {
        hasCardLeft = true
        exchanges += visit
    }

    /// Determines the identity of the card from APDUs: from answers to GET DATA, otherwise from the frames that they carry.
    public mutating func findCard() {
        if let found = exchanges.lazy.compactMap(\.card).first ?? carriedCard { card = found }
    }

    private var carriedCard: Identity? {
        var walk = SessionWalk(self, Placeholders(keeping: []))
        _ = walk.run(self)
        return walk.placeholders.firstCard
    }
}

extension RecordedSession.Exchange {
    /// The identity of the card in the answer to GET DATA, or `nil` for any other APDU.
    ///
    /// Source: PC/SC part 3, section 3.2.2.1.3: the UID of a card, or the IDm, which has eight bytes.
    var card: RecordedSession.Identity? {
        guard controlCode == nil, let request = try? CommandAPDU(parsing: command), request.cla == CommandAPDU.reader,
            request.ins == .getData, request.p1 == CardProperty.identifier.rawValue,
            let response = answer.flatMap({ try? ResponseAPDU(parsing: $0.bytes) }), response.status == .success
        else { return nil }
        if response.data.count == MemoryLayout<IDm>.size {
            return .felica(idm: IDm(UInt64(octets: response.data)), pmm: nil, system: nil)
        }
        return UID(response.data).map { .typeA(uid: $0) }
    }
}
