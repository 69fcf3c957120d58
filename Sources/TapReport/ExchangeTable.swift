import TapDescribe
import TapDocument
import TapField
import TapWire

/// The actions of hosts, readers and cards, in words, one row per frame.
///
/// Faults and cards that come or go have rows of their own; rows that repeat the preceding ones are counted.
public struct ExchangeTable {
    /// The maximum number of entries shown; longer runs show the ones around the marked one and count the rest.
    public static let maximumEntries = 40
    /// The number of entries examined for each one shown, because many may be repetitions.
    private static let entriesPerShown = 25

    private let items: [TableItem]
    private let beforeAll: [TraceEvent]
    private let marked: Int?
    private let style: TerminalStyle
    private let before: Tally
    private let after: Tally

    /// - Parameters:
    ///   - marked: The exchange to point at; `nil` shows the end of the run.
    ///   - newest: The number of entries to which the trace is limited; `nil` for all.
    public init(
        _ trace: Trace, marking marked: Int? = nil, newest: Int? = nil, style: TerminalStyle = .plain
    ) {
        let all = newest.map(trace.lastEntries) ?? trace.entries
        // Happenings refer to indices in the whole trace.
        let happenings = newest == nil ? Happenings(trace) : Happenings()
        var (count, centre) = (0, Int?.none)
        for entry in all {
            if let marked, entry.exchange?.number == marked { centre = count }
            count += 1
        }
        let window = Self.window(of: Self.maximumEntries * Self.entriesPerShown, in: count, around: centre)
        var (before, seen, after) = (Tally(), [SeenEntry](), Tally())
        var last = newest == nil ? 0 : nil
        for (index, entry) in all.enumerated() {
            let leftOut = entry.exchange.flatMap { exchange in last.map { exchange.number - $0 - 1 } } ?? 0
            last = entry.exchange?.number ?? last
            if window.contains(index) {
                seen.append(happenings.entry(entry, at: index, leftOut: leftOut))
            } else if index < window.lowerBound {
                before.add(entry, leftOut)
            } else {
                after.add(entry, leftOut)
            }
        }
        let items = TableItem.folded(seen, marking: marked)
        let centralItem = marked.flatMap { marked in
            items.firstIndex { $0.entries.contains { $0.entry.exchange?.number == marked } }
        }
        let shown = Self.window(of: Self.maximumEntries, in: items.count, around: centralItem)
        for entry in items[..<shown.lowerBound].flatMap(\.entries) { before.add(entry.entry, entry.leftOut) }
        for entry in items[shown.upperBound...].flatMap(\.entries) { after.add(entry.entry, entry.leftOut) }
        self.items = Array(items[shown])
        beforeAll = before.isEmpty ? happenings.beforeAll : []
        (self.before, self.after) = (before, after)
        self.marked = marked
        self.style = style
    }

    /// Returns a number of indices around one of them, by default the last.
    private static func window(of size: Int, in count: Int, around centre: Int?) -> Range<Int> {
        let start = max(0, min((centre ?? count) - size / 2, count - size))
        return start..<min(count, start + size)
    }

    /// The rows with their heading; empty if nothing happened.
    public var lines: [String] {
        guard !items.isEmpty else { return [] }
        var lines = [style.muted("   #    card ms  dir  what")] + beforeAll.flatMap(rows)
        if let text = before.text { lines.append("      … \(text) before these") }
        var last: Int?
        for item in items {
            let number = item.entries.first?.entry.exchange?.number
            if let number, let last, number > last + 1 {
                lines.append("      … exchanges \(last + 1) to \(number - 1) are not kept")
            }
            last = item.entries.last?.entry.exchange?.number ?? last
            switch item {
            case .entry(let entry): lines += rows(entry)
            case .repeats(let entries, let period): lines.append(Self.row(entries, period))
            }
        }
        if let text = after.text { lines.append("      … \(text) after these") }
        return lines
    }

    /// Returns a row for entries that repeat the preceding ones.
    private static func row(_ repeated: [SeenEntry], _ period: Int) -> String {
        let what = period == 1 ? "repeated" : "the last \(period) repeated"
        let end = repeated.lazy.compactMap(\.entry.exchange).last.map {
            ", up to exchange \($0.number) at \(CardTimeText.precise($0.time)) ms"
        }
        return "      … \(what) \(CountText.of(repeated.count / period, "time"))\(end ?? "")"
    }

    private func rows(_ seen: SeenEntry) -> [String] {
        // The first row is the command.
        let rows = rows(seen.entry)
        return rows.prefix(1) + seen.during.flatMap(self.rows) + rows.dropFirst() + seen.after.flatMap(self.rows)
    }

    private func rows(_ event: TraceEvent) -> [String] {
        ExchangePrinter.lines(event, nil, style).map { "      \(CardTimeText.column(event.time))  \($0)" }
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
        if let opened = exchange.opened { rows.append(Self.row(opened, answering: nil)) }
        for answer in exchange.answers {
            let words = FrameDescription(answer: answer.frame, to: exchange.command).line
            rows.append("      \(CardTimeText.column(answer.time))  <    \(words)\(Self.remark(answer))")
            if let opened = answer.opened { rows.append(Self.row(opened, answering: exchange.opened)) }
        }
        if exchange.answers.isEmpty { rows.append("                 <    silence") }
        guard exchange.number == marked else { return rows }
        return rows.map(style.bold)
    }

    /// Returns the row with the decrypted contents of the packet above.
    private static func row(_ opened: RFFrame, answering command: RFFrame?) -> String {
        "                 =    \(FrameDescription(opened: opened, answering: command).line)"
    }

    fileprivate static func place(_ reader: String?) -> String { reader.map { "   at \($0)" } ?? "" }

    /// Returns a note about an answer, in addition to its contents.
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

    private struct Tally {
        var exchanges = 0
        var calls = 0

        mutating func add(_ entry: TraceEntry, _ leftOut: Int) {
            if entry.exchange != nil { exchanges += 1 + leftOut } else { calls += 1 }
        }

        var isEmpty: Bool { exchanges + calls == 0 }

        var text: String? {
            let parts = [(exchanges, "exchange"), (calls, "other command")].filter { $0.0 > 0 }
            return parts.isEmpty ? nil : parts.map { CountText.of($0.0, $0.1) }.joined(separator: " and ")
        }
    }
}

/// A printer that writes exchanges in words as they happen, for `-v`.
public final class ExchangePrinter: TraceObserver {
    private let style: TerminalStyle
    private let print: @Sendable (String) -> Void

    public init(style: TerminalStyle, print: @escaping @Sendable (String) -> Void) {
        self.style = style
        self.print = print
    }

    public func observe(_ event: TraceEvent, answering command: RFFrame?) {
        for line in Self.lines(event, command, style) { print("      \(CardTimeText.column(event.time))  \(line)") }
    }

    fileprivate static func lines(_ event: TraceEvent, _ command: RFFrame?, _ style: TerminalStyle) -> [String] {
        switch event.kind {
        case .field(let isOn): [style.muted("*    field \(isOn ? "on" : "off")\(ExchangeTable.place(event.reader))")]
        case .card(let name, let isPresent):
            [style.muted("*    \(name) \(isPresent ? "comes before" : "leaves") \(event.reader ?? "the reader")")]
        case .slot(let name, let atr): [style.muted("*    \(SlotText.line(name, atr))")]
        case .fault(let fault): [style.muted("!    \(fault)")]
        case .note(let text): [style.muted("*    \(text)")]
        case .command(let frame): [">    \(FrameDescription(command: frame).line)\(ExchangeTable.place(event.reader))"]
        case .answer(let frame, let card, _, let slot):
            ["<    \(line(frame, command))\(slot.map { "   slot \($0)" } ?? "")   from \(card)"]
        case .opened(let frame, let command):
            [style.muted("=    \(FrameDescription(opened: frame, answering: command).line)")]
        case .collision(let frame, let bit, let cards):
            ["<    \(line(frame, command))   collision at bit \(bit) of \(cards.joined(separator: " and "))"]
        case .silence: ["<    silence"]
        case .call(let call) where !call.isWithoutExchange:
            [
                style.muted(
                    "=    \(CallText(call).command)   \(CallText(call).outcome)\(ExchangeTable.place(event.reader))")
            ]
        case .call(let call):
            [">    \(CallText(call).command)\(ExchangeTable.place(event.reader))", "<    \(CallText(call).outcome)"]
        }
    }

    private static func line(_ answer: RFFrame, _ command: RFFrame?) -> String {
        command.map { FrameDescription(answer: answer, to: $0).line } ?? Hex.text(answer.bytes)
    }
}

/// The state of a PC/SC reader as programs see it, in words.
enum SlotText {
    static func line(_ name: String, _ atr: [UInt8]?) -> String {
        "\(name) shows \(atr.map { "a card, ATR \(Hex.text($0))" } ?? "no card")"
    }
}

/// A trace, or a part of it, in words, each exchange with its number.
public struct TraceText {
    private let events: any Sequence<TraceEvent>
    private let omission: TraceOmission?
    private let first: Int
    private let style: TerminalStyle

    public init(_ trace: Trace, style: TerminalStyle = .plain) {
        (events, omission, first) = (trace.events, trace.omission, 1)
        self.style = style
    }

    /// - Parameter first: The number of the first exchange among the events.
    package init(_ events: [TraceEvent], from first: Int) {
        (self.events, omission, self.first) = (events, nil, first)
        style = .plain
    }

    public var lines: [String] {
        var lines: [String] = []
        var (number, command, next) = (first - 1, RFFrame?.none, 0)
        for event in events {
            defer { next = event.sequence + 1 }
            if lines.isEmpty { lines.append(style.muted("   #    card ms  dir  what")) }
            if event.sequence > next, let numbers = omission?.numbers {
                lines.append("      … exchanges \(numbers.lowerBound) to \(numbers.upperBound) are not kept")
                number = numbers.upperBound
            }
            var place = "    "
            if case .command(let frame) = event.kind {
                (number, command) = (number + 1, frame)
                place = "\(number)".leftPadded(to: 4)
            }
            let time = CardTimeText.column(event.time)
            for line in ExchangePrinter.lines(event, command, style) { lines.append("\(place)  \(time)  \(line)") }
        }
        return lines
    }
}

/// Columns of text, each as wide as its widest cell.
public enum TextTable {
    public static func lines(_ rows: [[String]]) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell.rightPadded(to: widths[column])
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Returns text wrapped at a number of columns, indented.
    public static func wrapped(_ text: String, indent: Int, columns: Int = 100) -> String {
        let space = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > columns {
                lines.append(space + line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return (lines + [space + line]).joined(separator: "\n")
    }
}
