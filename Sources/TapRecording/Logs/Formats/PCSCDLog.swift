import TapCards
import TapWire

/// The log of `pcscd --apdu`, with or without `--debug`: the commands from programs to readers with cards.
///
/// ```
/// 00000143 APDU: FF CA 00 00 00
/// 00000476 SW: 04 A1 B2 C3 D4 E5 80 90 00
/// ```
/// The number is the time since the previous line in microseconds. With `--debug`, the log also has the ATR and the reader.
/// The journal prefixes each line with date, host and `pcscd[123]:`.
///
/// Source: debuglog.c, winscard.c and eventhandler.c of pcsc-lite 1.9.9.
struct PCSCDLog: LogReader {
    private(set) var sessions = SessionCollector(.apdu)
    private var pending: (apdu: [UInt8], line: LogLine, time: Duration)?
    private var reader: String?
    private var time = Duration.zero

    static func has(_ line: LogLine) -> Bool {
        guard let place = message(in: line)?.place else { return false }
        return line.has("APDU: ", at: place) || answer(in: line, at: place) != nil
    }

    /// The time since the previous line, and the start of the message after the optional thread.
    private static func message(in line: LogLine) -> (elapsed: Int, place: Int)? {
        guard let (elapsed, end) = elapsed(in: line) else { return nil }
        guard line.has("[", at: end + 1), let thread = line.place(after: "] ", from: end) else {
            return (elapsed, end + 1)
        }
        return (elapsed, thread)
    }

    /// The first word that is a number with at least ``digits`` digits, and its end.
    private static func elapsed(in line: LogLine) -> (value: Int, end: Int)? {
        var place = 0
        while place < line.bytes.count {
            if let (value, end) = line.number(at: place), end - place >= digits, line.has(" ", at: end) {
                return (value, end)
            }
            place += line.bytes[place...].prefix { !Hex.isBlank($0) }.count
            place += line.bytes[place...].prefix(while: Hex.isBlank).count
        }
        return nil
    }

    /// The start of the answer; an empty answer ends with the colon, because trailing blanks are removed.
    private static func answer(in line: LogLine, at place: Int) -> Int? {
        let end = place + statusMark.utf8.count
        return line.has(statusMark, at: place) && (end == line.bytes.count || line.has(" ", at: end)) ? end : nil
    }

    private static let statusMark = "SW:"

    /// The minimum number of digits in the time.
    private static let digits = 8

    mutating func take(_ line: LogLine) {
        guard let (elapsed, place) = Self.message(in: line) else { return sessions.passOver(line) }
        time += .microseconds(elapsed)
        func rest(_ word: String) -> Int? { line.has(word, at: place) ? place + word.utf8.count : nil }
        if let start = rest("APDU: ") {
            giveUp()
            pending = (line.hex(from: start).bytes, line, time)
        } else if let start = Self.answer(in: line, at: place) {
            answer(line.hex(from: start).bytes, line)
        } else if let start = rest("Card ATR: ") {
            giveUp()
            sessions.find(atr: line.hex(from: start).bytes, in: reader)
        } else if let start = line.place(after: "Card inserted into ", from: place) {
            reader = line.text(start..<line.bytes.count)
        } else if line.place(after: "Card Removed From ", from: place) != nil {
            giveUp()
            sessions.leave()
        } else if let start = line.place(after: "Attempting Connect to ", from: place) {
            let end = line.place(after: " using protocol", from: start).map { $0 - " using protocol".utf8.count }
            reader = line.text(start..<(end ?? line.bytes.count))
        }
    }

    mutating func finish() {
        giveUp()
        sessions.finish()
    }

    /// Ends a failed call, which has no status word.
    private mutating func giveUp() {
        guard let (apdu, line, time) = pending else { return }
        pending = nil
        sessions.add(.init(apdu, nil, ExchangeTime(time: time)), at: line)
    }

    private mutating func answer(_ answer: [UInt8], _ line: LogLine) {
        guard let (apdu, place, start) = pending else {
            return sessions.list(line, "there is no command before the answer")
        }
        pending = nil
        sessions.add(.init(apdu, .init(answer), ExchangeTime(time: start, took: time - start)), at: place)
    }
}
