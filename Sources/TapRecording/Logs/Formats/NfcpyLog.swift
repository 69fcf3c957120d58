import TapCards
import TapWire

/// The debug log of nfcpy: exchanges with a card as logged by its frontend or, if missing, by its chip or its tags.
///
/// ```
/// DEBUG:nfc.clf:found 212F sensf_res=0101…0003
/// DEBUG:nfc.clf:>>> 060000030000 timeout=0.003625
/// DEBUG:nfc.clf:<<< 1201… 0.001s
/// ```
/// The text before the logger depends on the program; `%(relativeCreated)d ms` and `%(asctime)s` provide times. Frames have
/// no CRC; FeliCa frames begin with LEN, and four bits are written as a byte.
///
/// Sources: nfcpy 1.0.4, `clf/__init__.py`, `clf/transport.py`, `tag/tt2.py`, `tag/tt3.py`, and `examples/cli.py`.
struct NfcpyLog: LogReader {
    private let source: NfcpyLine.Source
    private var chip = PN53xConversation()
    private var pending: (frame: [UInt8], line: LogLine, time: Duration?)?
    /// A Boolean value that indicates whether the pending command was already added without an answer.
    private var isRetried = false
    private var isFeliCa: Bool?
    /// The technology of the current search for any card.
    private var sought: String?
    private var polling = Self.usualPolling
    private var found: String?

    /// The request sent unless the program specifies another one.
    private static let usualPolling = Polling.Request(systemCode: .any, requestCode: .systemCode)

    init(_ lines: [LogLine]) {
        let sources = Set(lines.lazy.compactMap { NfcpyLine($0) }.filter(\.isFrame).compactMap(\.source))
        source = [.frontend, .chip, .tag].first(where: sources.contains) ?? .frontend
    }

    var sessions: SessionCollector { chip.sessions }

    mutating func take(_ line: LogLine) {
        guard let message = NfcpyLine(line) else { return chip.sessions.passOver(line) }
        if message.logger == "nfc.clf" { find(message, line) }
        if source == .tag { noteTag(message, line) }
        if message.isFrame, message.source == source {
            let hex = line.hex(from: message.start + message.markLength)
            if source == .chip {
                let time = message.time
                if message.isCommand {
                    chip.send(hex.bytes, at: line, time)
                } else {
                    chip.receive(hex.bytes, at: line, time)
                }
            } else if message.isCommand {
                giveUp()
                pending = (hex.bytes, line, message.time)
            } else {
                answer(hex.bytes, line, took: line.seconds(at: line.place(after: "(", from: hex.end) ?? hex.end))
            }
        } else if pending != nil, line.place(after: "TransmissionError", from: message.start) != nil {
            chip.sessions.list(line, "the answer is damaged; it is recorded as silence")
        }
    }

    mutating func finish() {
        giveUp()
        chip.finish()
    }

    private mutating func giveUp() {
        guard let (frame, line, time) = pending else { return }
        pending = nil
        if !isRetried { add(frame, nil, line, ExchangeTime(time: time)) }
        isRetried = false
    }

    private mutating func answer(_ bytes: [UInt8], _ line: LogLine, took: Duration?) {
        guard let (frame, place, time) = pending else {
            return chip.sessions.list(line, "there is no command before the answer")
        }
        pending = nil
        isRetried = false
        add(frame, bytes.isEmpty ? nil : bytes, place, ExchangeTime(time: time, took: took))
    }

    private mutating func add(_ command: [UInt8], _ answer: [UInt8]?, _ line: LogLine, _ time: ExchangeTime) {
        guard !command.isEmpty else { return chip.sessions.list(line, "the line contains no bytes") }
        if isFeliCa ?? FeliCaPacket.isWhole(command.span) {
            return chip.sessions.addFeliCa(command, answer, at: line, time)
        }
        let isNibble = answer?.count == 1
        chip.sessions.add(
            .init(command, answer.map { .init($0, bitCount: isNibble ? Acknowledgement.bitCount : nil) }, time),
            at: line)
    }
}

extension NfcpyLog {
    private mutating func find(_ message: NfcpyLine, _ line: LogLine) {
        if let place = message.place(after: "sense ", line) {
            giveUp()
            let request = Self.field("sensf_req", line, place)
            let isForAny = request == nil && Self.field("sel_req", line, place) == nil
            sought = isForAny ? line.text(from: place, to: " ") : nil
            polling = request.flatMap { Self.packet($0) as Polling.Request? } ?? Self.usualPolling
        } else if let place = message.place(after: "found ", line) {
            giveUp()
            identify(line, from: place)
        }
    }

    private static func field(_ name: String, _ line: LogLine, _ place: Int) -> [UInt8]? {
        line.place(after: " \(name)=", from: place).map { line.hex(from: $0).bytes }
    }

    private static func packet<Packet: WireValue>(_ payload: [UInt8]) -> Packet? {
        try? Packet(parsing: ([UInt8(truncatingIfNeeded: payload.count + 1)] + payload).span)
    }

    private mutating func identify(_ line: LogLine, from place: Int) {
        let technology = line.text(from: place, to: " ")
        if technology == "None" {
            if found != nil, found == sought { chip.sessions.leave() }
        } else if let answer = Self.field("sensf_res", line, place), let card: Polling.Response = Self.packet(answer) {
            (isFeliCa, found) = (true, technology)
            if !chip.sessions.found(card.bytes, by: polling) {
                chip.sessions.addFeliCa(polling.bytes, card.bytes, at: line)
            }
        } else if let uid = Self.field("sdd_res", line, place).flatMap({ UID($0) }) {
            (isFeliCa, found) = (false, technology)
            chip.sessions.find(.typeA(uid: uid))
        } else {
            chip.sessions.list(line, "cards of this type cannot be replayed")
        }
    }
}

/// Facts from tags, for logs without messages of the frontend.
extension NfcpyLog {
    private mutating func noteTag(_ message: NfcpyLine, _ line: LogLine) {
        if let place = message.place(after: "trying to activate ", line) {
            identify(line, from: place)
        } else if line.place(after: "TimeoutError after ", from: message.start) != nil,
            let (frame, place, time) = pending
        {
            // Each retry is another frame; no answer follows the last one.
            add(frame, nil, place, ExchangeTime(time: time))
            isRetried = true
        } else if let place = message.place(after: "tag returned error status ", line), let (frame, _, _) = pending,
            frame.count >= FeliCaPacket.idmLength
        {
            // An answer with an error ends after the flags.
            let idm = frame[FeliCaPacket.idmOffset..<FeliCaPacket.idmLength]
            let flags = line.hex(from: place).bytes
            answer([UInt8(FeliCaPacket.statusLength), frame[1] | 1] + idm + flags, line, took: nil)
        }
    }
}

/// A line of an nfcpy logger, with any prefix that its formatter writes.
struct NfcpyLine {
    /// The component that logs frames.
    enum Source: Hashable {
        case frontend
        case chip
        case tag
    }

    let logger: String
    /// The source, or `nil` for loggers that log no frames.
    let source: Source?
    /// The start of the message, and the length of its direction mark.
    let start: Int
    let markLength: Int
    let isCommand: Bool
    let isFrame: Bool
    let time: Duration?

    init?(_ line: LogLine) {
        guard let place = Self.logger(in: line) else { return nil }
        let name = line.bytes[place...].prefix(while: LogLine.isWord)
        logger = String(decoding: name, as: UTF8.self)
        source =
            switch logger {
            case "nfc.clf": .frontend
            case "nfc.clf.transport": .chip
            case "nfc.tag.tt2", "nfc.tag.tt3": .tag
            default: nil
            }
        start = Self.message(in: line, after: name.endIndex)
        let marks = source == .tag ? (">> ", "<< ") : (">>> ", "<<< ")
        markLength = marks.0.utf8.count
        isCommand = source != nil && line.has(marks.0, at: start)
        isFrame = isCommand || source != nil && line.has(marks.1, at: start)
        time = Self.time(in: line, before: place)
    }

    func place(after word: String, _ line: LogLine) -> Int? {
        line.has(word, at: start) ? start + word.utf8.count : nil
    }

    private static func logger(in line: LogLine) -> Int? {
        let root = "nfc."
        var place = 0
        while let end = line.place(after: root, from: place) {
            let start = end - root.utf8.count
            if start == 0 || " :[\t(|".utf8.contains(line.bytes[start - 1]) { return start }
            place = end
        }
        return nil
    }

    /// The start of the message, after separators and an optional level.
    private static func message(in line: LogLine, after end: Int) -> Int {
        var place = end
        let levels = ["DEBUG", "INFO", "WARNING", "ERROR", "Level 9"]
        while place < line.bytes.count {
            if " :]-\t|)".utf8.contains(line.bytes[place]) {
                place += 1
            } else if let level = levels.first(where: { line.has($0, at: place) }) {
                place += level.utf8.count
            } else {
                break
            }
        }
        return place
    }

    /// The time in milliseconds since the program started, or the time of day.
    private static func time(in line: LogLine, before end: Int) -> Duration? {
        if let (value, place) = line.number(at: line.start), line.has(" ms ", at: place) { return .milliseconds(value) }
        for colon in line.bytes.indices.prefix(end) where line.bytes[colon] == UInt8(ascii: ":") && colon >= 2 {
            if let (hours, _) = line.number(at: colon - 2), let (minutes, next) = line.number(at: colon + 1),
                line.has(":", at: next), let seconds = line.seconds(at: next + 1)
            {
                return .seconds(hours * 3_600 + minutes * 60) + seconds
            }
        }
        return nil
    }
}
