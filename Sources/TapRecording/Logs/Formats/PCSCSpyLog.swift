import TapCards
import TapWire

/// The output of pcsc-spy: the calls of programs to libpcsclite, with or without colours.
///
/// ```
/// SCardTransmit
///  i hCard: 0x4588266C
///  i bSendLength 0x00000005 (5)
///  i bSendBuffer
///  i  0000 FF CA 00 00 00                                  .....
///  o bRecvLength 0x00000009 (9)
///  o bRecvBuffer
///  o  0000 04 A1 B2 C3 D4 E5 80 90 00                      .........
///  => Command successful. (SCARD_S_SUCCESS [0x00000000])  [0.000258]
/// ```
/// Each thread after the first is indented by four more blanks. The log has the duration of calls but not their times.
///
/// Source: pcsc-spy of pcsc-lite 1.9.9, which prints SCarControl for SCardControl.
struct PCSCSpyLog: LogReader {
    private(set) var sessions = SessionCollector(.apdu)
    /// The calls in progress, by the indentation of their threads.
    private var calls: [Int: Call] = [:]
    private var readers: [String: String] = [:]

    private struct Call {
        let name: String
        let line: LogLine
        var handle = ""
        var reader: String?
        var controlCode: UInt32?
        var atr: [UInt8] = []
        var sent: [UInt8] = []
        var received: [UInt8] = []
        /// The number of bytes that are still missing from the buffers.
        var toSend = 0
        var toReceive = 0
        /// A Boolean value that indicates whether the call reports that no card is present.
        var hasNoCard = false
    }

    static func has(_ line: LogLine) -> Bool {
        functions.contains { line.bytes.elementsEqual($0.utf8) }
    }

    private static let functions = [
        "SCardEstablishContext", "SCardConnect", "SCardTransmit", "SCardControl", "SCarControl",
    ]

    mutating func take(_ line: LogLine) {
        var start = line.start
        // With --thread, the number of the thread comes first.
        if line.has("(t", at: start), let end = line.place(after: ") ", from: start) { start = end }
        if line.has("SCard", at: start) || line.has("SCarControl", at: start) {
            calls[start] = Call(name: line.text(start..<line.bytes.count), line: line)
        } else if line.has("i ", at: start) || line.has("o ", at: start) || line.has("=> ", at: start),
            let thread = calls.keys.contains(start - 1) ? start - 1 : nil
        {
            if line.has("=> ", at: start) {
                end(thread, line)
            } else {
                note(thread, line, start + 2, isSent: line.has("i", at: start))
            }
        } else {
            sessions.passOver(line)
        }
    }

    mutating func finish() {
        for call in calls.values.sorted(by: { $0.line.number < $1.line.number }) where !call.sent.isEmpty {
            sessions.list(call.line, "the log does not contain the end of the call")
        }
        sessions.finish()
    }

    private mutating func note(_ thread: Int, _ line: LogLine, _ place: Int, isSent: Bool) {
        guard var call = calls[thread] else { return }
        func rest(_ word: String) -> Int? { line.has(word, at: place) ? place + word.utf8.count : nil }
        if let start = rest("hCard: ") ?? rest("phCard ") {
            call.handle = line.text(from: start, to: " ")
        } else if let start = rest("szReader ") ?? rest("szReader: ") {
            call.reader = line.text(start..<line.bytes.count)
        } else if let start = rest("dwControlCode: ") {
            call.controlCode = Self.number(line, line.place(after: "(0x", from: start)).map {
                UInt32(truncatingIfNeeded: $0)
            }
        } else if let start = rest("bSendLength 0x") {
            call.toSend = Self.number(line, start) ?? 0
        } else if let start = rest("bRecvLength 0x") {
            call.toReceive = Self.number(line, start) ?? 0
        } else if let start = rest("bAtr ") ?? rest(" Atr: ") {
            let atr = line.hex(from: start).bytes
            if !atr.isEmpty { call.atr = atr }
        } else if !isSent, rest(" dwEventState: ") != nil {
            call.hasNoCard = line.place(after: "SCARD_STATE_EMPTY", from: place) != nil
        } else if let bytes = Self.dumped(line, from: place, at: isSent ? call.sent.count : call.received.count) {
            if isSent, call.toSend > 0 {
                call.sent += bytes.prefix(call.toSend)
                call.toSend -= min(bytes.count, call.toSend)
            } else if !isSent, call.toReceive > 0 {
                call.received += bytes.prefix(call.toReceive)
                call.toReceive -= min(bytes.count, call.toReceive)
            }
        }
        calls[thread] = call
    }

    private static func number(_ line: LogLine, _ place: Int?) -> Int? {
        guard let place else { return nil }
        let digits = line.bytes[min(place, line.bytes.count)...].prefix { LogLine.value(of: $0) < 16 }
        guard 1...8 ~= digits.count else { return nil }
        return digits.reduce(0) { $0 << 4 | Int(LogLine.value(of: $1)) }
    }

    /// The bytes in a line of a dump with the expected offset, without the text after them.
    private static func dumped(_ line: LogLine, from place: Int, at offset: Int) -> [UInt8]? {
        let start = place + 1
        guard line.has(" ", at: place), line.has(Hex.digits(offset, width: 4) + " ", at: start) else { return nil }
        var bytes: [UInt8] = []
        var next = start + 5
        while bytes.count < 16, next + 2 <= line.bytes.count {
            let (high, low) = (LogLine.value(of: line.bytes[next]), LogLine.value(of: line.bytes[next + 1]))
            guard high < 16, low < 16 else { break }
            bytes.append(high << 4 | low)
            next += 3
        }
        return bytes
    }

    private mutating func end(_ thread: Int, _ line: LogLine) {
        guard let call = calls.removeValue(forKey: thread) else { return }
        let isOK = line.place(after: "[0x00000000]") != nil
        switch call.name {
        case "SCardConnect":
            if isOK { readers[call.handle] = call.reader }
        case "SCardStatus", "SCardGetStatusChange":
            if isOK, !call.atr.isEmpty { sessions.find(atr: call.atr, in: call.reader ?? readers[call.handle]) }
            if isOK, call.hasNoCard { sessions.leave() }
        case "SCardTransmit", "SCardControl", "SCarControl":
            add(call, isOK: isOK, line)
        default: break
        }
        let isGone = ["SCARD_W_REMOVED_CARD", "SCARD_E_NO_SMARTCARD"].contains { line.place(after: $0) != nil }
        if isGone { sessions.leave() }
    }

    private mutating func add(_ call: Call, isOK: Bool, _ end: LogLine) {
        guard call.toSend == 0, call.toReceive == 0 || !isOK else {
            return sessions.list(call.line, "a line of the dump is missing")
        }
        // Other control codes request properties of the reader, which the reader of a replay provides itself.
        if let code = call.controlCode, !ControlCode(code).isEscape { return }
        guard !call.sent.isEmpty else { return sessions.list(call.line, "the line contains no bytes") }
        let answer = isOK ? call.received : nil
        var exchange = RecordedSession.Exchange(call.sent, answer.map { .init($0) })
        exchange.controlCode = call.name == "SCardTransmit" ? nil : call.controlCode
        if answer != nil {
            exchange.took =
                end.place(after: ")  [").flatMap(end.seconds) ?? end.place(after: ") [").flatMap(end.seconds)
        }
        sessions.add(exchange, at: call.line)
        if let reader = readers[call.handle] { sessions.find(reader: reader) }
    }
}
