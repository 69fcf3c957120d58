import TapCards
import TapWire

/// What a program and a card said to each other, as it was overheard at a reader or found in a log.
///
/// Mostly it is one visit of a card; it has several where the card left and came back.
public struct RecordedSession: Hashable, Sendable {
    public struct Exchange: Hashable, Sendable {
        /// An APDU, or a frame without CRC and, for FeliCa, without LEN.
        public var command: [UInt8]
        /// In the same form; `nil` for silence.
        public var answer: CardRecording.Answer?
        /// Since the beginning of the session; `nil` where it is not known.
        public var time: Duration?
        /// From the end of the command to the beginning of the answer, or as near to that as can be told.
        public var took: Duration?
        /// The code of an `SCardControl`; `nil` for what went to the card.
        public var controlCode: UInt32?
        public var note: String?
        /// Whether the card was taken away after it; what follows belongs to its next visit.
        public var endsVisit = false

        public init(_ command: [UInt8], _ answer: CardRecording.Answer?) {
            self.command = command
            self.answer = answer
        }
    }

    /// What a reader has found a card by.
    public enum Identity: Hashable, Sendable {
        /// `pmm` and `system` are `nil` where no Polling was heard.
        case felica(idm: IDm, pmm: PMm?, system: SystemCode?)
        case typeA(uid: UID)
        case unknown
    }

    public var level: CardRecording.Level
    public var card: Identity
    /// The ATR that the reader showed for the card; `nil` for frames.
    public var atr: [UInt8]?
    /// The name of the reader, as PC/SC has it.
    public var readerName: String?
    /// The program that was recorded, and its arguments; `nil` for logs.
    public var client: [String]?
    public var exchanges: [Exchange]

    public init(_ level: CardRecording.Level, _ card: Identity, _ exchanges: [Exchange] = []) {
        self.level = level
        self.card = card
        self.exchanges = exchanges
    }
}

extension RecordedSession {
    /// Whether the card was taken away after the last exchange; without exchanges it was not there.
    public var hasCardLeft: Bool {
        get { exchanges.last?.endsVisit ?? false }
        set {
            if let last = exchanges.indices.last { exchanges[last].endsVisit = newValue }
        }
    }

    /// Adds the exchanges of another visit.
    public mutating func add(visit: [Exchange]) {
        hasCardLeft = true
        exchanges += visit
    }

    /// Finds the identity of the card in APDUs: by what GET DATA was answered, or else in the frames that they carry.
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
    /// Whose card it is, by what GET DATA was answered; `nil` for every other APDU.
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
