import TapDescribe
import TapField
import TapScenario
import TapWire

/// What hosts, readers and cards did in words, one row a frame.
public struct ExchangeTable {
    /// Most exchanges and calls shown; of a longer run those around the one that matters, and the rest is counted.
    public static let maximumEntries = 40

    private let entries: [TraceEntry]
    private let marked: Int?
    private let style: TerminalStyle
    /// What comes before the entries shown, and after them.
    private let before: Tally
    private let after: Tally

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - trace: What happened.
    ///   - marked: Number of the exchange to point at; without one, the end of a run tells most.
    ///   - newest: How many entries of the trace there are to be; nothing for all.
    ///   - style: Colours.
    public init(_ trace: Trace, marking marked: Int? = nil, newest: Int? = nil, style: TerminalStyle = .plain) {
        let all = newest.map(trace.lastEntries) ?? trace.entries
        var (count, centre) = (0, Int?.none)
        for entry in all {
            if let marked, entry.exchange?.number == marked { centre = count }
            count += 1
        }
        let size = Self.maximumEntries
        let start = max(0, min((centre ?? count) - size / 2, count - size))
        var (before, shown, after) = (Tally(), [TraceEntry](), Tally())
        var last = newest == nil ? 0 : nil
        for (index, entry) in all.enumerated() {
            let leftOut = entry.exchange.flatMap { exchange in last.map { exchange.number - $0 - 1 } } ?? 0
            last = entry.exchange?.number ?? last
            if index < start {
                before.add(entry, leftOut)
            } else if index < start + size {
                shown.append(entry)
            } else {
                after.add(entry, leftOut)
            }
        }
        entries = shown
        (self.before, self.after) = (before, after)
        self.marked = marked
        self.style = style
    }

    /// The rows with their heading; none for a run in which nothing happened.
    public var lines: [String] {
        guard !entries.isEmpty else { return [] }
        var lines = [style.muted("   #    card ms  dir  what")]
        if let text = before.text { lines.append("      … \(text) before these") }
        var last: Int?
        for entry in entries {
            let number = entry.exchange?.number
            if let number, let last, number > last + 1 {
                lines.append("      … exchanges \(last + 1) to \(number - 1) are not kept")
            }
            last = number ?? last
            lines += rows(entry)
        }
        if let text = after.text { lines.append("      … \(text) after these") }
        return lines
    }

    private func rows(_ entry: TraceEntry) -> [String] {
        switch entry {
        case .exchange(let exchange): return rows(exchange)
        case .call(let call):
            let words = CallText(call.call)
            return [
                "      \(CardTimeText.column(call.time))  >    \(words.command)\(Self.place(call.reader))",
                "                 <    \(words.outcome)",
            ]
        }
    }

    private func rows(_ exchange: Exchange) -> [String] {
        let pointer = exchange.number == marked ? ">" : " "
        let number = "\(exchange.number)".leftPadded(to: 3)
        let words = FrameDescription(command: exchange.command).line
        let place = Self.place(exchange.reader)
        var rows = ["\(pointer)\(number)  \(CardTimeText.column(exchange.time))  >    \(words)\(place)"]
        for answer in exchange.answers {
            let words = FrameDescription(answer: answer.frame, to: exchange.command).line
            rows.append("      \(CardTimeText.column(answer.time))  <    \(words)\(Self.remark(answer))")
        }
        if exchange.answers.isEmpty { rows.append("                 <    silence") }
        guard exchange.number == marked else { return rows }
        return rows.map(style.bold)
    }

    /// At which of several readers it happened.
    private static func place(_ reader: String?) -> String { reader.map { "   at \($0)" } ?? "" }

    /// What has to be said about an answer besides its content.
    private static func remark(_ answer: Exchange.Answer) -> String {
        if let bit = answer.firstCollidedBit {
            return "   collision at bit \(bit) of \(answer.cards.joined(separator: " and "))"
        }
        switch answer.frame.integrity {
        case .good: return ""
        case .badCRC: return "   damaged, CRC wrong"
        case .badParity: return "   damaged, parity wrong"
        }
    }

    /// How many entries are not shown.
    private struct Tally {
        var exchanges = 0
        var calls = 0

        /// Adds an entry, and the exchanges before it that are not kept.
        mutating func add(_ entry: TraceEntry, _ leftOut: Int) {
            if entry.exchange != nil { exchanges += 1 + leftOut } else { calls += 1 }
        }

        /// Both in words; nothing for none.
        var text: String? {
            let parts = [(exchanges, "exchange"), (calls, "other command")].filter { $0.0 > 0 }
            return parts.isEmpty ? nil : parts.map { CountText.of($0.0, $0.1) }.joined(separator: " and ")
        }
    }
}
