import TapCards
import TapScenario
import TapWire

/// A collector that assembles the visits of cards from a log, line by line.
struct SessionCollector {
    private(set) var sessions: [RecordedSession] = []
    private(set) var unusedLines: [UnusedLine] = []
    private(set) var unusedLineCount = 0
    private(set) var notes: [String] = []
    private(set) var current: RecordedSession
    /// The log time of its first exchange.
    private var start: Duration?

    init(_ level: CardRecording.Level) {
        current = RecordedSession(level, .unknown)
    }

    /// Notes the card that a reader or a program has just found; another card begins another visit.
    mutating func find(_ card: RecordedSession.Identity) {
        guard current.card.canBe(card) else { return begin(card) }
        current.card = current.card.completed(by: card)
    }

    /// Notes the ATR that a reader shows; another ATR belongs to another card.
    mutating func find(atr: [UInt8], in reader: String?) {
        guard 2...ContactlessATR.maximumLength ~= atr.count else { return }
        let isSame = current.atr == nil || current.atr == atr
        let isSameReader = current.readerName == nil || reader == nil || current.readerName == reader
        if !isSame || !isSameReader { begin(.unknown) }
        current.atr = atr
        current.readerName = reader ?? current.readerName
    }

    mutating func find(reader: String) { current.readerName = current.readerName ?? reader }

    mutating func leave() {
        current.hasCardLeft = !current.exchanges.isEmpty
        begin(.unknown)
    }

    mutating func finish() { begin(.unknown) }

    private mutating func begin(_ card: RecordedSession.Identity) {
        if !current.exchanges.isEmpty { sessions.append(current) }
        current = RecordedSession(current.level, card)
        start = nil
    }

    /// Adds an exchange with its log time; an APDU that reveals another card begins another visit.
    mutating func add(_ exchange: RecordedSession.Exchange, at line: LogLine) {
        let longest = current.level == .frame ? RecordingLanguage.longestFrame : RecordingLanguage.longestAPDU
        // A call can succeed without bytes, but a frame is never empty.
        let shortest = current.level == .frame ? 1 : 0
        guard 1...longest ~= exchange.command.count,
            exchange.answer.map({ shortest...longest ~= $0.bytes.count }) ?? true
        else { return list(line, "the command or the answer is empty or longer than \(longest) bytes") }
        guard current.exchanges.count < RecordingLanguage.maximumExchanges else {
            return list(line, "a recording can contain at most \(RecordingLanguage.maximumExchanges) exchanges")
        }
        guard sessions.count < LogBounds.sessions else {
            return list(line, "a log can contain at most \(LogBounds.sessions) visits of cards")
        }
        if current.level == .apdu, let card = exchange.card { find(card) }
        var exchange = exchange
        if let time = exchange.time {
            start = start ?? time
            exchange.time = max(.zero, time - (start ?? time))
        }
        current.exchanges.append(exchange)
    }

    /// Adds a frame for a FeliCa card and its answer, both with LEN; lists invalid frames.
    mutating func addFeliCa(_ command: [UInt8], _ answer: [UInt8]?, at line: LogLine, _ time: ExchangeTime = .init()) {
        guard FeliCaPacket.isWhole(command.span), answer.map({ FeliCaPacket.isWhole($0.span) }) ?? true else {
            return list(line, "LEN of the frame or of its answer is wrong")
        }
        // A log may begin after the Polling.
        if current.card == .unknown, let idm = Self.idm(in: command) { find(.felica(idm: idm, pmm: nil, system: nil)) }
        add(.init(Array(command.dropFirst()), answer.map { .init(Array($0.dropFirst())) }, time), at: line)
    }

    /// The IDm to which a command is addressed.
    private static func idm(in command: [UInt8]) -> IDm? {
        guard command.count >= FeliCaPacket.idmLength, let code = CommandCode(of: command.span),
            CommandDescription.of(code)?.namesSystem ?? false
        else { return nil }
        return IDm(UInt64(octets: command[FeliCaPacket.idmOffset..<FeliCaPacket.idmLength]))
    }

    /// Skips a line, or lists it if it seems to contain bytes of a card.
    mutating func passOver(_ line: LogLine) {
        if line.isCut {
            list(line, "the line is longer than \(LogBounds.lineLength) bytes")
        } else if line.looksLikeBytes {
            list(line, "the line contains bytes, but its kind is unknown")
        }
    }

    mutating func list(_ line: LogLine, _ reason: String) {
        unusedLineCount += 1
        guard unusedLines.count < LogBounds.unusedLineLimit else { return }
        let text = PrintableText.visible(line.text(0..<Self.shownLength))
        let isWhole = line.bytes.count <= Self.shownLength
        unusedLines.append(UnusedLine(number: line.number, text: isWhole ? text : text + " …", reason: reason))
    }

    private static let shownLength = 100

    /// Adds the lines that another collector has listed.
    mutating func list(unplacedOf other: SessionCollector) {
        unusedLines += other.unusedLines.prefix(LogBounds.unusedLineLimit - unusedLines.count)
        unusedLineCount += other.unusedLineCount
    }

    mutating func note(_ text: String) { if !notes.contains(text) { notes.append(text) } }
}

/// The timing of an exchange according to a log.
struct ExchangeTime {
    /// The time since an arbitrary start that is constant within a log.
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

    /// Returns whether both can be the same card; the systems of a FeliCa card differ in the first four bits of their IDm.
    func canBe(_ other: RecordedSession.Identity) -> Bool {
        switch (self, other) {
        case (.unknown, _), (_, .unknown): true
        case (.felica(let one, _, _), .felica(let two, _, _)): one.ofSystem(0) == two.ofSystem(0)
        case (.typeA(let one), .typeA(let two)): one == two
        default: false
        }
    }

    /// The identity with additional facts from another sighting of the same system of the card.
    func completed(by other: RecordedSession.Identity) -> RecordedSession.Identity {
        switch (self, other) {
        case (.unknown, _): other
        case (.felica(let idm, let pmm, let system), .felica(let same, let otherPMm, let otherSystem)) where same == idm:
            .felica(idm: idm, pmm: pmm ?? otherPMm, system: system ?? otherSystem)
        default: self
        }
    }
}
