import TapCards
import TapWire

/// Pasted bytes: separate lines for commands and answers, each marked with its direction.
///
/// ```
/// > FF CA 00 00 00            TX: 30 04              send: 0C 02 …
/// < 04 A1 B2 C3 D4 E5 80 9000 RX: 03 10 D1 …         recv: 0D 03 …
/// ```
/// A line of bytes without a mark continues the previous line, unless it repeats the next command, as some programs echo
/// their input. The content of all lines determines the kind of bytes: frames of a PN532 (``PN53xConversation``) or a
/// ``HexKind``.
struct HexLog: LogReader {
    private(set) var sessions = SessionCollector(.frame)
    private var pairs: [HexPair] = []
    /// Answers without a preceding command.
    private var strays: [LogLine] = []
    /// The same bytes, interpreted as both directions of a connection to a chip.
    private var chip = PN53xConversation()
    private var chipCommandCount = 0
    /// Unmarked lines after the last marked line.
    private var rest: [(bytes: [UInt8], line: LogLine)] = []
    private var atr: [UInt8]?
    private var isLastCommand = false

    mutating func take(_ line: LogLine) {
        if let marked = MarkedHex(line) {
            settle(before: marked)
            switch marked.kind {
            case .atr: atr = marked.bytes
            case .command:
                pairs.append(HexPair(command: marked.bytes, line: line))
                pass(marked.bytes, isCommand: true, line)
            case .answer:
                pass(marked.bytes, isCommand: false, line)
                guard let last = pairs.indices.last, pairs[last].answer == nil else { return strays.append(line) }
                pairs[last].answer = marked.bytes
            }
        } else if let bytes = MarkedHex.unmarked(line) {
            rest.append((bytes, line))
        } else {
            settle(before: nil)
            sessions.passOver(line)
        }
    }

    private mutating func pass(_ bytes: [UInt8], isCommand: Bool, _ line: LogLine) {
        isLastCommand = isCommand
        if isCommand {
            if PN53xConversation.hasCommand(bytes) { chipCommandCount += 1 }
            chip.send(bytes, at: line)
        } else {
            chip.receive(bytes, at: line)
        }
    }

    /// Adds unmarked bytes to the previous line, except for an echo of the next line.
    private mutating func settle(before next: MarkedHex?) {
        if next?.kind == .command, rest.last?.bytes == next?.bytes { rest.removeLast() }
        for (bytes, line) in rest {
            guard let last = pairs.indices.last else {
                sessions.passOver(line)
                continue
            }
            pass(bytes, isCommand: isLastCommand, line)
            if pairs[last].answer != nil {
                pairs[last].answer? += bytes
            } else {
                pairs[last].command += bytes
            }
        }
        rest = []
    }

    mutating func finish() {
        settle(before: nil)
        let counts = HexKind.allCases.map { kind in (kind, pairs.count { kind.parts(of: $0) != nil }) }
        guard let most = counts.map(\.1).max(), most > chipCommandCount || chipCommandCount == 0 else {
            chip.sessions.list(unplacedOf: sessions)
            chip.finish()
            return sessions = chip.sessions
        }
        for line in strays { sessions.list(line, "there is no command before the answer") }
        guard most > 0, let (kind, _) = counts.first(where: { $0.1 == most }) else {
            for pair in pairs { sessions.list(pair.line, "it is neither a card frame nor an APDU") }
            return
        }
        let others = counts.filter { $0.1 == most && $0.0 != kind }.map(\.0.title)
        var result = kind.read(pairs, atr: atr, unusedLines: sessions)
        if !others.isEmpty {
            result.note("the lines may also be \(ListText.choice(others)); they are read as \(kind.title)")
        }
        sessions = result
    }
}

/// A command and its answer, or `nil` for silence.
struct HexPair {
    var command: [UInt8]
    var answer: [UInt8]?
    let line: LogLine
}

struct MarkedHex {
    enum Kind {
        case command
        case answer
        case atr
    }

    let kind: Kind
    /// The bytes; a single digit, which stands for four bits, is stored as a byte.
    let bytes: [UInt8]

    /// Direction marks, longest first; words must be followed by a colon or an equals sign.
    private static let signs: [(String, Kind)] = [
        (">>>", .command), ("<<<", .answer), ("-->", .command), ("<--", .answer), (">>", .command), ("<<", .answer),
        ("->", .command), ("<-", .answer), ("=>", .command), ("<=", .answer), (">", .command), ("<", .answer),
    ]
    private static let words: [String: Kind] = [
        "out": .command, "apdu": .command, "capdu": .command, "c-apdu": .command, "command": .command, "cmd": .command,
        "request": .command, "req": .command, "pcd": .command, "reader": .command, "rdr": .command, "write": .command,
        "in": .answer, "sw": .answer, "rapdu": .answer, "r-apdu": .answer, "response": .answer, "resp": .answer,
        "rsp": .answer, "res": .answer, "answer": .answer, "reply": .answer, "picc": .answer, "card": .answer,
        "tag": .answer, "read": .answer, "atr": .atr,
    ]
    /// Words that determine the direction regardless of the text before the colon: `Send to card:`, `Received from tag:`.
    private static let verbs: [String: Kind] = [
        "tx": .command, "send": .command, "sent": .command, "sending": .command, "transmit": .command,
        "rx": .answer, "recv": .answer, "receive": .answer, "received": .answer,
    ]
    private static let mostWordsAfterVerb = 3
    /// The maximum number of words before the mark, such as a time, a number or a label, if text may follow the bytes.
    private static let mostWordsBefore = 3
    /// The maximum number of words before any mark.
    private static let mostWordsOfPrefix = 16

    init?(_ line: LogLine) {
        var place = line.start
        for count in 0...Self.mostWordsOfPrefix {
            guard place < line.bytes.count else { return nil }
            if let (kind, end, isWeak) = Self.mark(in: line, at: place),
                !isWeak && count <= Self.mostWordsBefore || Self.isAllBytes(line, from: end)
            {
                guard let bytes = Self.bytes(line, from: end) else { return nil }
                // scriptor prints the ATR as the answer to a reset.
                let isATR = line.place(after: "OK:", from: end).map { line.bytes[end..<$0].count <= 5 } ?? false
                self.init(kind: isATR ? .atr : kind, bytes: bytes)
                return
            }
            place = Self.next(in: line, after: place)
        }
        return nil
    }

    private init(kind: Kind, bytes: [UInt8]) {
        (self.kind, self.bytes) = (kind, bytes)
    }

    /// The direction of a mark, and the mark's end; after a weak mark, a verb without a colon, the rest of the line must be
    /// bytes.
    private static func mark(in line: LogLine, at place: Int) -> (kind: Kind, end: Int, isWeak: Bool)? {
        if let (sign, kind) = signs.first(where: { line.has($0.0, at: place) }) {
            return (kind, place + sign.utf8.count, false)
        }
        let word = line.bytes[place...].prefix { !" \t:=|".utf8.contains($0) }
        guard word.count <= 8 else { return nil }
        let name = String(decoding: word, as: UTF8.self).lowercased()
        let next = word.endIndex + line.bytes[word.endIndex...].prefix(while: Hex.isBlank).count
        if next < line.bytes.count, ":=".utf8.contains(line.bytes[next]) {
            return (verbs[name] ?? words[name]).map { ($0, next + 1, false) }
        }
        guard let kind = verbs[name], next > word.endIndex else { return nil }
        if let end = endOfLabel(in: line, from: next) { return (kind, end, false) }
        return (kind, next, true)
    }

    /// The end of a label of a few words, such as `to card:`.
    private static func endOfLabel(in line: LogLine, from start: Int) -> Int? {
        var place = start
        for _ in 0..<mostWordsAfterVerb {
            let word = line.bytes[place...].prefix { (0x41...0x5A).contains($0 & 0xDF) }
            guard !word.isEmpty, word.endIndex < line.bytes.count else { return nil }
            if ":=".utf8.contains(line.bytes[word.endIndex]) { return word.endIndex + 1 }
            guard Hex.isBlank(line.bytes[word.endIndex]) else { return nil }
            place = word.endIndex + line.bytes[word.endIndex...].prefix(while: Hex.isBlank).count
        }
        return nil
    }

    /// Returns whether the rest of the line consists of at least two bytes.
    private static func isAllBytes(_ line: LogLine, from place: Int) -> Bool {
        let (bytes, end) = line.hex(from: place)
        return bytes.count >= 2 && end == line.bytes.count
    }

    private static func next(in line: LogLine, after place: Int) -> Int {
        let end = place + line.bytes[place...].prefix { !Hex.isBlank($0) }.count
        return end + line.bytes[end...].prefix(while: Hex.isBlank).count
    }

    private static func bytes(_ line: LogLine, from place: Int) -> [UInt8]? {
        var start = place
        if let end = line.place(after: "OK:", from: place), end - place <= 5 { start = end }
        let digits = line.bytes[min(start, line.bytes.count)...].drop(while: Hex.isBlank)
        if digits.count == 1, let digit = digits.first.map(LogLine.value), digit < 16 { return [digit] }
        let found = line.hex(from: start).bytes
        return found.isEmpty ? nil : found
    }

    /// The bytes of a line that contains nothing else except for a remark after a colon.
    static func unmarked(_ line: LogLine) -> [UInt8]? {
        let (bytes, end) = line.hex(from: line.start)
        return bytes.count >= 2 && (end == line.bytes.count || line.has(": ", at: end)) ? bytes : nil
    }
}
