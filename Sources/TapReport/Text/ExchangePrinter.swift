import TapDescribe
import TapField
import TapScenario
import TapWire

/// Writes exchanges in words while they happen, as `-v` asks for.
public final class ExchangePrinter: TraceObserver {
    private let style: TerminalStyle
    private let print: @Sendable (String) -> Void

    /// Creates a printer.
    ///
    /// - Parameters:
    ///   - style: Colours.
    ///   - print: Takes each line.
    public init(style: TerminalStyle, print: @escaping @Sendable (String) -> Void) {
        self.style = style
        self.print = print
    }

    /// Writes the line of an event; a call of a host has two.
    public func observe(_ event: TraceEvent, answering command: AirFrame?) {
        for line in Self.lines(event, command, style) { print("      \(CardTimeText.column(event.time))  \(line)") }
    }

    private static func lines(_ event: TraceEvent, _ command: AirFrame?, _ style: TerminalStyle) -> [String] {
        switch event.kind {
        case .field(let isOn): [style.muted("*    field \(isOn ? "on" : "off")\(place(event))")]
        case .card(let name, let isPresent):
            [style.muted("*    \(name) \(isPresent ? "comes before" : "leaves") \(event.reader ?? "the reader")")]
        case .fault(let fault): [style.muted("!    \(fault)")]
        case .note(let text): [style.muted("*    \(text)")]
        case .command(let frame): [">    \(FrameDescription(command: frame).line)\(place(event))"]
        case .answer(let frame, let card, _, let slot):
            ["<    \(line(frame, command))\(slot.map { "   slot \($0)" } ?? "")   from \(card)"]
        case .collision(let frame, let bit, let cards):
            ["<    \(line(frame, command))   collision at bit \(bit) of \(cards.joined(separator: " and "))"]
        case .silence: ["<    silence"]
        case .call(let call): [">    \(CallText(call).command)\(place(event))", "<    \(CallText(call).outcome)"]
        }
    }

    /// At which of several readers it happened.
    private static func place(_ event: TraceEvent) -> String { event.reader.map { "   at \($0)" } ?? "" }

    private static func line(_ answer: AirFrame, _ command: AirFrame?) -> String {
        command.map { FrameDescription(answer: answer, to: $0).line } ?? Hex.text(answer.bytes)
    }
}
