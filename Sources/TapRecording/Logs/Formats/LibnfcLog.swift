/// What libnfc writes with `LIBNFC_LOG_LEVEL=3`: the bytes that its drivers send to a chip and receive of it.
///
/// ```
/// debug⇥libnfc.bus.uart⇥TX: 00 00 ff 04 fc d4 4a 01 01 e0 00
/// debug⇥libnfc.bus.uart⇥RX: d5 4b
/// ```
/// An answer may come in several pieces. Times are not told. Source: log.h and the drivers of libnfc 1.8.0.
struct LibnfcLog: LogReader {
    private var chip = PN53xConversation()

    var sessions: SessionCollector { chip.sessions }

    static func has(_ line: LogLine) -> Bool { line.place(after: "\tlibnfc.") != nil }

    mutating func take(_ line: LogLine) {
        guard let logger = line.place(after: "\tlibnfc.") else { return chip.sessions.passOver(line) }
        if let place = line.place(after: "\tTX: ", from: logger) {
            chip.send(line.hex(from: place).bytes, at: line)
        } else if let place = line.place(after: "\tRX: ", from: logger) {
            chip.receive(line.hex(from: place).bytes, at: line)
        }
    }

    mutating func finish() { chip.finish() }
}
