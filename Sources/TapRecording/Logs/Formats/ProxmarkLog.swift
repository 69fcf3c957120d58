import TapWire

/// The output of the Proxmark3 client: trace lists (`trace list`, `hf list`) and raw FeliCa frames (`hf felica raw`).
///
/// ```
///       Start |        End | Src | Data                                    | CRC | Annotation
///           0 |       6784 | Rdr |B2  4D  06  00  FF  FF  00  00  09  21   |  ok | POLLING
///       12720 |      13780 | Tag |B2  4D  12  01 …                         |     |
///             |            |     |05  31  43  45  46  82  …                |  ok |
/// [+] Data: 0C 01 23 45 67 89 AB CD EF
/// [+] (14) B2 4D …
/// ```
/// Frames are as sent over the air: with CRC and, for FeliCa, with the sync code. A `!` after a byte marks a parity error;
/// `(7)` is a number of bits. Times are in carrier periods, or in microseconds with `-u`. A frame for `hf felica raw` has no
/// LEN because the firmware adds it; older frames have LEN.
///
/// Source: client/src/cmdtrace.c and cmdhffelica.c of RfidResearchGroup's Proxmark3.
struct ProxmarkLog: LogReader {
    private var conversation = RFConversation()
    private var row: Row?
    private var last: LogLine?

    private struct Row {
        let line: LogLine
        let isCommand: Bool
        let (start, end): (Duration?, Duration?)
        var bytes: [UInt8]
        var bitCount: Int?
        var hasParityError: Bool
    }

    private static let sync: [UInt8] = [0xB2, 0x4D]
    private static let prompt = "pm3 --> "

    var sessions: SessionCollector { conversation.sessions }

    static func has(_ line: LogLine) -> Bool {
        source(of: line) != nil || line.place(after: prompt) != nil || raw(line) != nil
    }

    mutating func take(_ line: LogLine) {
        last = line
        if let (isCommand, place) = Self.source(of: line) {
            endRow()
            begin(isCommand: isCommand, line, at: place)
        } else if row != nil, let place = Self.continued(line) {
            add(line, place)
        } else if let raw = Self.raw(line) {
            endRow()
            take(raw, line)
        } else if line.place(after: Self.prompt) == nil {
            endRow()
            conversation.sessions.passOver(line)
        }
    }

    mutating func finish() {
        endRow()
        conversation.finish(at: last)
    }
}

/// Rows of a list.
extension ProxmarkLog {
    /// The sender of a row, and the start of its data.
    private static func source(of line: LogLine) -> (isCommand: Bool, place: Int)? {
        if let place = line.place(after: "| Rdr |") { return (true, place) }
        return line.place(after: "| Tag |").map { (false, $0) }
    }

    /// The start of the data in a continuation row.
    private static func continued(_ line: LogLine) -> Int? {
        guard line.has("|", at: line.start), let end = line.place(after: "|     |") else { return nil }
        return end
    }

    private mutating func begin(isCommand: Bool, _ line: LogLine, at place: Int) {
        func time(_ place: Int) -> Duration? {
            guard let (number, end) = line.number(at: place) else { return nil }
            return line.has(".", at: end)
                ? line.seconds(at: place).map { $0 / 1_000_000 } : TransmissionTime.carrierPeriods(number)
        }
        let end = line.place(after: "|").map { bar in bar + line.bytes[bar...].prefix(while: Hex.isBlank).count }
        row = Row(
            line: line, isCommand: isCommand, start: time(line.start), end: end.flatMap(time), bytes: [],
            hasParityError: false)
        add(line, place)
    }

    private mutating func add(_ line: LogLine, _ place: Int) {
        var place = place
        while place < line.bytes.count, line.bytes[place] != UInt8(ascii: "|") {
            let byte = line.bytes[place]
            if place + 1 < line.bytes.count, LogLine.value(of: byte) < 16, LogLine.value(of: line.bytes[place + 1]) < 16
            {
                row?.bytes.append(LogLine.value(of: byte) << 4 | LogLine.value(of: line.bytes[place + 1]))
                place += 2
                continue
            }
            if byte == UInt8(ascii: "!") { row?.hasParityError = true }
            if byte == UInt8(ascii: "("), let (bits, end) = line.number(at: place + 1), line.has(")", at: end),
                1...7 ~= bits
            {
                let whole = max(0, (row?.bytes.count ?? 1) - 1)
                row?.bitCount = whole * 8 + bits
                place = end
            }
            place += 1
        }
    }

    private mutating func endRow() {
        guard let row else { return }
        self.row = nil
        guard !row.bytes.isEmpty else { return conversation.sessions.list(row.line, "the line contains no bytes") }
        let isFeliCa = row.bytes.starts(with: Self.sync)
        let bytes = isFeliCa ? Array(row.bytes.dropFirst(Self.sync.count)) : row.bytes
        var frame: RFFrame
        if isFeliCa {
            let (packet, integrity) = CRC16FeliCa.checking(bytes)
            frame = RFFrame(.felica212, packet, integrity: integrity)
        } else if row.isCommand {
            frame = TypeAFraming.command(rfBytes: bytes, bitCount: row.bitCount)
        } else {
            let isAcknowledgement = bytes.count == 1 && bytes[0] <= 0x0F
            let bitCount = row.bitCount ?? (isAcknowledgement ? Acknowledgement.bitCount : nil)
            frame = TypeAFraming.answer(
                rfBytes: bytes, bitCount: bitCount,
                to: conversation.sent ?? RFFrame(.typeA106, [Type2Opcode.read.rawValue]))
        }
        if row.hasParityError { frame.integrity = .badParity }
        if row.isCommand {
            conversation.send(frame, at: row.line, from: row.start, to: row.end)
        } else {
            conversation.answer(frame, at: row.line, from: row.start)
        }
    }
}

extension ProxmarkLog {
    private enum Raw {
        case command([UInt8])
        case answer([UInt8])
        case card(idm: [UInt8], pmm: [UInt8]?)
    }

    private static func raw(_ line: LogLine) -> Raw? {
        for words in ["[+] Data: ", "[=] Send raw command - Frame: ", "[=] Client send AUTH1 frame: "] {
            if line.has(words, at: line.start) { return .command(line.hex(from: line.start + words.utf8.count).bytes) }
        }
        if line.has("[+] IDm: ", at: line.start) {
            let idm = line.hex(from: line.start + "[+] IDm: ".utf8.count).bytes
            return idm.count == 8 ? .card(idm: idm, pmm: nil) : nil
        }
        guard line.has("[+] (", at: line.start), let (count, end) = line.number(at: line.start + 5),
            line.has(") ", at: end)
        else { return nil }
        let bytes = line.hex(from: end + 1).bytes
        guard bytes.count == count else { return nil }
        if bytes.starts(with: sync) { return .answer(Array(bytes.dropFirst(sync.count))) }
        // The IDm, repeated in two parts, then the PMm.
        return bytes.count >= 24 && bytes[0..<8] == bytes[8..<16]
            ? .card(idm: Array(bytes[..<8]), pmm: Array(bytes[16..<24])) : nil
    }

    private mutating func take(_ raw: Raw, _ line: LogLine) {
        switch raw {
        case .command(let bytes):
            let hasLength = FeliCaPacket.isWhole(bytes.span) || bytes.count > 2 && bytes.count == Int(bytes[0]) + 2
            let packet =
                hasLength ? Array(bytes.prefix(Int(bytes[0]))) : [UInt8(truncatingIfNeeded: bytes.count + 1)] + bytes
            conversation.send(RFFrame(.felica212, packet), at: line)
        case .answer(let bytes):
            let (packet, integrity) = CRC16FeliCa.checking(bytes)
            conversation.answer(RFFrame(.felica212, packet, integrity: integrity), at: line)
        case .card(let idm, let pmm):
            conversation.sessions.find(
                .felica(
                    idm: IDm(UInt64(octets: idm)), pmm: pmm.map { PMm(UInt64(octets: $0)) }, system: nil))
        }
    }
}
