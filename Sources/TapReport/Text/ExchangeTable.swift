import TapField
import TapScenario
import TapWire

/// The exchanges of a run in words, one row a frame.
public struct ExchangeTable {
    /// Most exchanges shown; of a longer run those around the one that matters, and the rest is counted.
    public static let maximumExchanges = 40

    private let exchanges: [Exchange]
    private let marked: Int?
    private let style: TerminalStyle

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - exchanges: The exchanges in order.
    ///   - marked: Number of the exchange to point at.
    ///   - style: Colours.
    public init(_ exchanges: [Exchange], marking marked: Int? = nil, style: TerminalStyle = .plain) {
        self.exchanges = exchanges
        self.marked = marked
        self.style = style
    }

    /// The rows with their heading; none for a run without exchanges.
    public var lines: [String] {
        guard !exchanges.isEmpty else { return [] }
        let shown = shownRange
        var lines = [style.muted("   #    card ms  dir  what")]
        if shown.lowerBound > 0 { lines.append("      … \(CountText.of(shown.lowerBound, "exchange")) before these") }
        for exchange in exchanges[shown] { lines += rows(exchange) }
        let rest = exchanges.count - shown.upperBound
        if rest > 0 { lines.append("      … \(CountText.of(rest, "exchange")) after these") }
        return lines
    }

    private var shownRange: Range<Int> {
        let size = Self.maximumExchanges
        guard exchanges.count > size else { return exchanges.indices }
        // Without a place to look at, the end of a run tells most.
        let centre = marked ?? exchanges.count
        let start = min(max(0, centre - size / 2), exchanges.count - size)
        return start..<start + size
    }

    private func rows(_ exchange: Exchange) -> [String] {
        let pointer = exchange.number == marked ? ">" : " "
        let number = "\(exchange.number)".leftPadded(to: 3)
        let words = FrameDescription(command: exchange.command).line
        let place = exchange.reader.map { "   at \($0)" } ?? ""
        var rows = ["\(pointer)\(number)  \(CardTimeText.column(exchange.time))  >    \(words)\(place)"]
        for answer in exchange.answers {
            let words = FrameDescription(answer: answer.frame, to: exchange.command).line
            rows.append("      \(CardTimeText.column(answer.time))  <    \(words)\(Self.remark(answer))")
        }
        if exchange.answers.isEmpty { rows.append("                 <    silence") }
        guard exchange.number == marked else { return rows }
        return rows.map(style.bold)
    }

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
}
