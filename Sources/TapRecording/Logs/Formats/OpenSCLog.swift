import TapCards
import TapWire

/// The output of `opensc-tool -s`: each APDU, followed by its answer in rows of bytes and characters.
///
/// ```
/// Using reader with a card: ACS ACR122U PICC Interface 00 00
/// Sending: FF CA 00 00 00
/// Received (SW1=0x90, SW2=0x00):
/// 04 A1 B2 C3 D4 E5 80 .......
/// ```
/// Source: opensc-tool.c and `util_hex_dump_asc` of OpenSC 0.23.
struct OpenSCLog: LogReader {
    private(set) var sessions = SessionCollector(.apdu)
    private var pending: (apdu: [UInt8], line: LogLine)?
    private var answer: (bytes: [UInt8], statusWord: [UInt8])?

    private static let sending = "Sending: "
    private static let bytesInRow = 16

    static func has(_ line: LogLine) -> Bool { statusWord(of: line) != nil }

    /// SW1 and SW2 of a line that starts an answer.
    private static func statusWord(of line: LogLine) -> [UInt8]? {
        guard let first = line.place(after: "Received (SW1=0x"), let second = line.place(after: ", SW2=0x", from: first)
        else { return nil }
        let bytes = [first, second].compactMap { try? Hex.bytes(line.text($0..<$0 + 2)) }.flatMap { $0 }
        return bytes.count == 2 ? bytes : nil
    }

    mutating func take(_ line: LogLine) {
        if let place = line.place(after: Self.sending) {
            add()
            pending = (line.hex(from: place).bytes, line)
        } else if let statusWord = Self.statusWord(of: line) {
            guard pending != nil, answer == nil else {
                return sessions.list(line, "there is no command before the answer")
            }
            answer = ([], statusWord)
        } else if answer != nil, let row = Self.row(line) {
            answer?.bytes += row
        } else if let place = line.place(after: "Using reader with a card: ") {
            add()
            sessions.find(reader: line.text(place..<line.bytes.count))
        } else {
            add()
            sessions.passOver(line)
        }
    }

    /// The bytes of a row: pairs of digits, each followed by a blank, then equally many characters, which may look like
    /// digits.
    private static func row(_ line: LogLine) -> [UInt8]? {
        var bytes: [UInt8] = []
        var place = 0
        while bytes.count < bytesInRow, place + 1 < line.bytes.count,
            let byte = try? Hex.bytes(line.text(place..<place + 2)), byte.count == 1
        {
            bytes += byte
            place += 2
            guard place < line.bytes.count, line.has(" ", at: place) else { break }
            place += 1
        }
        while !bytes.isEmpty {
            // Trailing blanks of the line are already removed.
            let rest = line.bytes[min(3 * bytes.count, line.bytes.count)...].drop { $0 == UInt8(ascii: " ") }
            let characters = bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") }
            let shown = characters.drop { $0 == UInt8(ascii: " ") }
            if rest.elementsEqual(shown)
                || shown.starts(with: rest) && shown.dropFirst(rest.count).allSatisfy({ $0 == 0x20 })
            {
                return bytes
            }
            bytes.removeLast()
        }
        return nil
    }

    mutating func finish() {
        add()
        sessions.finish()
    }

    private mutating func add() {
        guard let (apdu, line) = pending else { return }
        let answer = answer.map { CardRecording.Answer($0.bytes + $0.statusWord) }
        sessions.add(.init(apdu, answer), at: line)
        (pending, self.answer) = (nil, nil)
    }
}
