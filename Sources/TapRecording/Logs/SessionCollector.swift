import TapCards
import TapScenario
import TapWire

/// Puts together the visits of cards from what a log tells, line by line.
struct SessionCollector {
    private(set) var sessions: [RecordedSession] = []
    private(set) var unplaced: [UnplacedLine] = []
    private(set) var unplacedCount = 0
    private(set) var notes: [String] = []
    /// The visit under way.
    private(set) var current: RecordedSession
    /// The time of its first exchange in the log.
    private var start: Duration?

    init(_ level: CardRecording.Level) {
        current = RecordedSession(level, .unknown)
    }

    /// The card of which a reader or a program has just learnt; another one begins another visit.
    mutating func find(_ card: RecordedSession.Identity) {
        guard current.card.canBe(card) else { return begin(card) }
        current.card = current.card.completed(by: card)
    }

    /// The ATR that a reader shows; another one belongs to another card.
    mutating func find(atr: [UInt8], in reader: String?) {
        guard 2...ContactlessATR.maximumLength ~= atr.count else { return }
        let isSame = current.atr == nil || current.atr == atr
        let isSameReader = current.readerName == nil || reader == nil || current.readerName == reader
        if !isSame || !isSameReader { begin(.unknown) }
        current.atr = atr
        current.readerName = reader ?? current.readerName
    }

    /// The reader of the visit under way.
    mutating func find(reader: String) { current.readerName = current.readerName ?? reader }

    /// The card is gone.
    mutating func leave() {
        current.hasCardLeft = !current.exchanges.isEmpty
        begin(.unknown)
    }

    /// The log is over.
    mutating func finish() { begin(.unknown) }

    private mutating func begin(_ card: RecordedSession.Identity) {
        if !current.exchanges.isEmpty { sessions.append(current) }
        current = RecordedSession(current.level, card)
        start = nil
    }

    /// Adds an exchange, whose time is that of the log; an APDU that tells of another card begins another visit.
    mutating func add(_ exchange: RecordedSession.Exchange, at line: LogLine) {
        let longest = current.level == .frame ? RecordingLanguage.longestFrame : RecordingLanguage.longestAPDU
        // A call can succeed without bytes; a frame has some.
        let shortest = current.level == .frame ? 1 : 0
        guard 1...longest ~= exchange.command.count,
            exchange.answer.map({ shortest...longest ~= $0.bytes.count }) ?? true
        else { return list(line, "a part of it is empty or longer than \(longest) bytes") }
        guard current.exchanges.count < RecordingLanguage.maximumExchanges else {
            return list(line, "a recording has at most \(RecordingLanguage.maximumExchanges) exchanges")
        }
        guard sessions.count < LogBounds.sessions else {
            return list(line, "a log has at most \(LogBounds.sessions) visits of cards")
        }
        if current.level == .apdu, let card = exchange.card { find(card) }
        var exchange = exchange
        if let time = exchange.time {
            start = start ?? time
            exchange.time = max(.zero, time - (start ?? time))
        }
        current.exchanges.append(exchange)
    }

    /// Adds a frame that a program sent to a FeliCa card and what came back, both with LEN; wrong ones are listed.
    mutating func addFeliCa(_ command: [UInt8], _ answer: [UInt8]?, at line: LogLine, _ time: ExchangeTime = .init()) {
        guard FeliCaPacket.isWhole(command.span), answer.map({ FeliCaPacket.isWhole($0.span) }) ?? true else {
            return list(line, "LEN of the frame or of its answer is wrong")
        }
        add(.init(Array(command.dropFirst()), answer.map { .init(Array($0.dropFirst())) }, time), at: line)
    }

    /// Passes over a line, or lists it if it looks as if bytes of a card were in it.
    mutating func passOver(_ line: LogLine) {
        if line.isCut {
            list(line, "a line has at most \(LogBounds.lineLength) bytes")
        } else if line.looksLikeBytes {
            list(line, "there are bytes in it, and it is of no known kind")
        }
    }

    mutating func list(_ line: LogLine, _ reason: String) {
        unplacedCount += 1
        guard unplaced.count < LogBounds.unplacedLines else { return }
        let text = PrintableText.visible(line.text(0..<Self.shownLength))
        let isWhole = line.bytes.count <= Self.shownLength
        unplaced.append(UnplacedLine(number: line.number, text: isWhole ? text : text + " …", reason: reason))
    }

    /// Bytes of a line that are shown.
    private static let shownLength = 100

    /// Lists what another collector has listed.
    mutating func list(unplacedOf other: SessionCollector) {
        unplaced += other.unplaced.prefix(LogBounds.unplacedLines - unplaced.count)
        unplacedCount += other.unplacedCount
    }

    mutating func note(_ text: String) { if !notes.contains(text) { notes.append(text) } }
}

/// What a log tells of when an exchange was.
struct ExchangeTime {
    /// From any beginning that stays the same in a log.
    var time: Duration?
    var took: Duration?
}

extension RecordedSession.Exchange {
    init(_ command: [UInt8], _ answer: CardRecording.Answer?, _ time: ExchangeTime) {
        self.init(command, answer)
        self.time = time.time
        took = answer == nil ? nil : time.took
    }
}

extension RecordedSession.Identity {
    init(_ answer: Polling.Response, asked request: Polling.Request?) {
        let isExact = request.map { $0.systemCode.rawValue & 0xFF != 0xFF && $0.systemCode.rawValue >> 8 != 0xFF }
        let asked = isExact == true ? request?.systemCode : nil
        let told = request?.requestCode == .systemCode ? answer.requestData.map { SystemCode($0) } : nil
        self = .felica(idm: answer.idm, pmm: answer.pmm, system: told ?? asked)
    }

    init(_ tag: ActivatedTag, asked request: Polling.Request?) {
        switch tag {
        case .felica(let answer, _): self.init(answer, asked: request)
        case .typeA(let tag): self = .typeA(uid: tag.uid)
        }
    }

    /// Whether both may be the same card; the systems of a FeliCa card differ in the first four bits of their IDm.
    func canBe(_ other: RecordedSession.Identity) -> Bool {
        switch (self, other) {
        case (.unknown, _), (_, .unknown): true
        case (.felica(let one, _, _), .felica(let two, _, _)): one.ofSystem(0) == two.ofSystem(0)
        case (.typeA(let one), .typeA(let two)): one == two
        default: false
        }
    }

    /// With what another sight of the same system of the card tells.
    func completed(by other: RecordedSession.Identity) -> RecordedSession.Identity {
        switch (self, other) {
        case (.unknown, _): other
        case (.felica(let idm, let pmm, let system), .felica(let same, let otherPMm, let otherSystem)) where same == idm:
            .felica(idm: idm, pmm: pmm ?? otherPMm, system: system ?? otherSystem)
        default: self
        }
    }
}
