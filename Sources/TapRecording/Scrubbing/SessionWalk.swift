import TapCards
import TapWire

/// A walk over the exchanges of a session that interprets their content, whatever carries it, and inserts placeholders.
struct SessionWalk {
    /// A command to a card and its answer, without CRC and, for FeliCa, without LEN.
    struct CardExchange {
        var command: [UInt8]
        /// The answer, or `nil` for silence and acknowledgements.
        var answer: [UInt8]?
    }

    var placeholders: Placeholders
    var tag: TagMemory
    var type3 = Type3Memory()
    /// A Boolean value that indicates whether it is a FeliCa card, or `nil` if unknown.
    let isFeliCa: Bool?

    // State that earlier commands set for later ones.

    /// The page to which the data of a COMP_WRITE belongs.
    var pageToCome: Int?
    /// The service that a Sony reader reads and writes.
    var selectedService: NodeCode?
    var sentInSession: [UInt8]?
    /// The command whose answer a Get Response requests.
    var openCommand: [UInt8]?

    init(_ session: RecordedSession, _ placeholders: Placeholders) {
        self.placeholders = placeholders
        tag = TagMemory(nil)
        switch session.card {
        case .felica: isFeliCa = true
        case .typeA(let uid):
            isFeliCa = false
            tag = TagMemory(uid)
        case .unknown: isFeliCa = session.exchanges.first.flatMap { Self.isPolling($0.command) ? true : nil }
        }
    }

    private static func isPolling(_ frame: [UInt8]) -> Bool {
        (try? Polling.Request(parsing: Self.packet(frame))) != nil
    }

    /// A FeliCa frame with LEN.
    static func packet(_ frame: [UInt8]) -> [UInt8] { [UInt8(truncatingIfNeeded: frame.count + 1)] + frame }

    mutating func settle() {
        placeholders.settle()
        let texts = TextPlaceholders(identifiers: placeholders.textForms)
        tag.settle(texts)
        type3.settle(texts)
        (pageToCome, selectedService, sentInSession, openCommand) = (nil, nil, nil, nil)
    }

    mutating func run(_ session: RecordedSession) -> RecordedSession {
        var scrubbed = session
        placeholders.exchange = nil
        scrubbed.card = card(session.card)
        scrubbed.atr = session.atr.map { placeholders.sweep($0) }
        scrubbed.readerName = session.readerName.map { readerName($0) }
        scrubbed.client = session.client?.map { placeholders.sweep($0) }
        for (index, exchange) in session.exchanges.enumerated() {
            placeholders.exchange = index
            scrubbed.exchanges[index] = self.exchange(exchange, session.level)
        }
        return scrubbed
    }

    private mutating func card(_ card: RecordedSession.Identity) -> RecordedSession.Identity {
        switch card {
        case .felica(let idm, let pmm, let system): .felica(idm: placeholders.idm(idm), pmm: pmm, system: system)
        case .typeA(let uid): .typeA(uid: placeholders.uid(uid))
        case .unknown: .unknown
        }
    }

    /// The name with the serial number replaced, which some readers include.
    private mutating func readerName(_ name: String) -> String {
        let words = name.split(separator: " ", omittingEmptySubsequences: false).map { word in
            word.count(where: \.isNumber) < Self.fewestSerialDigits
                ? String(word) : String(word.map { $0.isNumber ? "0" : $0 })
        }
        let bytes = placeholders.bytes(.readerNumber, Array(name.utf8), by: Array(words.joined(separator: " ").utf8))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The minimum number of digits that make a word a serial number.
    private static let fewestSerialDigits = 6

    private mutating func exchange(
        _ exchange: RecordedSession.Exchange, _ level: CardRecording.Level
    ) -> RecordedSession.Exchange {
        let isWhole = exchange.answer.map { $0.bitCount == 8 * $0.bytes.count } ?? false
        let answer = isWhole ? exchange.answer?.bytes : nil
        let found = CardExchange(command: exchange.command, answer: answer)
        let replaced =
            switch level {
            case .frame: isFeliCa ?? false ? feliCa(found) : typeA(found)
            case .apdu: apdu(found)
            }
        var scrubbed = exchange
        scrubbed.command = placeholders.sweep(replaced.command)
        scrubbed.note = exchange.note.map { placeholders.sweep($0) }
        if let answer = replaced.answer { scrubbed.answer = CardRecording.Answer(placeholders.sweep(answer)) }
        return scrubbed
    }
}
