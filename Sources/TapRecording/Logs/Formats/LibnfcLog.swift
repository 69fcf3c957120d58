import TapWire

/// The log that libnfc writes with `LIBNFC_LOG_LEVEL=3`: the bytes that its drivers send to a chip and receive from it.
///
/// ```
/// debug⇥libnfc.bus.uart⇥TX: 00 00 ff 04 fc d4 4a 01 01 e0 00
/// debug⇥libnfc.bus.uart⇥RX: d5 4b
/// ```
/// Pasted text often has blanks instead of tabs. An answer may be split into several pieces. The log has no times. All
/// drivers write lines of this form, each under its own name (`libnfc.driver.acr122_pcsc`, `libnfc.bus.i2c` …).
///
/// Source: log.h, log-internal.h and the drivers of libnfc 1.8.0.
struct LibnfcLog: LogReader {
    private var chip = PN53xConversation()

    var sessions: SessionCollector { chip.sessions }

    static func has(_ line: LogLine) -> Bool { message(in: line) != nil }

    /// The index of the message after the name of the logger, which ends with a blank.
    private static func message(in line: LogLine) -> Int? {
        let root = "libnfc."
        var place = 0
        while let start = line.place(after: root, from: place) {
            let begin = start - root.utf8.count
            let end = start + line.bytes[start...].prefix(while: LogLine.isWord).count
            let isName = end > start && (begin == 0 || Hex.isBlank(line.bytes[begin - 1]))
            if isName, end < line.bytes.count, Hex.isBlank(line.bytes[end]) {
                return end + line.bytes[end...].prefix(while: Hex.isBlank).count
            }
            place = start
        }
        return nil
    }

    mutating func take(_ line: LogLine) {
        guard let message = Self.message(in: line) else { return chip.sessions.passOver(line) }
        if line.has("TX:", at: message) {
            chip.send(line.hex(from: message + 3).bytes, at: line)
        } else if line.has("RX:", at: message) {
            chip.receive(line.hex(from: message + 3).bytes, at: line)
        }
    }

    mutating func finish() { chip.finish() }
}
